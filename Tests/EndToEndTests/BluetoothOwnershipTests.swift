import BluetoothTesting
import GatewayTesting
import Glibc
import XCTest

/// A gateway that was killed while it had a link, and the one that starts after it.
final class BluetoothOwnershipTests: XCTestCase {
    private static let files = "data/pulsegate/links/straps/"

    /// Starts a gateway with a live strap and kills it; bluetoothd keeps the link.
    private func killedGateway() async throws -> BluetoothBox {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        await box.wear(BluetoothBox.ada)
        let first = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        try await beat(box, first)
        await first.send(SIGKILL)
        let ending = try await first.waitForEnd()
        XCTAssertEqual(ending, .killed(bySignal: SIGKILL))
        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertTrue(isConnected)
        return box
    }

    private func beat(_ box: BluetoothBox, _ gateway: RunningCommand) async throws {
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(1, with: "\"heartRate\"", on: .output)
    }

    private func records(_ box: BluetoothBox) throws -> [String] {
        try box.home.folder.permissions().keys.filter { $0.hasPrefix(Self.files) }
    }

    func testLinkOfAKilledGateway_isUsedAndEndedByTheNextOne() async throws {
        let box = try await killedGateway()
        XCTAssertEqual(try records(box), [Self.files + BluetoothBox.ada])
        await box.bluez.wait { !$0.isNotifying(of: BluetoothBox.ada) }
        let second = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        try await beat(box, second)

        try await box.end(second)

        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertFalse(isConnected)
        XCTAssertEqual(try records(box), [])
    }

    func testLinkOfAKilledGateway_thatAnotherProgramUses_staysUp() async throws {
        let box = try await killedGateway()
        await box.bluez.wait { !$0.isNotifying(of: BluetoothBox.ada) }
        let other = try box.home.start("inspect", BluetoothBox.ada)
        try await other.waitForLines(with: "waiting for notifications", on: .error)
        let second = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada, count: 3)
        try await beat(box, second)

        try await box.end(second)

        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertTrue(isConnected)
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await other.waitForLines(with: "  2a37  ", on: .output)
        await other.send(SIGINT)
        _ = try await other.waitForEnd()
    }

    func testLinkOfAKilledGateway_toADeviceThatIsNotReadAnyMore_isEnded() async throws {
        let box = try await killedGateway()
        await box.bluez.wait { !$0.isNotifying(of: BluetoothBox.ada) }
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.bob)"] }"#)
        let second = try box.home.start("run")

        await box.bluez.waitForCall("Disconnect")

        try await box.end(second)
        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertFalse(isConnected)
        XCTAssertEqual(try records(box), [])
    }
}
