import Foundation
import GatewayCore
import GatewayTesting
import XCTest

/// A bluetoothd with straps on a bus of the test's own, and a home whose gateway uses it.
struct BluetoothBox {
    static let ada = "D0:11:22:33:44:55"
    static let bob = "D0:11:22:33:44:66"

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

    /// Returns as soon as the gateway listens to a strap.
    func waitUntilHeard(_ address: String) async {
        await bluez.wait { $0.isNotifying(of: address) }
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

/// A heart that beats once a second, as a strap tells it: 60 a minute, contact, one R-R interval.
struct SteadyHeart {
    /// Flags for contact and R-R intervals, 60 beats a minute, 1024/1024 s.
    static let beat: [UInt8] = [0x16, 60, 0x00, 0x04]
}
