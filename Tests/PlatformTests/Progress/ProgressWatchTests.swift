import GatewayTesting
import XCTest

@testable import Platform

/// Tests of the pure part of the watchdog.
final class ProgressWatchTests: XCTestCase {
    private static let second: UInt64 = 1_000_000
    private static let start: UInt64 = 500 * second

    /// A watch of 40 seconds: a round every 20, a report after 15.
    private var watch = ProgressWatch(intervalMicroseconds: 40 * second)

    private func step(_ seconds: Double, isAnswered: Bool) -> ProgressWatch.Step {
        watch.step(
            now: Self.start + UInt64(seconds * Double(Self.second)), isAnswered: isAnswered)
    }

    private var wakeSeconds: Double? {
        watch.wakeTime.map { (Double($0) - Double(Self.start)) / Double(Self.second) }
    }

    func testAnswers_arePassedOn_twiceInEachInterval() {
        for round in 0..<5 {
            let begin = Double(round) * 20
            XCTAssertEqual(step(begin, isAnswered: true), .ask)
            XCTAssertEqual(step(begin + 0.001, isAnswered: false), .wait)
            XCTAssertEqual(step(begin + 0.002, isAnswered: true), .ping(isRecovery: false))
            XCTAssertEqual(step(begin + 0.003, isAnswered: true), .wait)
            XCTAssertEqual(wakeSeconds, begin + 20)
        }
    }

    func testASlowAnswer_isNoHang() {
        XCTAssertEqual(step(0, isAnswered: true), .ask)
        XCTAssertEqual(step(14.9, isAnswered: false), .wait)
        XCTAssertEqual(step(14.95, isAnswered: true), .ping(isRecovery: false))
    }

    func testNoAnswer_isReportedOnce_beforeTheIntervalIsOver_andNeverPinged() {
        XCTAssertEqual(step(0, isAnswered: true), .ask)
        XCTAssertEqual(step(0.1, isAnswered: true), .ping(isRecovery: false))
        XCTAssertEqual(step(20, isAnswered: true), .ask)
        XCTAssertEqual(wakeSeconds, 35)
        XCTAssertEqual(step(35, isAnswered: false), .report(seconds: 15))
        XCTAssertNil(wakeSeconds)
        XCTAssertEqual(step(50, isAnswered: false), .wait)
        XCTAssertEqual(step(5_000, isAnswered: false), .wait)
    }

    func testALateAnswer_isARecovery_andTheNextRoundFollowsAtOnce() {
        XCTAssertEqual(step(0, isAnswered: true), .ask)
        XCTAssertEqual(step(15, isAnswered: false), .report(seconds: 15))
        XCTAssertEqual(step(39, isAnswered: true), .ping(isRecovery: true))
        XCTAssertEqual(step(39, isAnswered: true), .ask)
    }

    func testAProcessThatWasStopped_givesItsLoopsMoreTime() {
        XCTAssertEqual(step(0, isAnswered: true), .ask)
        // The look that was planned for 15 seconds comes at 30: SIGSTOP, or a host without time.
        XCTAssertEqual(step(30, isAnswered: false), .wait)
        XCTAssertEqual(wakeSeconds, 32.5)
        XCTAssertEqual(step(30.1, isAnswered: true), .ping(isRecovery: false))
    }

    func testAHangAfterAStop_isStillReported() {
        XCTAssertEqual(step(0, isAnswered: true), .ask)
        XCTAssertEqual(step(30, isAnswered: false), .wait)
        XCTAssertEqual(step(32.5, isAnswered: false), .report(seconds: 33))
    }

    func testIntervalThatIsTooShort_givesEveryLoopItsTime_andKeepsNoProcessorBusy() {
        var watch = ProgressWatch(intervalMicroseconds: 1)
        XCTAssertEqual(watch.step(now: 0, isAnswered: true), .ask)
        XCTAssertEqual(watch.step(now: 1, isAnswered: true), .ping(isRecovery: false))
        XCTAssertEqual(watch.step(now: 99_999, isAnswered: true), .wait)
        XCTAssertEqual(watch.wakeTime, 100_000)
        XCTAssertEqual(watch.step(now: 100_000, isAnswered: true), .ask)
        XCTAssertEqual(watch.step(now: 3_099_999, isAnswered: false), .wait)
        XCTAssertEqual(watch.step(now: 3_100_000, isAnswered: false), .report(seconds: 3))
    }

    func testShortestInterval_isTheFirstOneWithTheReportInTime() {
        let shortest = ProgressWatch.shortestInterval
        XCTAssertEqual(shortest, 8_000_000)
        var watch = ProgressWatch(intervalMicroseconds: shortest)
        XCTAssertEqual(watch.step(now: 0, isAnswered: true), .ask)
        XCTAssertEqual(watch.step(now: 0, isAnswered: true), .ping(isRecovery: false))
        XCTAssertEqual(watch.wakeTime, shortest / 2)
        XCTAssertEqual(watch.step(now: shortest / 2, isAnswered: true), .ask)
        XCTAssertLessThan(watch.wakeTime ?? .max, shortest)
    }
}
