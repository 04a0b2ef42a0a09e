import Foundation
import GatewayCore
import GatewayTesting
import JSON
import Platform
import Synchronization
import XCTest

@testable import Alerts

final class AlertsTests: XCTestCase {
    /// A gateway whose only strap has a battery, in percent.
    private final class ScriptedGateway: GatewayRequests {
        let charge = Mutex(100)

        func answer(
            _ request: [UInt8], on channel: any ResponseChannel
        ) async -> (any ResponseStream)? {
            let charge = Double(charge.withLock { $0 }) / 100
            let status = #"{"devices":[{"device":"D0","battery":\#(charge)}]}"#
            channel.send(
                Array((request == StatusQuestion.status ? status : #"{"workouts":[]}"#).utf8))
            return nil
        }
    }

    /// The service with a clock, a log and a gateway of the test.
    private final class Fixture: Sendable {
        let folder: TemporaryFolder
        let clock = ManualClock()
        let gateway = ScriptedGateway()
        private let records = Mutex<[Logger.Record]>([])
        private let reports: AsyncStream<String?>
        private let report: AsyncStream<String?>.Continuation

        init() throws {
            folder = try TemporaryFolder()
            (reports, report) = AsyncStream.makeStream()
        }

        /// What the log has.
        var logged: [Logger.Record] { records.withLock { $0 } }
        /// Waits for what the service reports next.
        func nextReport() async -> String? {
            for await problem in reports { return problem }
            return "no report"
        }

        func alerts(_ settings: String) throws -> any Service {
            let context = ComponentContext(
                name: "alerts", clock: clock,
                log: Logger(component: "alerts") { record in
                    self.records.withLock { $0.append(record) }
                }, dataDirectory: folder.path)
            let node = try ConfigurationNode(json5: settings)
            return try Alerts.factory.make(node.object(keys: Alerts.factory.keys), context)
        }

        /// Runs the service until the body has ended.
        func run(_ settings: String, _ body: () async throws -> Void) async throws {
            let service = try alerts(settings)
            let access = ServiceAccess(
                live: LiveLane(), requests: gateway,
                report: { self.report.yield($0) })
            let run = Task { try await service.run(access) }
            try await body()
            run.cancel()
            do {
                try await run.value
                XCTFail("it ended")
            } catch is CancellationError {}
        }

        /// Lets the next look find a charge, after the one before is over.
        func look(charge: Int) async {
            await clock.waitForSleepers(1)
            gateway.charge.withLock { $0 = charge }
            clock.advance(seconds: 30)
        }
    }

    func testWithoutAProgram_alertsAreInTheLog() async throws {
        let fixture = try Fixture()
        try await fixture.run("{}") {
            await fixture.look(charge: 8)
            await fixture.look(charge: 7)
            await fixture.look(charge: 80)
            await fixture.clock.waitForSleepers(1)
            XCTAssertEqual(
                fixture.logged.map(\.message),
                [
                    "alert: the battery of D0 is at 8 %",
                    "alert is over: the battery is charged, replaced, or not reported any more",
                ])
        }
        let first = try XCTUnwrap(fixture.logged.first)
        XCTAssertEqual(first.level, .warning)
        XCTAssertEqual(
            first.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
            ["id=battery-low:D0", "state=raised"])
    }

    func testProgram_getsEachAlert_onItsInputAndInItsEnvironment() async throws {
        let fixture = try Fixture()
        let script = "cat >> got; echo \"$PULSEGATE_ALERT_ID $PULSEGATE_ALERT_STATE\" >> got"
        try await fixture.run(#"{ command: ["/bin/sh", "-c", '\#(script)'] }"#) {
            for charge in [8, 80] {
                await fixture.look(charge: charge)
                let problem = await fixture.nextReport()
                XCTAssertNil(problem)
            }
        }
        let got = try String(contentsOfFile: fixture.folder.path("got"), encoding: .utf8)
        let lines = got.split(separator: "\n")
        XCTAssertEqual(lines.count, 4)
        XCTAssertTrue(lines[0].hasPrefix(#"{"id":"battery-low:D0","kind":"battery-low","#), got)
        XCTAssertEqual(lines[1], "battery-low:D0 raised")
        XCTAssertEqual(lines[3], "battery-low:D0 cleared")
    }

    func testProgram_thatFails_orIsMissing_isAProblem_untilItWorks() async throws {
        let fixture = try Fixture()
        let script = "test $PULSEGATE_ALERT_STATE = cleared || exit 3"
        try await fixture.run(#"{ command: ["/bin/sh", "-c", "\#(script)"] }"#) {
            for (charge, expected) in [(8, "`/bin/sh` exited with status 3"), (80, nil)] {
                await fixture.look(charge: charge)
                let problem = await fixture.nextReport()
                XCTAssertEqual(problem, expected)
            }
        }
        fixture.gateway.charge.withLock { $0 = 100 }
        try await fixture.run(#"{ command: ["/nonexistent/program"] }"#) {
            await fixture.look(charge: 8)
            let text = await fixture.nextReport() ?? ""
            XCTAssertTrue(text.hasPrefix("cannot start `/nonexistent/program`"), text)
        }
    }

    func testProgram_thatDoesNotEnd_isEnded_andTheServiceGoesOn() async throws {
        let fixture = try Fixture()
        fixture.gateway.charge.withLock { $0 = 8 }
        let script = "trap \"\" TERM; while :; do sleep 1; done"
        try await fixture.run(#"{ command: ["/bin/sh", "-c", '\#(script)'] }"#) {
            // Time passes while somebody waits for it: for the program's end, and for that by a signal.
            let time = Task {
                while !Task.isCancelled {
                    await fixture.clock.waitForSleepers(1)
                    fixture.clock.advance(seconds: 1)
                }
            }
            let problem = await fixture.nextReport()
            time.cancel()
            XCTAssertEqual(problem, "`/bin/sh` did not end within 30 s")
        }
    }

    func testSettings_thatAreWrong_areRefused() throws {
        let fixture = try Fixture()
        for (settings, problem) in [
            ("{ command: [] }", "must be a list of 1 to 64 strings"),
            ("{ command: [1] }", "expected a string, found a number"),
            ("{ batteryBelow: 2 }", "must be from 0 to 1"),
            ("{ failingFor: \"0s\" }", "failingFor"), ("{ every: \"2h\" }", "every"),
        ] {
            XCTAssertThrowsError(try fixture.alerts(settings), settings) {
                XCTAssertTrue("\($0)".contains(problem), "\($0)")
            }
        }
    }

    func testDescription_isThatOfTheSample() throws {
        XCTAssertEqual(
            PluginDescriptionConformance.findings(services: [Alerts.factory]), [])
    }
}
