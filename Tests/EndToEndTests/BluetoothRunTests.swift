import BluetoothTesting
import DBus
import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import XCTest

/// A strap is found, read and kept.
final class BluetoothRunTests: XCTestCase {
    func testAStrapThatAppears_givesRowsWithItsMake() async throws {
        let box = try await BluetoothBox()
        try box.configure(
            #"{ use: "bluetooth" }"#,
            more: #"people: { ada: {} }, devices: { "\#(BluetoothBox.ada)": { person: "ada" } }"#)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery")
        let start = SystemClock().now()

        await box.wear(BluetoothBox.ada, serial: "SN 7")
        await box.waitUntilHeard(BluetoothBox.ada)
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(with: "heartRate", on: .output)

        XCTAssertLessThan(SystemClock().now().seconds(since: start), 3)
        try await box.end(gateway)
        let samples = try await box.home.samples(of: .heartRate)
        let sample = try XCTUnwrap(samples.first)
        XCTAssertEqual(sample.quantity, try Quantity(240, .countPerMinute))
        XCTAssertEqual(sample.person, "ada")
        XCTAssertEqual(sample.device?.manufacturer, "Pulse Works")
        XCTAssertEqual(sample.device?.model, "Strap 1")
        XCTAssertEqual(sample.device?.firmwareVersion, "1.2.3")
        XCTAssertEqual(sample.device?.serial, "SN 7")
        XCTAssertEqual(sample.device?.localIdentifier, BluetoothBox.ada)
        XCTAssertEqual(sample.metadata[.heartRateSensorLocation], 1)
        let events = try await box.home.events()
        XCTAssertEqual(events.compactMap(\.state.battery), [0.8])
        XCTAssertEqual(events.compactMap(\.state.contact), [true])
        XCTAssertEqual(events.compactMap(\.state.connection), [.connected, .disconnected])
    }

    func testTwoStraps_areConnectedOneAfterTheOther_andKeptApart() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        await box.wear(BluetoothBox.ada, serial: "A")
        await box.wear(BluetoothBox.bob, serial: "B")
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        await box.waitUntilHeard(BluetoothBox.bob)

        await box.bluez.notify(BluetoothBox.ada, [0x06, 61])
        await box.bluez.notify(BluetoothBox.bob, [0x06, 62])
        try await gateway.waitForLines(2, with: "heartRate", on: .output)

        try await box.end(gateway)
        let samples = try await box.home.samples(of: .heartRate)
        XCTAssertEqual(
            samples.map { $0.device?.serial }.sorted { $0 ?? "" < $1 ?? "" }, ["A", "B"])
        let atOnce = await box.bluez.maximumSimultaneousConnects()
        XCTAssertEqual(atOnce, 1)
    }

    func testAStranger_isNotConnected() async throws {
        let own = BluetoothBox.ada.lowercased()
        try await assertOnlyAdaIsConnected(#"{ use: "bluetooth", devices: ["\#(own)"] }"#)
    }

    func testADeniedDevice_isNotConnected_evenWhenAnyIsWelcome() async throws {
        try await assertOnlyAdaIsConnected(
            #"{ use: "bluetooth", devices: "any", deny: ["\#(BluetoothBox.bob)"] }"#)
    }

    /// Both straps are around, Bob's for longer, and the source connects Ada's.
    private func assertOnlyAdaIsConnected(_ source: String) async throws {
        let box = try await BluetoothBox()
        try box.configure(source)
        await box.wear(BluetoothBox.bob)
        let gateway = try box.home.start("run")
        await box.wear(BluetoothBox.ada)
        await box.waitUntilHeard(BluetoothBox.ada)
        try await box.end(gateway)

        let connected = await box.bluez.calls(of: "Connect").map(\.path)
        XCTAssertEqual(connected, [FakeBlueZ.devicePath(BluetoothBox.ada)])
    }

    func testStop_disconnectsTheStrap() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        await box.wear(BluetoothBox.ada)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)

        try await box.end(gateway)

        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertFalse(isConnected)
        let error = await gateway.text(of: .error)
        XCTAssertTrue(
            error.contains("disconnected device=\(BluetoothBox.ada) reason=stopped"), error)
    }

    func testAStrapThatWasLeftConnected_isTakenOver() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        await box.wear(BluetoothBox.ada)
        let killed = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        await killed.send(SIGKILL)
        try await killed.waitForEnd()

        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(with: "heartRate", on: .output)

        try await box.end(gateway)
        let count = await box.bluez.calls(of: "Connect").count
        XCTAssertEqual(count, 1)
    }
}
