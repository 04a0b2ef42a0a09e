import BluetoothTesting
import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// Straps that require encryption, with the gateway's agent and with `pulsegate pair`.
final class PairTests: XCTestCase {
    private let address = BluetoothBox.ada

    private func makeBox(_ security: FakeSecurity) async throws -> BluetoothBox {
        let box = try await BluetoothBox()
        var strap = FakeStrap(address: address).device
        strap.behaviour.security = security
        await box.bluez.appear(strap)
        return box
    }

    /// Lets the strap measure until a heart rate is printed.
    private func beat(_ box: BluetoothBox, _ gateway: RunningCommand) async throws {
        await box.bluez.wait { [address] in $0.isNotifying(of: address) }
        await box.bluez.notify(address, SteadyHeart.beat)
        try await gateway.waitForLines(with: "\"heartRate\"", on: .output)
    }

    func testAdoptedStrap_isPairedByTheGateway() async throws {
        let box = try await makeBox(FakeSecurity(.justWorks))
        try box.configure(#"{ use: "bluetooth", devices: ["\#(address)"] }"#)
        let gateway = try box.home.start("run")
        try await beat(box, gateway)

        let isPaired = await box.bluez.isPaired(address)
        XCTAssertTrue(isPaired)
        let connects = await box.bluez.calls(of: "Connect").count
        XCTAssertEqual(connects, 1)
        try await box.end(gateway)
    }

    /// bluetoothd loses the subscription while the link is being encrypted.
    func testAdoptedStrap_whoseSubscriptionIsLost_isConnectedAgain() async throws {
        var security = FakeSecurity(.justWorks)
        security.losesRequest = true
        let box = try await makeBox(security)
        try box.configure(#"{ use: "bluetooth", devices: ["\#(address)"] }"#)
        let gateway = try box.home.start("run")
        try await beat(box, gateway)

        let connects = await box.bluez.calls(of: "Connect").count
        XCTAssertEqual(connects, 2)
        try await box.end(gateway)
    }

    func testUnknownStrap_isNotPairedByTheGateway_butByTheCommand() async throws {
        let box = try await makeBox(FakeSecurity(.justWorks))
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        let gateway = try box.home.start("run")
        let reason = "needs pairing: pulsegate pair \(address)"
        try await gateway.waitForLines(with: reason, on: .error)
        await box.bluez.wait { [address] in !$0.isConnected(address) }

        let status = try await box.home.run("status")
        XCTAssertTrue(status.output.contains("\(reason)\n"), status.output)
        let pair = try await box.home.run("pair", address)
        XCTAssertEqual(pair.ending, .exited(0), pair.error)
        XCTAssertEqual(pair.output, "paired \(address): Strap 1\n")
        try await beat(box, gateway)

        try await box.end(gateway)
        let events = try await box.home.events()
        XCTAssertTrue(events.contains { $0.reason == reason })
        let warnings = await gateway.lines(of: .error, with: "sends nothing without pairing")
        XCTAssertEqual(warnings.count, 1)
    }

    func testPair_asJSON_andAgain() async throws {
        let box = try await makeBox(FakeSecurity(.justWorks))
        for isNew in [true, false] {
            let outcome = try await box.home.run("pair", address, "--json")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(
                outcome.output,
                #"{"address":"\#(address)","name":"Strap 1","new":\#(isNew),"paired":true}"# + "\n")
        }
        let isConnected = await box.bluez.isConnected(address)
        XCTAssertFalse(isConnected)
        let again = try await box.home.run("pair", address)
        XCTAssertEqual(again.output, "\(address) is already paired: Strap 1\n")
    }

    func testPair_ofAStrapThatIsNotThere_endsInTime() async throws {
        let box = try await BluetoothBox()
        let outcome = try await box.home.run("pair", address, "--timeout", "1")

        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(outcome.output, "")
        XCTAssertTrue(
            outcome.error.contains("pulsegate: \(address) was not seen within 1 seconds; switch"),
            outcome.error)
    }

    func testPair_ofAStrapThatRefuses_namesTheReason() async throws {
        let box = try await makeBox(FakeSecurity(.refused))
        let outcome = try await box.home.run("pair", address)

        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(
            outcome.error.contains("\(address) was not paired: authentication failed"),
            outcome.error)
    }

    func testPair_atATerminal_asksForThePasskey() async throws {
        let box = try await makeBox(FakeSecurity(.showsPasskey(42_123)))
        let pane = try await TerminalPane(box.home, columns: 80, rows: 20)
        try await pane.run("pulsegate pair \(address)")
        _ = try await pane.waitForText("passkey that the device")
        try await pane.type("042123")
        try await pane.press("Enter")
        let screen = try await pane.waitForText("paired \(address): Strap 1")

        XCTAssertTrue(
            screen.contains("passkey that the device shows (6 digits): 042123"), "\(screen)")
    }

    func testPair_interrupted_endsTheLink() async throws {
        let box = try await makeBox(FakeSecurity(.showsPasskey(42_123)))
        let pane = try await TerminalPane(box.home, columns: 80, rows: 20)
        try await pane.run("pulsegate pair \(address); echo status $?")
        _ = try await pane.waitForText("passkey that the device")
        try await pane.press("C-c")
        _ = try await pane.waitForText("status 1")

        let isConnected = await box.bluez.isConnected(address)
        XCTAssertFalse(isConnected)
    }
}
