import XCTest

@testable import GatewayCore
@testable import GatewayTesting
@testable import Platform
@testable import Readings

final class SystemClockTests: XCTestCase {
    private let clock = SystemClock()

    private func after(_ seconds: Double) -> BootInstant {
        clock.now().adding(nanoseconds: Int64(seconds * 1e9))
    }

    func testSleep_lastsUntilTheMomentAndNotMuchLonger() async throws {
        let moment = after(0.02)

        try await clock.sleep(until: moment)

        XCTAssertGreaterThanOrEqual(clock.now(), moment)
        XCTAssertLessThan(clock.now().seconds(since: moment), 10)
    }

    func testSleep_untilAMomentThatHasPassed_returns() async throws {
        try await clock.sleep(until: clock.now())
        try await clock.sleep(until: BootInstant(nanoseconds: 0))
        try await clock.sleep(until: BootInstant(nanoseconds: .min))
        try await clock.sleep(seconds: -1)
    }

    func testSleepers_wakeInTheOrderOfTheirMoments() async throws {
        let start = after(0.01)
        let delays = (0..<50).map { Int64($0 * 7 % 50) }
        let (wakes, wake) = AsyncStream.makeStream(of: BootInstant.self)
        let clock = clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            for delay in delays {
                let moment = start.adding(nanoseconds: delay * 1_000_000)
                group.addTask {
                    try await clock.sleep(until: moment)
                    XCTAssertGreaterThanOrEqual(clock.now(), moment)
                    wake.yield(moment)
                }
            }
            try await group.waitForAll()
        }
        wake.finish()
        var moments: Set<BootInstant> = []
        for await moment in wakes { moments.insert(moment) }
        XCTAssertEqual(moments.count, 50)
    }

    func testSleep_thatIsSetEarlierThanAnother_wakesFirst() async throws {
        let clock = clock
        let long = Task { try await clock.sleep(seconds: 1_000) }
        for _ in 0..<20 { try await clock.sleep(seconds: 0.001) }

        long.cancel()

        let result = await long.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testSleep_whenCancelledBeforeOrWhile_throwsImmediately() async {
        let clock = clock
        for _ in 0..<200 {
            let task = Task { try await clock.sleep(seconds: 1_000) }
            task.cancel()
            let result = await task.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
    }

    func testSleep_whenOthersAreCancelled_isNotDisturbed() async throws {
        let clock = clock
        let moment = after(0.05)
        let sleeper = Task {
            try await clock.sleep(until: moment)
            return clock.now()
        }
        for _ in 0..<100 {
            let other = Task { try await clock.sleep(seconds: 0.001) }
            other.cancel()
            _ = await other.result
        }

        let woken = try await sleeper.value
        XCTAssertGreaterThanOrEqual(woken, moment)
    }

    func testThread_endsWithTheClock() async throws {
        // Other clocks have a thread of this name too, the one that waits below among them.
        func count(_ names: [String]) -> Int { names.count { $0 == "timer" } }
        let before = count(try await ThreadNames.wait { _ in true })
        var clocks = (0..<20).map { _ in SystemClock() }
        for clock in clocks { try await clock.sleep(seconds: 0.001) }
        _ = try await ThreadNames.wait { count($0) >= 20 }

        clocks = []

        _ = try await ThreadNames.wait { count($0) <= before + 1 }
    }

    func testEpochAfterAnother_thatIsOver_isThePresentOne() async throws {
        let old = ClockEpoch(number: -1, offsetNanoseconds: 0)
        let epoch = try await clock.epoch(after: old)
        XCTAssertEqual(epoch, clock.epoch())
    }

    func testEpochAfterThePresentOne_waitsUntilItIsCancelled() async throws {
        let clock = clock
        for delay in [0, 0.001, 0.01] {
            let waiting = Task { try await clock.epoch(after: clock.epoch()) }
            try await clock.sleep(seconds: delay)
            waiting.cancel()
            let result = await waiting.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
    }

    func testStepWatch_thatWasEndedBefore_doesNotWait() async throws {
        let watch = try XCTUnwrap(ClockStepWatch())
        let waiting = Task {
            while !Task.isCancelled { await Task.yield() }
            try await watch.wait()
        }
        waiting.cancel()
        let result = await waiting.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }
}
