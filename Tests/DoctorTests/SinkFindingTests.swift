import GatewayTesting
import HTTPTesting
import Synchronization
import Terminal
import XCTest

@testable import Doctor

/// Findings about the server of a repository, which really answers.
final class SinkFindingTests: XCTestCase {
    private func configure(_ patient: Patient, _ url: String, more: String = "") throws {
        try patient.configure(
            """
            { sinks: { store: "sqlite", repository: { use: "http", url: "\(url)",
              token: { secret: "t" } \(more) } } }
            """)
        try patient.makeDataDirectory()
        try patient.folder.makeFolder("home/.local/share/pulsegate/secrets")
        try patient.store("s3cret-token", as: "secrets/t")
    }

    func testRepository_thatRejectsTheToken_isFound_untilItIsRight() async throws {
        let isRight = Mutex(false)
        let server = try ScriptedHTTPServer { _, request in
            isRight.withLock { $0 } ? .answer() : .answer(ScriptedAnswer(status: 401))
        }
        let patient = try Patient()
        try configure(patient, server.url("/v1/samples"))
        let report = try await patient.report()
        let finding = report.findings.first { $0.kind == .repositoryRejecting }
        XCTAssertTrue(finding?.text.contains("status 401") == true)
        XCTAssertEqual(finding?.subject, "repository")
        XCTAssertFalse(report.json.contains("s3cret"), report.json)
        XCTAssertFalse(report.text(.plain).contains("s3cret"))
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(request["Authorization"], "Bearer s3cret-token")
        XCTAssertEqual(
            String(decoding: request.body, as: UTF8.self), #"{"v":1,"samples":[],"events":[]}"#)

        isRight.withLock { $0 = true }
        let after = try await patient.report()
        XCTAssertFalse(after.findings.contains { $0.subject == "repository" })
        XCTAssertTrue(
            after.well.contains("sink repository: its server accepts the login and records"))
    }

    func testRepository_thatRejectsAnEmptyBatch_isWell() async throws {
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: 422)) }
        let patient = try Patient()
        for format in ["json", "ndjson", "influx", "fhir"] {
            try configure(patient, server.url(), more: #", format: "\#(format)""#)
            let report = try await patient.report()
            let found = report.findings.filter { $0.subject == "repository" }
            XCTAssertEqual(found, [], format)
            // Perhaps the server rejects everything.
            XCTAssertEqual(
                report.well.filter { $0.hasPrefix("sink repository") },
                [
                    "sink repository: its server answers; whether it accepts records is seen at "
                        + "the first one"
                ], format)
        }
    }

    func testSink_thatFailsInTheRunningGateway_isNotWell() {
        for outcome in [
            SinkFacts.Outcome.accepts, .answers, .intact(path: "/health.sqlite", exists: true),
        ] {
            var sink = SinkFacts(name: "x", outcome: outcome)
            XCTAssertEqual(sink.well.count, 1)
            sink.isFailing = true
            XCTAssertEqual(sink.well, [])
        }
    }

    func testRepository_thatHasMoved_orIsBusy_isFound() async throws {
        let patient = try Patient()
        for (status, kind) in [
            (404, Finding.Kind.repositoryRejecting), (301, .repositoryRejecting),
            (503, .repositoryUnreachable),
        ] {
            let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: status)) }
            try configure(patient, server.url())
            let finding = try await patient.finding(kind)
            XCTAssertTrue(finding?.text.contains("status \(status)") == true, "\(status)")
        }
    }

    func testRepository_thatIsNotThere_isFound() async throws {
        let patient = try Patient()
        let port = try LocalPort.free()
        try configure(patient, "http://127.0.0.1:\(port)/")
        let finding = try await patient.finding(.repositoryUnreachable)
        XCTAssertTrue(finding?.text.contains("Couldn't connect") == true, finding?.text ?? "")
    }

    func testRepository_thatDoesNotAnswer_isFoundInTime() async throws {
        let server = try ScriptedHTTPServer { _, _ in .silence }
        let patient = try Patient()
        try configure(patient, server.url())
        let finding = try await patient.finding(.repositoryUnreachable)
        XCTAssertEqual(
            finding?.text, "the server of the sink repository has not answered within 6 s")
    }
}
