import Foundation
import GatewayTesting
import XCTest

@testable import Doctor

/// Findings about the unit of systemd, of which the test plays `systemctl show`.
final class ServiceFindingTests: XCTestCase {
    private func findings(
        _ values: [String: String], scope: ServiceFacts.Scope = .system, other: Int? = nil
    ) -> [Finding] {
        let all = ["LoadState": "loaded", "UnitFileState": "enabled", "User": "pulsegate"].merging(
            values
        ) { $1 }
        let output = all.map { "\($0)=\($1)\n" }.joined()
        var facts = ServiceFacts(output, scope: scope, uptimeSeconds: 1_000)
        facts?.otherOwner = other
        return facts?.findings ?? []
    }

    func testUnit_thatRuns_orIsNotInstalled_hasNoFinding() {
        let running = ["ActiveState": "active", "SubState": "running", "NRestarts": "0"]
        XCTAssertEqual(findings(running), [])
        XCTAssertEqual(findings(running.merging(["LoadState": "not-found"]) { $1 }), [])
        // Restarts long ago are no loop.
        let calm = ["NRestarts": "9", "ActiveEnterTimestampMonotonic": "5000000"]
        XCTAssertEqual(findings(running.merging(calm) { $1 }), [])
    }

    func testUnitOfAPackage_thatTheUserDoesNotRun_hasNoFinding() {
        let idle = ["ActiveState": "inactive", "UnitFileState": "disabled"]
        func users(_ folder: String) -> [Finding.Kind] {
            let path = ["FragmentPath": "\(folder)/systemd/user/pulsegate.service"]
            return findings(idle.merging(path) { $1 }, scope: .user).map(\.kind)
        }
        XCTAssertEqual(users("/usr/lib"), [])
        XCTAssertEqual(users("/home/ada/.config"), [.serviceDisabled])
        let system = ["FragmentPath": "/lib/systemd/system/pulsegate.service"]
        XCTAssertEqual(
            findings(idle.merging(system) { $1 }).map(\.kind), [.serviceDisabled])
    }

    func testUnit_thatHasFailed_isFoundWithTheReason() {
        let failed = ["ActiveState": "failed", "SubState": "failed", "Result": "exit-code"]
        let wrong = findings(failed.merging(["ExecMainStatus": "78"]) { $1 })
        XCTAssertEqual(wrong.map(\.kind), [.serviceFailed])
        XCTAssertEqual(
            wrong.first?.text, "pulsegate.service has failed; its configuration is wrong")
        XCTAssertEqual(wrong.first?.fix.command, "sudo -u pulsegate pulsegate check")
        let other = findings(failed.merging(["ExecMainStatus": "1"]) { $1 })
        XCTAssertEqual(
            other.first?.fix.command, "sudo journalctl -u pulsegate -n 30 --no-pager")
        let hung = findings(failed.merging(["Result": "watchdog"]) { $1 })
        XCTAssertTrue(hung.first?.text.contains("watchdog") == true)
    }

    func testUnit_thatRestartsAgainAndAgain_isFound() {
        let waiting = findings([
            "ActiveState": "activating", "SubState": "auto-restart", "NRestarts": "4",
            "ExecMainStatus": "1",
        ])
        XCTAssertEqual(waiting.map(\.kind), [.serviceRestarting])
        let running = findings([
            "ActiveState": "active", "SubState": "running", "NRestarts": "4",
            "ActiveEnterTimestampMonotonic": "990000000",
        ])
        XCTAssertEqual(running.map(\.kind), [.serviceRestarting])
        let locked = findings(
            ["ActiveState": "activating", "SubState": "auto-restart", "NRestarts": "4"], other: 77)
        XCTAssertTrue(
            locked.first?.text.hasSuffix("process 77 uses its data directory") == true)
        XCTAssertEqual(
            locked.first?.fix.command, "sudo kill 77; sudo systemctl restart pulsegate")
    }

    func testUnit_thatIsStopped_orNotEnabled_isFound() {
        let stopped = ["ActiveState": "inactive", "SubState": "dead"]
        XCTAssertEqual(findings(stopped).map(\.kind), [.serviceStopped])
        let disabled = findings(stopped.merging(["UnitFileState": "disabled"]) { $1 })
        XCTAssertEqual(disabled.map(\.kind), [.serviceDisabled])
        let own = findings(stopped, scope: .user)
        XCTAssertEqual(own.first?.fix.command, "systemctl --user start pulsegate")
        let transient = findings(["ActiveState": "active", "UnitFileState": "disabled"])
        XCTAssertEqual(transient.map(\.kind), [.serviceDisabled])
    }

    func testSystemd_isAsked_andTheGatewayIsStartedWithIt() async throws {
        var patient = try Patient()
        try patient.adopt()
        patient.system.run = { words in
            guard words.first == "systemctl", !words.contains("--user") else { return nil }
            return "LoadState=loaded\nActiveState=inactive\nSubState=dead\nUnitFileState=enabled\n"
                + "User=pulsegate\n"
        }
        let kinds = try await patient.kinds()
        XCTAssertTrue(kinds.contains(.serviceStopped))
        // The unit has the finding, and its fix starts the gateway.
        XCTAssertFalse(kinds.contains(.gatewayNotRunning))

        patient.system.run = { _ in nil }
        let without = try await patient.finding(.gatewayNotRunning)
        XCTAssertEqual(without?.fix.command, "pulsegate run")
    }

    func testWithoutSystemd_thereAreFixesWithoutIt() async throws {
        let patient = try Patient()
        try patient.adopt()
        try patient.folder.remove("root/run/systemd/system")
        try patient.write("", to: "/usr/libexec/bluetooth/bluetoothd")
        let finding = try await patient.finding(.systemBusMissing)
        XCTAssertEqual(finding?.fix.command, "sudo service dbus start")
    }

    func testService_whoseDataIsElsewhere_isFound() async throws {
        var patient = try Patient()
        patient.system.run = { words in
            guard words.first == "systemctl", !words.contains("--user") else { return nil }
            return "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\n"
                + "User=pulsegate\nStateDirectory=pulsegate\n"
        }
        let finding = try await patient.finding(.otherDataDirectory)
        XCTAssertEqual(finding?.subject, "/var/lib/pulsegate")
        XCTAssertEqual(
            finding?.fix.command,
            "sudo -u pulsegate env STATE_DIRECTORY=/var/lib/pulsegate pulsegate doctor")
        try patient.adopt()
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.otherDataDirectory))
    }
}
