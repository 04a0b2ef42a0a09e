import GatewayTesting
import Glibc
import XCTest

/// `pulsegate top` at a terminal, beside a simulated gateway.
final class TopTests: XCTestCase {
    func testTerminal_showsRates_sorts_andOutlivesTheGateway() async throws {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        let pane = try await TerminalPane(
            home, columns: 100, rows: 24, environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"])
        try await pane.run("pulsegate top --simulate --every 0.2")
        try await pane.wait(for: "the rates") { screen in
            // That of a device that is live, and that of all.
            screen.contains { $0.contains(/live .* \d[\d.]* +[\d.]+ s ago/) }
                && screen[0].contains("records/s")
        }
        try await pane.type("s")
        _ = try await pane.waitForText("s sort (rate)")
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 10)
        _ = try await pane.waitForText("last status: the gateway does not answer")
        let next = try home.start("run", "--simulate")
        try await next.waitForLines(with: "heartRate", on: .output)
        try await pane.wait(for: "the next gateway") { screen in
            screen[0].hasPrefix("pulsegate") && !screen[1].contains("does not answer")
        }
        try await pane.type("q")
        _ = try await pane.waitForPrompt()
        await next.send(SIGTERM)
        _ = try await next.waitForEnd(within: 10)
    }

    func testPipe_andWrongArguments_andNoGateway() async throws {
        let home = try Home()
        let none = try await home.run("top")
        XCTAssertEqual(none.ending, .exited(69), none.error)
        let wrong = try await home.run("top", "--every", "0")
        XCTAssertEqual(wrong.ending, .exited(64), wrong.error)
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        let pipe = try await home.run("top", "--simulate")
        XCTAssertEqual(pipe.ending, .exited(64))
        XCTAssertTrue(pipe.error.contains("`pulsegate status --json`"), pipe.error)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 10)
    }
}
