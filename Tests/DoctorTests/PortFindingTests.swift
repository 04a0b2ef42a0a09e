import Foundation
import GatewayHost
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
        XCTAssertEqual(finding?.fix.text, "kill 4242  # ends the program minicom")

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
        XCTAssertEqual(finding?.fix.text, "end the program reader (process 31337)")
        XCTAssertNil(finding?.fix.command, "it was not seen at the port")
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

    /// Every user can write a lock file, with the number of a process that others need.
    func testLockFile_isAdvice_andRecommendsToEndNoProcess() async throws {
        let patient = try Patient()
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        let file = "/run/lock/LCK..\(port.slavePath.split(separator: "/").last ?? "")"
        for process in [1, 4243] {
            try patient.write("      \(process)\n", to: file)
            let kinds = try await patient.kinds()
            XCTAssertFalse(kinds.contains(.portBusy), "no such process runs")
            try patient.write("minicom\n", to: "/proc/\(process)/comm")
            let finding = try await patient.finding(.portBusy)
            XCTAssertEqual(
                finding?.text, "\(port.slavePath): a lock file names the port: \(file)")
            XCTAssertEqual(finding?.severity, .advice)
            XCTAssertNil(finding?.fix.command)
            XCTAssertFalse(finding?.fix.text.contains("kill") == true)
        }
        port.close()
    }

    func testLockFile_thatIsNoRegularFile_isNotRead() async throws {
        let patient = try Patient()
        let port = try PseudoTerminal()
        try configure(patient, port.slavePath)
        try patient.write("minicom\n", to: "/proc/4243/comm")
        try patient.write("4243\n", to: "/run/lock/other")
        let name = port.slavePath.split(separator: "/").last ?? ""
        let file = patient.folder.path("root/run/lock/LCK..\(name)")
        XCTAssertEqual(symlink(patient.folder.path("root/run/lock/other"), file), 0)
        var kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.portBusy))
        unlink(file)
        XCTAssertEqual(mkfifo(file, 0o666), 0)
        kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.portBusy))
        port.close()
    }

    private func findings(_ change: (inout PortFacts.Port) -> Void) -> [Finding] {
        var port = PortFacts.Port(name: "/dev/ttyUSB0")
        change(&port)
        return PortFacts(ports: [port]).findings
    }

    func testProgram_isNeverKilled_whenItIsTheFirst_orHasNoName() {
        for (holder, text) in [
            (PortFacts.Holder(process: 1, name: "init"), "end the program init (process 1)"),
            (PortFacts.Holder(process: 7, name: nil), "end the program (process 7)"),
        ] {
            XCTAssertEqual(findings { $0.holder = holder }.first?.fix, Fix(instruction: text))
        }
    }

    func testProgram_besideTheGatewayThatReceives_isAdvice() throws {
        let found = findings {
            $0.holder = PortFacts.Holder(process: 7, name: "cat")
            $0.isLive = true
        }
        XCTAssertEqual(found.map(\.severity), [.advice])
        XCTAssertEqual(
            found.first?.text,
            "/dev/ttyUSB0: another program has the port open too (process 7, cat)")
        var gateway = GatewayFacts()
        let json = #"""
            {"devices":[{"device":"a","source":"foot","link":"live"},
            {"device":"b","source":"hand","link":"backOff"}]}
            """#
        gateway.state = .running(try StatusReport(line: Array(json.utf8)))
        XCTAssertEqual(gateway.liveSources, ["foot"])
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
