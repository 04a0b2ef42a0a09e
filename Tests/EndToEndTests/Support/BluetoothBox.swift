import BluetoothTesting
import DBus
import Foundation
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// A bluetoothd with straps on a bus of the test's own, and a home whose gateway uses it.
struct BluetoothBox {
    static let ada = "D0:11:22:33:44:55"
    static let bob = "D0:11:22:33:44:66"

    /// How long anything may take, in seconds; much longer than it does.
    private static let timeoutSeconds = 30.0

    let bus: PrivateBus
    let bluez: FakeBlueZ
    var home: Home

    /// Makes a box; bluetoothd runs unless the test starts it itself.
    ///
    /// - Throws: `XCTSkip` where there is no dbus-daemon.
    init(
        adapters: [FakeAdapter] = [FakeAdapter()], limits: PrivateBus.Limits = .init(),
        startsDaemon: Bool = true
    ) async throws {
        do { bus = try PrivateBus(limits: limits) } catch { throw XCTSkip("\(error)") }
        bluez = try FakeBlueZ(address: bus.address, adapters: adapters)
        home = try Home()
        home.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        if startsDaemon { try await bluez.start() }
    }

    /// Configures a source that prints what it reads, and keeps it.
    func configure(_ source: String, more: String = "") throws {
        try home.configure(
            """
            { sources: { straps: \(source) },
              sinks: { store: "sqlite", lines: "stdout" }, \(more) }
            """)
    }

    /// Puts a strap on somebody.
    func wear(_ address: String, serial: String = "0001") async {
        var information = FakeStrap.Information()
        information.serial = serial
        await bluez.appear(FakeStrap(address: address, information: information).device)
    }

    /// Returns as soon as a strap is subscribed to for the `count`th time; it fails when that takes
    /// too long.
    func waitUntilHeard(
        _ address: String, count: Int = 1, file: StaticString = #filePath, line: UInt = #line
    ) async {
        let device = "/dev_\(address.replacingOccurrences(of: ":", with: "_"))/"
        let (end, signal) = AsyncStream.makeStream(of: Bool.self)
        Task { [bluez] in
            await bluez.wait { bluez in
                bluez.calls(of: "StartNotify").count { $0.path.contains(device) } >= count
            }
            signal.yield(true)
        }
        Task {
            try await SystemClock().sleep(seconds: Self.timeoutSeconds)
            signal.yield(false)
        }
        let isHeard = await end.first { _ in true }
        XCTAssertEqual(isHeard, true, "nobody listens to \(address)", file: file, line: line)
    }

    /// Ends the gateway; it must end well, and its ledger must close.
    func end(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let error = await gateway.text(of: .error)
        XCTAssertFalse(error.contains("does not close"), error)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }
}

/// A heart as a strap tells it: contact, and the time since the beat before.
enum SteadyHeart {
    /// Between two beats, in seconds: as fast as a heart can be.
    static let interval = 0.25
    /// Flags for contact and R-R intervals, 240 beats a minute, 256/1024 s.
    static let beat: [UInt8] = [0x16, 240, 0x00, 0x01]
}
