import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import Serial
import XCTest

/// Plugins that do what they must not do: each is contained and reported, and the device beside it
/// loses nothing.
final class WrongPluginTests: XCTestCase {
    /// A gateway with a wrong plugin and a pedometer.
    private struct Trial {
        let home: Home
        let foot: PseudoTerminal
        let wrong: [PseudoTerminal]
        let gateway: RunningCommand

        /// Starts the gateway and waits for the pedometer.
        init(protocols: [String] = [], sources: String = "", sinks: String = "") async throws {
            var home = try Home()
            home.commandName = "pulsegate-wrong-plugins"
            foot = try PseudoTerminal()
            wrong = try protocols.map { _ in try PseudoTerminal() }
            var ports = ""
            for (index, port) in wrong.enumerated() {
                ports += """
                    wrong\(index): { use: "serial", port: { path: "\(port.slavePath)" },
                      protocol: "\(protocols[index])" },

                    """
            }
            try home.configure(
                """
                { sources: { \(ports) \(sources)
                    foot: { use: "serial", port: { path: "\(foot.slavePath)" },
                      protocol: { use: "lines", preset: "steps" } } },
                  sinks: { \(sinks) store: "sqlite", lines: "stdout" } }
                """)
            self.home = home
            gateway = try home.start("run")
            try await gateway.waitForLines(with: "foot: connected", on: .error)
        }

        /// Writes to the wrong devices and walks, and checks that the gateway works.
        func exercise() async throws {
            try await gateway.waitForLines(1 + wrong.count, with: ": connected", on: .error)
            for step in 0..<WrongPluginTests.steps {
                try foot.write(Array("Steps: \(100 + step)\r\n".utf8))
                if step % 4 == 0 { for port in wrong { try port.write([7, 8, 9]) } }
                await gateway.letRun(seconds: 0.02)
            }
            try await gateway.waitForLines(with: #""type":"stepCount""#, on: .output)
            try await waitForSteps()
        }

        private func waitForSteps() async throws {
            for _ in 0..<100 {
                let walked = await gateway.lines(of: .output, with: #""source":{"name":"foot""#)
                    .filter { $0.contains("stepCount") }
                    .compactMap { $0.split(separator: #""value":"#).last?.prefix { $0.isNumber } }
                    .reduce(0) { $0 + (Int($1) ?? 0) }
                if walked == WrongPluginTests.steps - 1 { return }
                await gateway.letRun(seconds: 0.1)
            }
            let log = await gateway.text(of: .error)
            XCTFail("the pedometer lost steps: \(log)")
        }

        /// Asks for the status; returns it with the seconds that it took.
        func status() async throws -> (text: String, seconds: Double) {
            let start = SystemClock().now()
            let outcome = try await home.run("status", "--json")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            return (outcome.output, SystemClock().now().seconds(since: start))
        }

        /// Stops the gateway, and checks the ledger; returns the log.
        func end(within seconds: Double = 5) async throws -> String {
            await gateway.send(SIGTERM)
            let ending = try await gateway.waitForEnd(within: seconds)
            let log = await gateway.text(of: .error)
            XCTAssertEqual(ending, .exited(0), log)
            let ledger = try home.ledger()
            XCTAssertEqual(ledger.imbalances, [], log)
            return log
        }
    }

    private static let steps = 20

    /// Tries a wrong adapter and expects a message once.
    private func tryAdapter(
        _ name: String, saying expected: String, count: Int = 1, file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let trial = try await Trial(protocols: [name])
        try await trial.exercise()
        let status = try await trial.status()
        XCTAssertLessThan(status.seconds, 5, name, file: file, line: line)
        let log = try await trial.end()
        let blames = log.split(separator: "\n").filter { $0.contains(expected) }
        XCTAssertEqual(blames.count, count, "\(name): \(log)", file: file, line: line)
        let hasDevice = blames.allSatisfy { $0.contains(trial.wrong[0].slavePath) }
        XCTAssertTrue(hasDevice, "\(name): \(log)", file: file, line: line)
    }

    func testWrongReadings_areReportedOnce_withDeviceTypeAndReason() async throws {
        let cases = [
            ("wrongUnit", "type=heartRate reason=wrongUnit"),
            ("percentAs97", "type=oxygenSaturation reason=implausible"),
            ("negativeTotal", "type=stepCount reason=implausible"),
            ("totalNotANumber", "type=stepCount reason=notFinite"),
            ("infiniteTotal", "type=stepCount reason=notFinite"),
            ("stepsAtOneMoment", "type=stepCount reason=wrongKind"),
            ("rateAsTotal", "type=heartRate reason=wrongKind"),
            ("nextYears", "type=bodyTemperature reason=outOfTime"),
            ("endOfTime", "type=bodyTemperature reason=outOfTime"),
            ("nineteenSeventy", "type=bodyTemperature reason=outOfTime"),
            ("sameMeasurement", "type=bodyTemperature reason=duplicate"),
            ("foreignType", "type=heartRate reason=foreignType"),
            ("unknownType", "type=skinGlow reason=unknownType"),
            ("battery97", "type=battery reason=implausible"),
            ("beatsWithoutTime", "type=rrInterval reason=implausible"),
        ]
        for (name, reason) in cases {
            // Once when it is first seen, once with its count at the end.
            try await tryAdapter(name, saying: reason, count: 2)
        }
    }

    func testFloods_areLimited() async throws {
        try await tryAdapter(
            "twoMillionReadings", saying: "type=battery reason=flood", count: 2)
        try await tryAdapter("twoMillionBeats", saying: "type=rrInterval reason=flood", count: 2)
        try await tryAdapter("twoMillionDrops", saying: "reason=damaged", count: 2)
        try await tryAdapter("hugeAnswer", saying: "reason=flood", count: 2)
        try await tryAdapter("timerAtZero", saying: "reason=flood", count: 2)
        try await tryAdapter("tenThousandTypes", saying: "type=own1 reason=unknownType", count: 2)
    }

    func testHugeName_isCut() async throws {
        let trial = try await Trial(protocols: ["hugeName"])
        try await trial.exercise()
        let status = try await trial.status()
        XCTAssertLessThan(status.text.utf8.count, 10_000)
        _ = try await trial.end()
    }

    func testEndlessCalls_cutOffTheirSourceOnly() async throws {
        for name in ["spins", "blocks"] {
            let trial = try await Trial(protocols: [name])
            try await trial.exercise()
            try await trial.gateway.waitForLines(with: "does not return", on: .error)
            let status = try await trial.status()
            XCTAssertTrue(status.text.contains("has not returned for"), status.text)
            XCTAssertTrue(status.text.contains(trial.wrong[0].slavePath), status.text)
            _ = try await trial.end()
        }
    }

    func testEndlessCalls_ofFourAdapters_leaveThePedometerAlone() async throws {
        let trial = try await Trial(protocols: ["blocks", "spins", "blocks", "blocks"])
        try await trial.exercise()
        try await trial.gateway.waitForLines(4, with: "does not return", on: .error)
        let status = try await trial.status()
        XCTAssertLessThan(status.seconds, 5)
        _ = try await trial.end()
    }

    func testACallThatReturnsLate_isReportedAgain() async throws {
        let trial = try await Trial(protocols: ["blocksForThreeSeconds"])
        try trial.wrong[0].write([1])
        try await trial.gateway.waitForLines(with: "does not return", on: .error)
        try await trial.gateway.waitForLines(with: "the adapter has returned", on: .error)
        let status = try await trial.status()
        XCTAssertFalse(status.text.contains("has not returned for"), status.text)
        _ = try await trial.end()
    }

    func testWrongSinks_delayNoOtherSink() async throws {
        for sink in ["neverEnds", "throws", "spins"] {
            let trial = try await Trial(sinks: #"wrong: "\#(sink)", other: "\#(sink)","#)
            try await trial.exercise()
            let status = try await trial.status()
            XCTAssertLessThan(status.seconds, 5, sink)
            let log = try await trial.end()
            XCTAssertLessThan(log.utf8.count, 20_000, sink)
            XCTAssertLessThan(status.text.utf8.count, 20_000, sink)
        }
    }

    func testWrongSources_delayNoOtherSource() async throws {
        for source in ["ends", "blocking"] {
            let trial = try await Trial(sources: #"bad: "\#(source)", worse: "\#(source)","#)
            try await trial.exercise()
            _ = try await trial.status()
            _ = try await trial.end()
        }
    }
}
