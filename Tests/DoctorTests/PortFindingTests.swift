import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

@testable import Doctor

/// Findings about serial ports, their groups and who uses them.
final class PortFindingTests: XCTestCase {
    private func configure(_ patient: Patient, _ path: String) throws {
        try patient.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(path)" },
              protocol: { use: "lines", preset: "steps" } } } }
            """)
    }

    func testPort_thatIsMissing_isFound_untilItIsThere() async throws {
        let patient = try Patient()
        try configure(patient, "/dev/ttyPulsegate9")
        let finding = try await patient.finding(.portMissing)
        XCTAssertEqual(finding?.text, "/dev/ttyPulsegate9: no such port")
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        let report = try await patient.report()
        XCTAssertFalse(report.findings.contains { $0.kind == .portMissing })
        XCTAssertTrue(
            report.well.contains("port \(port.slavePath): this user may open it"))
        port.close()
    }

    func testPort_thatIsAFile_isFound() async throws {
        let patient = try Patient()
        try configure(patient, try patient.folder.write([], to: "file"))
        let finding = try await patient.finding(.portUnusable)
        XCTAssertTrue(finding?.text.hasSuffix("not a serial port") == true)
    }

    func testPort_thatAnotherProgramHasOpen_isFound_untilItEnds() async throws {
        let patient = try Patient()
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        try patient.write("minicom\n", to: "/proc/4242/comm")
        try patient.folder.makeFolder("root/proc/4242/fd")
        let link = patient.folder.path("root/proc/4242/fd/3")
        XCTAssertEqual(symlink(port.slavePath, link), 0)
        let finding = try await patient.finding(.portBusy)
        XCTAssertEqual(
            finding?.text,
            "\(port.slavePath): another program is using the port (process 4242, minicom)")
        XCTAssertEqual(finding?.fix.command, "kill 4242")

        try patient.write("ModemManager\n", to: "/proc/4242/comm")
        let modem = try await patient.finding(.portBusy)
        XCTAssertEqual(modem?.fix.command, "sudo systemctl disable --now ModemManager")

        unlink(link)
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.portBusy))
        port.close()
    }

    func testPort_thatAnotherUserHasLocked_isFound() async throws {
        let patient = try Patient()
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        let locks = try await lines(ofLocksOn: port)
        try patient.write(locks, to: "/proc/locks")
        try patient.write("reader\n", to: "/proc/31337/comm")
        let finding = try await patient.finding(.portBusy)
        XCTAssertTrue(finding?.text.hasSuffix("(process 31337, reader)") == true)
        port.close()
    }

    /// The kernel's line of a lock on a port, with the number of another process.
    private func lines(ofLocksOn port: PseudoTerminal) async throws -> String {
        let descriptor = open(port.slavePath, O_RDWR | O_NOCTTY)
        XCTAssertEqual(flock(descriptor, LOCK_EX | LOCK_NB), 0)
        defer { close(descriptor) }
        let text = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        let own = text.split(separator: "\n").filter { $0.contains(" \(getpid()) ") }
        return own.joined(separator: "\n").replacingOccurrences(
            of: " \(getpid()) ", with: " 31337 ")
    }

    func testPort_thatMinicomHasNoted_isFound() async throws {
        let patient = try Patient()
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        let name = port.slavePath.split(separator: "/").last ?? ""
        try patient.write("      4243\n", to: "/run/lock/LCK..\(name)")
        var kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.portBusy), "the program has ended")
        try patient.write("minicom\n", to: "/proc/4243/comm")
        kinds = try await patient.kinds()
        XCTAssertTrue(kinds.contains(.portBusy))
        port.close()
    }

    private func findings(_ change: (inout PortFacts.Port) -> Void) -> [Finding] {
        var port = PortFacts.Port(name: "/dev/ttyUSB0")
        change(&port)
        return PortFacts(ports: [port]).findings
    }

    func testPort_thatThisUserMayNotOpen_isFoundWithTheGroup() {
        let denied = SerialError.permissionDenied(path: "/dev/ttyUSB0", group: "dialout")
        let finding = findings { $0.problem = denied }.first
        XCTAssertEqual(finding?.kind, .portDenied)
        XCTAssertEqual(finding?.fix.text, "sudo usermod -aG dialout $USER  # then log in again")
        let late = findings {
            $0.problem = denied
            $0.inactiveGroup = "dialout"
        }.first
        XCTAssertEqual(late?.kind, .groupNotActive)
        XCTAssertEqual(late?.fix.command, "exec newgrp dialout")
    }

    func testRules_thatAreMissing_areFoundForUSBPorts() {
        var facts = PortFacts(ports: [PortFacts.Port(name: "/dev/ttyUSB0")], hasRules: false)
        XCTAssertEqual(facts.findings, [])
        facts.ports[0].isUSB = true
        XCTAssertEqual(facts.findings.map(\.kind), [.udevRulesMissing])
        facts.hasRules = true
        XCTAssertEqual(facts.findings, [])
    }
}
