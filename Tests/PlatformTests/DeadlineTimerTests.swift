import GatewayTesting
import XCTest

@testable import Platform

final class DeadlineTimerTests: XCTestCase {
    private let clock = SleepCountingClock()
    private let alarm = DeadlineTimer()
    private let (wakes, wake) = AsyncStream.makeStream(of: BootInstant.self)

    private func start() -> Task<Void, Never> {
        Task { [alarm, clock, wake] in
            await alarm.run(on: clock) { wake.yield(clock.now()) }
            wake.finish()
        }
    }

    private func later(_ seconds: Double) -> BootInstant { clock.now().adding(seconds: seconds) }

    func testMoment_thatComes_wakesOnce() async {
        let running = start()
        var wakes = wakes.makeAsyncIterator()
        let moment = later(5)
        alarm.set(moment)
        await clock.waitForSleepers(until: 5)

        clock.advance(seconds: 5)
        let first = await wakes.next(isolation: nil)
        alarm.end()
        let second = await wakes.next(isolation: nil)

        XCTAssertEqual(first, moment)
        XCTAssertNil(second)
        await running.value
    }

    func testEarlierMoment_takesThePlaceOfTheLater() async {
        let running = start()
        var wakes = wakes.makeAsyncIterator()
        let moment = later(5)
        alarm.set(later(20))
        await clock.waitForSleepers(until: 20)
        alarm.set(moment)
        // The sleep for the later deadline was cancelled.
        await clock.waitForSleepers(until: 5)

        clock.advance(seconds: 5)
        let first = await wakes.next(isolation: nil)

        XCTAssertEqual(first, moment)
        running.cancel()
        await running.value
    }

    func testMuchLaterMoment_endsTheEarlierSleep() async {
        let running = start()
        var wakes = wakes.makeAsyncIterator()
        alarm.set(later(5))
        await clock.waitForSleepers(until: 5)
        let moment = later(65)
        alarm.set(moment)
        await clock.waitForSleepers(until: 65)

        clock.advance(seconds: 5)
        clock.advance(seconds: 60)
        let first = await wakes.next(isolation: nil)

        XCTAssertEqual(first, moment)
        running.cancel()
        await running.value
    }

    func testLittleLaterMoments_leaveTheSleepAsItIs() async {
        let running = start()
        var wakes = wakes.makeAsyncIterator()
        let moment = later(10)
        alarm.set(moment)
        await clock.waitForSleepers(until: 10)

        for second in 1...9 { alarm.set(later(10 + Double(second))) }
        clock.advance(seconds: 10)
        let first = await wakes.next(isolation: nil)

        XCTAssertEqual(first, moment)
        XCTAssertEqual(clock.startedCount, 1)
        running.cancel()
        await running.value
    }

    func testNoMoment_endsTheSleep() async {
        let running = start()
        alarm.set(later(5))
        await clock.waitForSleepers(until: 5)

        alarm.set(nil)
        await clock.waitForSleepers()

        alarm.set(later(6))
        await clock.waitForSleepers(until: 6)
        XCTAssertEqual(clock.startedCount, 2)
        running.cancel()
        await running.value
    }

    func testCancellation_endsIt() async {
        let running = start()
        alarm.set(later(5))
        await clock.waitForSleepers(until: 5)

        running.cancel()
        await running.value

        await clock.waitForSleepers()
    }

    func testMomentThatHasPassed_wakesImmediately_everyTime() async {
        let running = start()
        var wakes = wakes.makeAsyncIterator()
        let passed = later(-5)
        for _ in 0..<3 {
            alarm.set(passed)
            let woken = await wakes.next(isolation: nil)
            XCTAssertNotNil(woken)
        }
        alarm.end()
        await running.value
    }
}
