import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// The watchdog of the service: it reports progress, and keeps silent when a loop does not answer.
final class ServiceWatchdogTests: XCTestCase {
    /// The time that the service manager allows, in microseconds.
    private static let interval = "2000000"

    private struct Trial {
        let receiver: NotifyReceiver
        let foot: PseudoTerminal
        let wrong: PseudoTerminal
        let home: Home

        /// Makes a gateway with a pedometer and an adapter that does not return.
        init() throws {
            receiver = try NotifyReceiver()
            foot = try PseudoTerminal()
            wrong = try PseudoTerminal()
            var home = try Home()
            home.commandName = "pulsegate-wrong-plugins"
            home.environment["NOTIFY_SOCKET"] = receiver.path
            home.environment["WATCHDOG_USEC"] = ServiceWatchdogTests.interval
            // A backtrace of a debug build takes many seconds.
            home.environment["SWIFT_BACKTRACE"] = "enable=no"
            try home.configure(
                """
                { sources: {
                    wrong: { use: "serial", port: { path: "\(wrong.slavePath)" }, protocol: "blocks" },
                    foot: { use: "serial", port: { path: "\(foot.slavePath)" },
                      protocol: { use: "lines", preset: "steps" } } },
                  sinks: { store: "sqlite", lines: "stdout" } }
                """)
            self.home = home
        }

        /// Lets the ports be opened again after a gateway that was killed.
        func clearExclusiveUse() {
            foot.clearExclusiveUse()
            wrong.clearExclusiveUse()
        }

        /// Starts the gateway and waits until it reports progress with both ports open.
        func start() async throws -> RunningCommand {
            let gateway = try home.start("run")
            try await gateway.waitForLines(2, with: ": connected", on: .error)
            for _ in 0..<3 { XCTAssertNotNil(receiver.next(with: "WATCHDOG=1")) }
            return gateway
        }

        /// Lets the adapter hang until it is noted, and ends the gateway as systemd does.
        func hang(_ gateway: RunningCommand) async throws {
            try wrong.write([1])
            try await gateway.waitForLines(with: "watchdog: no answer", on: .error)
            _ = receiver.waiting()
            await gateway.letRun(seconds: 2.5)
            XCTAssertEqual(receiver.waiting().filter { $0.contains("WATCHDOG") }, [])
            await gateway.send(SIGABRT)
            let ending = try await gateway.waitForEnd(within: 20)
            XCTAssertEqual(ending, .killed(bySignal: SIGABRT))
            clearExclusiveUse()
        }
    }

    func testHungAdapter_endsTheProgress_isNoted_andGoesToQuarantineTheSecondTime() async throws {
        let trial = try Trial()
        let first = try await trial.start()
        try trial.foot.write(Array("Steps: 100\r\nSteps: 107\r\n".utf8))
        try await first.waitForLines(with: #""type":"stepCount""#, on: .output)
        try await trial.hang(first)
        let log = await first.text(of: .error)
        let report =
            "loops=\"source wrong\" device=\(trial.wrong.slavePath) seconds="
        XCTAssertTrue(log.contains(report), log)

        let second = try await trial.start()
        let known = "watchdog: the last run ended while it did not answer \(report)"
        try await second.waitForLines(with: known, on: .error)
        let query = try await trial.home.run("query", "stepCount")
        XCTAssertTrue(query.output.contains("7"), query.output)
        try await trial.hang(second)

        let third = try trial.home.start("run")
        try await third.waitForLines(
            with: "in quarantine device=\(trial.wrong.slavePath)", on: .error)
        XCTAssertNotNil(trial.receiver.next(with: "WATCHDOG=1"))
        await third.send(SIGTERM)
        let ending = try await third.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }

    func testStopOfAHungGateway_leavesNoNote() async throws {
        let trial = try Trial()
        let gateway = try await trial.start()
        try trial.wrong.write([1])
        try await gateway.waitForLines(with: "watchdog: no answer", on: .error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let path = "\(trial.home.dataDirectory)/hang.json"
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testStoppedProcess_reportsProgressAgain_andNoHang() async throws {
        let trial = try Trial()
        let gateway = try await trial.start()
        await gateway.send(SIGSTOP)
        await gateway.letRun(seconds: 3)
        _ = trial.receiver.waiting()
        await gateway.send(SIGCONT)
        for _ in 0..<3 { XCTAssertNotNil(trial.receiver.next(with: "WATCHDOG=1")) }
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("no answer"), log)
        await gateway.send(SIGTERM)
        try await gateway.waitForEnd()
    }
}
