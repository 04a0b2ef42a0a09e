import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// What `pulsegate doctor` finds about serial ports.
final class DoctorPortTests: XCTestCase {
    func testPort_thatIsMissing_isOneFinding_withAndWithoutAGateway() async throws {
        let home = try Home.withoutBus()
        try home.configurePedometer("/dev/ttyPulsegate9")
        let before = try await home.examine()
        XCTAssertEqual(before.problems, ["port-missing"])
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "no such port", on: .error)
        let running = try await home.examine()
        XCTAssertEqual(running.problems, ["port-missing"])
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testPort_thatAnotherProgramHasOpen_isFound() async throws {
        let home = try Home.withoutBus()
        let port = try PseudoTerminal()
        try home.configurePedometer(port.slavePath)
        let descriptor = open(port.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let report = try await home.examine()
        XCTAssertEqual(report.command(of: "port-busy"), "kill \(getpid())")
    }

    func testPort_thatTheGatewayReceivesFrom_isNoProblem_whenAnotherProgramHasItToo() async throws {
        let home = try Home.withoutBus()
        let port = try PseudoTerminal()
        try home.configurePedometer(
            port.slavePath, sinks: #"store: "sqlite", lines: "stdout""#)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...3 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await gateway.waitForLines(with: "\"stepCount\"", on: .output)
        let descriptor = open(port.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw XCTSkip("only root opens a port that is in use") }
        defer { close(descriptor) }
        let report = try await home.examine()
        XCTAssertTrue(report.kinds.contains("port-busy"), report.outcome.output)
        XCTAssertEqual(report.problems, [], report.outcome.output)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testUSBPort_withoutUdevRules_isFound() async throws {
        let home = try Home.withoutBus()
        guard FileManager.default.fileExists(atPath: "/usr/lib/udev/rules.d") else {
            throw XCTSkip("needs udev")
        }
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { vendor: "10c4", product: "ea60" },
                protocol: { use: "lines", preset: "steps" } } } }
            """)
        let missing = try await home.examine()
        XCTAssertEqual(missing.problems, ["port-missing"])
        let present = try await home.examine(prefix: try MockedPort.words([MockedPort()], in: home))
        XCTAssertTrue(present.kinds.contains("udev-rules-missing"), present.outcome.output)
        XCTAssertTrue(missing.outcome.output.contains("no port matches"), missing.outcome.output)
        XCTAssertFalse(present.outcome.output.contains("no port matches"), present.outcome.output)
    }
}
