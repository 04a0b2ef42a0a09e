import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// bluetoothd was killed and is back, and answers the first calls wrongly.
final class BluetoothReturnTests: XCTestCase {
    /// How long it may take until data comes again, in seconds.
    private static let returnSeconds = 5.0

    /// Kills bluetoothd while a strap is live; returns how long data is missing after its return.
    private func secondsUntilData(
        _ member: String, _ outcome: FakeOutcome, times: Int = 1
    ) async throws -> Double {
        let (box, gateway) = try await startWithAStrap()
        await box.bluez.crash()
        try await gateway.waitForLines(
            with: "disconnected device=\(BluetoothBox.ada)", on: .error)
        await box.bluez.disturb(next: member, outcome, times: times)
        try await box.bluez.start()
        let start = SystemClock().now()
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        try await beat(box, gateway, heartRates: 2)
        let seconds = SystemClock().now().seconds(since: start)
        try await box.end(gateway)
        return seconds
    }

    private func startWithAStrap() async throws -> (BluetoothBox, RunningCommand) {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        await box.wear(BluetoothBox.ada)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        try await beat(box, gateway, heartRates: 1)
        return (box, gateway)
    }

    private func beat(
        _ box: BluetoothBox, _ gateway: RunningCommand, heartRates: Int
    ) async throws {
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(heartRates, with: "\"heartRate\"", on: .output)
    }

    func testStartDiscovery_whateverItIsAnswered_dataIsBackInTime() async throws {
        let outcomes: [FakeOutcome] = [
            .error(.inProgress), .error(.failed("le-connection-busy")), .error(.notReady),
            .noEffect, .noAnswer,
        ]
        for outcome in outcomes {
            let seconds = try await secondsUntilData("StartDiscovery", outcome)
            XCTAssertLessThan(seconds, Self.returnSeconds, "\(outcome)")
        }
    }

    func testStartDiscovery_inProgressAgainAndAgain_dataIsBackInTime() async throws {
        let seconds = try await secondsUntilData("StartDiscovery", .error(.inProgress), times: 3)
        XCTAssertLessThan(seconds, Self.returnSeconds)
    }

    func testSetDiscoveryFilter_whateverItIsAnswered_dataIsBackInTime() async throws {
        for outcome in [FakeOutcome.error(.notReady), .noEffect, .noAnswer] {
            let seconds = try await secondsUntilData("SetDiscoveryFilter", outcome)
            XCTAssertLessThan(seconds, Self.returnSeconds, "\(outcome)")
        }
    }

    func testDiscovery_endedByBluetoothd_isStartedAgainAtOnce() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery")
        await box.bluez.wait { $0.isDiscovering() }

        await box.bluez.stallDiscovery()
        await box.wear(BluetoothBox.ada)

        let start = SystemClock().now()
        await box.waitUntilHeard(BluetoothBox.ada)
        XCTAssertLessThan(SystemClock().now().seconds(since: start), Self.returnSeconds)
        try await box.end(gateway)
    }
}
