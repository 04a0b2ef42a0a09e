import GatewayTesting
import Glibc
import HTTPTesting
import Serial
import XCTest

/// What `pulsegate doctor` finds about a sink whose server rejects what it gets.
final class DoctorRepositoryTests: XCTestCase {
    func testRepository_thatRejectsEveryRecord_isNotWell_whileTheGatewayRuns() async throws {
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: 422)) }
        let home = try Home.withoutBus()
        let port = try PseudoTerminal()
        try home.configurePedometer(
            port.slavePath, sinks: #"repository: { use: "http", url: "\#(server.url())" }"#)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...3 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await gateway.waitForLines(with: "none accepted since the start", on: .error)
        let report = try await home.examine()
        XCTAssertTrue(report.problems.contains("sink-failing"), report.outcome.output)
        XCTAssertFalse(report.outcome.output.contains("sink repository: "), report.outcome.output)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testRepository_thatRejectsTheToken_isOneFinding_whileTheGatewayRuns() async throws {
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: 401)) }
        let home = try Home.withoutBus()
        let port = try PseudoTerminal()
        let sink =
            #"repository: { use: "http", url: "\#(server.url())", token: { env: "TOKEN" } }"#
        try home.configurePedometer(port.slavePath, sinks: sink)
        var own = home
        own.environment["TOKEN"] = "s3cret"
        let gateway = try own.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...3 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await gateway.waitForLines(with: "status 401", on: .error)
        let report = try await own.examine()
        XCTAssertTrue(report.problems.contains("repository-rejecting"), report.outcome.output)
        XCTAssertFalse(report.problems.contains("sink-failing"), report.outcome.output)
        XCTAssertFalse(report.outcome.output.contains("s3cret"))
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }
}
