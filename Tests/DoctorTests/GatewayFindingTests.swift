import GatewayCore
import GatewayHost
import Serial
import XCTest

@testable import Doctor

/// Findings from the status of a running gateway.
final class GatewayFindingTests: XCTestCase {
    private func findings(_ json: String) throws -> [Finding] {
        var facts = Facts()
        facts.gateway.state = .running(try StatusReport(line: Array(json.utf8)))
        return Doctor.judge(facts)
    }

    private func kinds(_ json: String) throws -> [Finding.Kind] {
        try findings(json).map(\.kind)
    }

    private let address = "D0:11:22:33:44:55"

    private func device(_ link: String, _ reason: String) -> String {
        #"{"devices":[{"device":"\#(address)","source":"s","link":"\#(link)","reason":"\#(reason)"}]}"#
    }

    func testDevices_haveTheFindingOfTheirLink() throws {
        XCTAssertEqual(
            try kinds(device("backOff", "needs pairing: pulsegate pair \(address)")),
            [.pairingNeeded])
        let lost = try findings(
            device(
                "backOff",
                "needs pairing again: bluetoothctl remove \(address), then pulsegate pair \(address)"
            ))
        XCTAssertEqual(lost.map(\.kind), [.pairingLost])
        XCTAssertEqual(
            lost.first?.fix.command,
            "bluetoothctl remove \(address); pulsegate pair \(address)")
        XCTAssertEqual(
            try kinds(device("quarantined", Quarantine.reason(for: address))), [.deviceQuarantined])
        let waiting = try findings(device("wanted", "not seen yet"))
        XCTAssertEqual(waiting.map(\.kind), [.deviceNotConnected])
        XCTAssertEqual(waiting.map(\.severity), [.advice])
        XCTAssertEqual(try kinds(device("live", "")), [])
    }

    private func part(_ section: String, _ reason: String?) -> String {
        let state = reason.map { #""healthy":false,"reason":"\#($0)""# } ?? #""healthy":true"#
        return #"{"\#(section)":[{"name":"x",\#(state)}]}"#
    }

    func testParts_thatFail_areFound_andThoseThatDoNotAreNot() throws {
        for (section, kind) in [
            ("sources", Finding.Kind.sourceFailing), ("sinks", .sinkFailing),
            ("services", .interfaceFailing),
        ] {
            let found = try findings(part(section, "it broke; repair it"))
            XCTAssertEqual(found.map(\.kind), [kind])
            XCTAssertEqual(found.first?.text, "it broke")
            XCTAssertEqual(found.first?.fix.text, "repair it")
            XCTAssertEqual(try kinds(part(section, nil)), [])
        }
    }

    func testAdapterWithoutAFreeConnection_isFound() throws {
        let reason =
            "Bluetooth adapter hci0 is full with 8 links; devices that wait: 2; "
            + "add a Bluetooth adapter, or read fewer devices"
        let found = try findings(part("sources", reason))
        XCTAssertEqual(found.map(\.kind), [.adapterFull])
        XCTAssertEqual(found.first?.fix.text, "add a Bluetooth adapter, or read fewer devices")
    }

    func testPortDenied_toAGatewayThatIsOlderThanTheMembership_isFixedByARestart() throws {
        let error = SerialError.permissionDenied(path: "/dev/ttyUSB0", group: "dialout")
        var facts = GatewayFacts()
        let json = part("sources", "\(error)")
        facts.state = .running(try StatusReport(line: Array(json.utf8)))
        facts.restart = Fix(command: "sudo systemctl restart user@1000.service")
        facts.groups = ["audio"]
        XCTAssertEqual(facts.findings.map(\.kind), [.sourceFailing])
        facts.groups = ["audio", "dialout"]
        XCTAssertEqual(facts.findings.map(\.kind), [.groupNotActive])
        XCTAssertEqual(
            facts.findings.first?.text,
            "/dev/ttyUSB0: permission denied; this user is in the group dialout, but the gateway was started before that"
        )
        XCTAssertEqual(
            facts.findings.first?.fix.command, "sudo systemctl restart user@1000.service")
    }

    func testJournal_thatFails_isFound() throws {
        XCTAssertEqual(
            try kinds(#"{"journal":{"healthy":false,"reason":"no space","diskFull":true}}"#),
            [.diskFull])
        XCTAssertEqual(
            try kinds(#"{"journal":{"healthy":false,"reason":"I/O error","diskFull":false}}"#),
            [.journalFailing])
        XCTAssertEqual(
            try kinds(#"{"journal":{"healthy":true,"damage":"a segment is damaged"}}"#),
            [.journalDamaged])
        XCTAssertEqual(try kinds(#"{"journal":{"healthy":true}}"#), [])
    }

    func testSource_whoseReasonHasAFindingOfItsOwn_isNotRepeated() throws {
        var facts = Facts()
        let error = SerialError.noSuchPort(path: "/dev/ttyUSB0")
        facts.ports = PortFacts(ports: [PortFacts.Port(name: "/dev/ttyUSB0", problem: error)])
        let json = part("sources", "\(error)")
        facts.gateway.state = .running(try StatusReport(line: Array(json.utf8)))
        XCTAssertEqual(Doctor.judge(facts).map(\.kind), [.portMissing])
    }

    func testGateways_thatCannotBeAsked_areFound() {
        var facts = GatewayFacts()
        facts.state = .silent(reason: "it did not answer within 5 seconds", process: 7)
        XCTAssertEqual(facts.findings.map(\.kind), [.gatewaySilent])
        facts.state = .forbidden(group: "pulsegate")
        XCTAssertEqual(facts.findings.map(\.kind), [.notInGroup])
        XCTAssertEqual(
            facts.findings.first?.fix.command, "sudo usermod -aG pulsegate $USER")
        facts.state = .stopped
        XCTAssertEqual(facts.findings.map(\.kind), [.gatewayNotRunning])
    }
}
