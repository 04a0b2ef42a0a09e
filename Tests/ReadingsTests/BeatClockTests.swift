import XCTest

@testable import Platform
@testable import Readings

final class BeatClockTests: XCTestCase {
    private func at(_ milliseconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(milliseconds * 1e6))
    }

    private func beats(_ ticks: [UInt32]) -> BeatsReading {
        BeatsReading(ticks: ticks, perSecond: 1000)
    }

    private func numbered(_ ticks: [UInt32], beat: UInt32, time: UInt32) -> BeatsReading {
        BeatsReading(
            ticks: ticks, perSecond: 1000,
            history: BeatsReading.History(
                newestBeat: beat, beatModulus: 256, newestTime: time, timeModulus: 65_536))
    }

    func testTake_firstPacketIsOnlyAnAnchor() {
        var clock = BeatClock()
        XCTAssertEqual(clock.intervals(from: beats([800, 810]), at: at(10_000)), [])
    }

    func testTake_intervalsChainFromTheAnchor() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        let intervals = clock.intervals(from: beats([500, 600]), at: at(11_200))
        XCTAssertEqual(intervals.map(\.start), [at(10_000), at(10_500)])
        XCTAssertEqual(intervals.map(\.end), [at(10_500), at(11_100)])
        XCTAssertEqual(intervals.map(\.milliseconds), [500, 600])
    }

    func testTake_noBeatIsLaterThanItsReceipt_theAnchorMovesBack() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        let intervals = clock.intervals(from: beats([900]), at: at(10_700))
        XCTAssertEqual(intervals.map(\.end), [at(10_700)])
        XCTAssertEqual(intervals.map(\.start), [at(9_800)])
        XCTAssertEqual(intervals.map(\.milliseconds), [900])
        let next = clock.intervals(from: beats([900]), at: at(11_650))
        XCTAssertEqual(next.map(\.start), [at(10_700)])
    }

    func testTake_beatsThatLagBeginANewChain() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        let intervals = clock.intervals(from: beats([800, 850]), at: at(20_000))
        XCTAssertEqual(intervals.map(\.end), [at(19_150), at(20_000)])
        XCTAssertEqual(intervals.map(\.start), [at(18_350), at(19_150)])
    }

    func testTake_intervalsThatAreNotUsable_passTheirTime() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        let doubtful = BeatsReading(
            ticks: [500, 600, 700, 400], perSecond: 1000, unusable: [1, 3])
        let intervals = clock.intervals(from: doubtful, at: at(12_300))
        XCTAssertEqual(intervals.map(\.start), [at(10_000), at(11_100)])
        XCTAssertEqual(intervals.map(\.end), [at(10_500), at(11_800)])
        XCTAssertEqual(intervals.map(\.beat), [0, 2])
        let next = clock.intervals(from: beats([600]), at: at(12_900))
        XCTAssertEqual(next.map(\.start), [at(12_200)])
    }

    func testTake_packetsWithoutIntervalsChangeNothing() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        XCTAssertEqual(clock.intervals(from: beats([]), at: at(10_500)), [])
        XCTAssertEqual(
            clock.intervals(from: beats([900]), at: at(11_000)).map(\.start), [at(10_000)])
    }

    func testRestart_theNextPacketIsAnAnchorAgain() {
        var clock = BeatClock()
        _ = clock.intervals(from: beats([800]), at: at(10_000))
        clock.restart()
        XCTAssertEqual(clock.intervals(from: beats([800]), at: at(11_000)), [])
    }

    func testTake_ticksOf1024thsOfASecond() {
        var clock = BeatClock()
        _ = clock.intervals(from: BeatsReading(ticks: [1041], perSecond: 1024), at: at(10_000))
        let intervals = clock.intervals(
            from: BeatsReading(ticks: [1013], perSecond: 1024), at: at(12_000))
        XCTAssertEqual(intervals[0].milliseconds, 989.257_812_5)
    }

    func testTake_numberedBeats_onlyTheNewOnes() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700, 800], beat: 254, time: 65_185), at: at(10_000))
        let intervals = clock.intervals(
            from:
                numbered([800, 748, 780], beat: 0, time: 1_177), at: at(11_600))
        XCTAssertEqual(intervals.map(\.milliseconds), [748, 780])
        XCTAssertEqual(intervals.map(\.beat), [255, 0])
        XCTAssertEqual(intervals.map(\.end), [at(10_748), at(11_528)])
    }

    func testTake_numberedBeats_theSamePacketAgainIsNothingNew() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700], beat: 7, time: 5_000), at: at(10_000))
        XCTAssertEqual(
            clock.intervals(from: numbered([700], beat: 7, time: 5_000), at: at(11_000)), [])
    }

    func testTake_numberedBeats_moreThanTheHistoryHolds_begin() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700], beat: 7, time: 5_000), at: at(10_000))
        XCTAssertEqual(
            clock.intervals(from: numbered([700, 700], beat: 10, time: 7_100), at: at(12_100)), [])
        let next = clock.intervals(
            from: numbered([700, 700], beat: 11, time: 7_800), at: at(12_800))
        XCTAssertEqual(next.map(\.milliseconds), [700])
    }

    func testTake_numberedBeats_thatDoNotFitTheirTimes_begin() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700, 700], beat: 7, time: 5_000), at: at(10_000))
        // The device was restarted: number and time are new.
        XCTAssertEqual(
            clock.intervals(from: numbered([650, 640], beat: 8, time: 900), at: at(11_000)), [])
    }

    func testTake_numberedBeats_afterTheTimeMayHaveGoneRound_begin() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700, 700], beat: 7, time: 5_000), at: at(10_000))
        XCTAssertEqual(
            clock.intervals(from: numbered([700, 700], beat: 8, time: 5_700), at: at(76_200)), [])
    }

    func testTake_numberedBeats_afterAMinuteOfPacketsWithoutABeat_begin() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700, 700], beat: 7, time: 5_000), at: at(10_000))
        for second in 1...70 {
            let packet = numbered([700, 700], beat: 7, time: 5_000)
            XCTAssertEqual(
                clock.intervals(from: packet, at: at(10_000 + Double(second) * 1_000)), [])
        }
        // The device's time has rolled over: 66,300 ms are 764 ms on its clock.
        XCTAssertEqual(
            clock.intervals(from: numbered([700, 764], beat: 8, time: 5_764), at: at(80_500)), [])
        let next = clock.intervals(
            from: numbered([764, 800], beat: 9, time: 6_564), at: at(81_500))
        XCTAssertEqual(next.map(\.end), [at(81_300)])
    }

    func testTake_numberedBeats_lagDoesNotBeginANewChain() {
        var clock = BeatClock()
        _ = clock.intervals(from: numbered([700, 700], beat: 7, time: 5_000), at: at(10_000))
        let late = clock.intervals(
            from: numbered([700, 700], beat: 8, time: 5_700), at: at(15_000))
        XCTAssertEqual(late.map(\.end), [at(10_700)])
    }

    func testTake_hostileNumbers_neverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let extremes: [UInt32] = [0, 1, 10, 255, 256, 65_535, 65_536, .max - 1, .max]
        func number() -> UInt32 { extremes[Int(random.next() % 9)] }
        print("seed \(seed)")
        var clock = BeatClock()
        for _ in 0..<20_000 {
            let history = BeatsReading.History(
                newestBeat: number(), beatModulus: number(), newestTime: number(),
                timeModulus: number())
            let reading = BeatsReading(
                ticks: (0..<random.next() % 4).map { _ in number() }, perSecond: Double(number()),
                history: random.next() % 4 == 0 ? nil : history)
            let receipt = random.next() % 50 == 0 ? .max : Int64(random.next() % 1_000_000_000_000)
            for interval in clock.intervals(from: reading, at: BootInstant(nanoseconds: receipt)) {
                XCTAssertLessThanOrEqual(interval.start, interval.end)
                XCTAssertLessThanOrEqual(interval.end, BootInstant(nanoseconds: receipt))
            }
        }
        XCTAssertEqual(
            clock.intervals(from: BeatsReading(ticks: [.max], perSecond: .nan), at: at(1)), [])
        _ = clock.intervals(from: BeatsReading(ticks: [.max], perSecond: 1e-300), at: at(1))
    }
}
