import Foundation
import GatewayTesting
import XCTest

/// What `pulsegate doctor --json` reports.
struct DoctorReport {
    var outcome: Home.Outcome
    var findings: [[String: Any]]

    var kinds: [String] { findings.compactMap { $0["id"] as? String } }
    var problems: [String] {
        findings.filter { $0["severity"] as? String == "problem" }.compactMap {
            $0["id"] as? String
        }
    }

    func command(of kind: String) -> String? {
        findings.first { $0["id"] as? String == kind }?["command"] as? String
    }
}

extension Home {
    /// A home whose system bus does not exist, whatever the machine has.
    static func withoutBus() throws -> Home {
        var home = try Home()
        home.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(home.folder.path("no-bus"))"
        return home
    }

    /// Runs `pulsegate doctor --json`.
    func examine(prefix: [String] = []) async throws -> DoctorReport {
        let outcome = try await run("doctor", "--json", prefix: prefix)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let fields = try XCTUnwrap(object as? [String: Any], outcome.output + outcome.error)
        let report = DoctorReport(
            outcome: outcome,
            findings: try XCTUnwrap(fields["findings"] as? [[String: Any]]))
        XCTAssertEqual(fields["dataFlows"] as? Bool, report.problems.isEmpty)
        return report
    }

    /// A pedometer at a port, and sinks.
    func configurePedometer(_ path: String, sinks: String = #"store: "sqlite""#) throws {
        try configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(path)" },
                protocol: { use: "lines", preset: "steps" } } }, sinks: { \(sinks) } }
            """)
    }
}
