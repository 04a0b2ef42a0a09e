import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import XCTest

/// The link, the adapter, bluetoothd and the bus come and go; what was accepted is kept once.
final class BluetoothFaultTests: XCTestCase {
    /// How long it may take until samples come again, in seconds.
    private static let returnSeconds = 5.0
    /// How long it may take until a loss is told, in seconds.
    private static let lossSeconds = 1.0

    /// A gateway that has just stored the first samples of a worn strap.
    private func startWithAStrap() async throws -> (BluetoothBox, RunningCommand) {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        await box.wear(BluetoothBox.ada)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        try await beat(box, gateway, heartRates: 3)
        return (box, gateway)
    }

    /// Lets the strap tell three beats in their time; so many heart rates are there afterwards.
    private func beat(
        _ box: BluetoothBox, _ gateway: RunningCommand, heartRates: Int
    ) async throws {
        for _ in 0..<3 {
            let isTold = await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
            XCTAssertTrue(isTold)
            // A heart takes its time; nothing is waited for here.
            try await SystemClock().sleep(seconds: SteadyHeart.interval)
        }
        try await gateway.waitForLines(heartRates, with: "\"heartRate\"", on: .output)
    }

    /// Breaks something and mends it; samples come again, and nothing is made up or stored twice.
    private func survive(
        told reason: String, adapter: String = "hci0",
        breaking: (BluetoothBox) async throws -> Void,
        mending: (BluetoothBox) async throws -> Void
    ) async throws {
        let (box, gateway) = try await startWithAStrap()
        let told = "disconnected device=\(BluetoothBox.ada) reason=\"\(reason)\""
        try await breaking(box)
        try await gateway.waitForLines(with: told, on: .error, within: Self.lossSeconds)
        try await mending(box)
        let mended = SystemClock().now()
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        try await beat(box, gateway, heartRates: 6)
        XCTAssertLessThan(SystemClock().now().seconds(since: mended), Self.returnSeconds)
        try await box.end(gateway)

        let samples = try await box.home.samples(of: .heartRate)
        XCTAssertEqual(samples.count, 6)
        XCTAssertEqual(Set(samples.map(\.id)).count, 6)
        let events = try await box.home.events()
        let losses = events.filter { $0.state.connection == .disconnected }
        XCTAssertEqual(losses.map(\.reason), [reason, "stopped"])
        let loss = try XCTUnwrap(losses.first)
        for interval in try await box.home.samples(of: .rrInterval) {
            XCTAssertFalse(interval.start < loss.at && loss.at < interval.end)
        }
    }

    func testLinkDrops_isToldAndMadeAgain() async throws {
        try await survive(told: "link lost") { box in
            await box.bluez.dropLink(BluetoothBox.ada)
        } mending: { _ in
        }
    }

    func testAdapterIsSwitchedOffAndOn() async throws {
        try await survive(told: "link lost") { box in
            await box.bluez.setPowered(false)
        } mending: { box in
            await box.bluez.setPowered(true)
        }
    }

    func testAdapterIsUnplugged_andComesBackUnderAnotherName() async throws {
        try await survive(told: "link lost") { box in
            await box.bluez.unplug()
        } mending: { box in
            await box.bluez.plug(FakeAdapter(name: "hci1"))
        }
    }

    func testBluetoothdIsKilled_andComesBack() async throws {
        try await survive(told: "bluetoothd is not running") { box in
            await box.bluez.crash()
        } mending: { box in
            try await box.bluez.start()
        }
    }

    func testTheBusIsKilled_andComesBack() async throws {
        try await survive(told: "D-Bus connection closed") { box in
            box.bus.stop()
        } mending: { box in
            try box.bus.start()
            try await box.bluez.start()
        }
    }

    func testConnectFailsAFewTimes_isTriedAgainAtOnce() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        var strap = FakeStrap(address: BluetoothBox.ada).device
        strap.behaviour.connectFailures = [
            "le-connection-abort-by-local", "Operation already in progress",
            "br-connection-canceled",
        ]
        await box.bluez.appear(strap)
        let gateway = try box.home.start("run")
        let start = SystemClock().now()

        await box.waitUntilHeard(BluetoothBox.ada)

        XCTAssertLessThan(SystemClock().now().seconds(since: start), Self.returnSeconds)
        let count = await box.bluez.calls(of: "Connect").count
        XCTAssertEqual(count, 4)
        try await box.end(gateway)
    }
}
