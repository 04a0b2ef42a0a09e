import Foundation
import GatewayTesting
import XCTest

/// The interface is as its OpenAPI document says, also for requests that a program makes up.
final class InterfaceDescriptionTests: XCTestCase {
    /// Every phase and check of schemathesis, with the same requests in each run.
    func testEveryAnswer_isDescribed() async throws {
        let words = ["python3", "-m", "schemathesis.cli"]
        let web = try await WebGateway()
        // A request may be right for the schema and wrong for the gateway, such as an unknown person.
        let settings = """
            [checks.positive_data_acceptance]
            expected-statuses = ["2xx", "400", "401", "403", "404", "409", "503"]
            """
        try web.home.folder.write(Array(settings.utf8), to: "schemathesis.toml")
        let script = """
            cd '\(web.home.folder.path)'
            \(words.joined(separator: " ")) --version > /dev/null 2>&1 || exit 77
            exec \(words.joined(separator: " ")) --config-file schemathesis.toml \\
                run 'http://127.0.0.1:\(web.port)/v1/openapi.json' --checks all \\
                --generation-deterministic --max-examples 12 --request-timeout 2 \\
                --continue-on-failure --no-color
            """
        let run = try RunningCommand(
            ["/bin/sh", "-c", script], in: web.home.folder,
            environment: ProcessInfo.processInfo.environment, output: .pipe)
        let ending = try await run.waitForEnd(within: 300)
        guard ending != .exited(77) else {
            throw XCTSkip("schemathesis is missing; pip install schemathesis")
        }
        let report = await run.text(of: .output)
        let error = await run.text(of: .error)
        XCTAssertEqual(ending, .exited(0), report + error)
        XCTAssertTrue(report.contains(/\d\d\d generated, \d\d\d passed/), report)
        XCTAssertFalse(report.contains("❌"), report)
        try await web.assertUnharmed()
        try await web.stop()
    }
}
