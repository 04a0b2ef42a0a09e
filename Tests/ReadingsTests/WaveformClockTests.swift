import HealthModel
import XCTest

@testable import Platform
@testable import Readings

final class WaveformClockTests: XCTestCase {
    private func at(_ milliseconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(milliseconds * 1e6))
    }

    /// Ten values at 100 a second: 100 ms.
    private func reading(_ deviceMilliseconds: Double?, count: Int = 10) -> WaveformReading {
        WaveformReading(
            .electrocardiogramVoltage, values: [Double](repeating: 0, count: count),
            unit: .microvolt, perSecond: 100,
            deviceTime: deviceMilliseconds.map { UInt64($0 * 1e6) })
    }

    func testFirstReading_isDatedByItsReceipt() {
        var clock = WaveformClock()
        let times = clock.times(of: reading(5_000), at: at(10_000))
        XCTAssertEqual(times.newest, at(10_000))
        XCTAssertEqual(times.time(back: 9), at(9_910))
    }

    func testLaterReadings_areDatedByTheDevice_notByTheirReceipt() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        // The device is a little slower than it says, and the time follows a late receipt by 0.01 %.
        let times = clock.times(of: reading(5_101), at: at(10_180))
        XCTAssertEqual(times.newest, at(10_101.0101))
        XCTAssertEqual(times.interval, 10_101_010)
        XCTAssertEqual(clock.times(of: reading(5_202), at: at(10_202.0101)).newest, at(10_202.0101))
    }

    func testDeviceWithoutATime_isDatedByTheNumberOfValues() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(nil), at: at(10_000))
        XCTAssertEqual(clock.times(of: reading(nil), at: at(10_100)).newest, at(10_100))
        XCTAssertEqual(clock.times(of: reading(nil, count: 5), at: at(10_150)).newest, at(10_150))
    }

    /// The first reading was late by 40 ms.
    func testAnchor_movesBackSlowly_andNoValueIsBeforeAnEarlierOne() {
        var clock = WaveformClock()
        var newest = clock.times(of: reading(5_000), at: at(10_040)).newest
        var lags: [Double] = []
        for number in 1...10 {
            let receipt = at(10_000 + Double(number) * 100)
            let times = clock.times(of: reading(5_000 + Double(number) * 100), at: receipt)
            XCTAssertGreaterThan(times.time(back: 9), newest)
            newest = times.newest
            lags.append(receipt.seconds(since: newest))
        }
        XCTAssertEqual(lags.prefix(3).map { ($0 * 1e3).rounded() }, [-35, -30, -25])
        XCTAssertEqual(lags.suffix(3), [0, 0, 0])
    }

    /// Nothing for a minute, and then everything at once.
    func testReadings_thatWereHeldBack_keepTheirTimes() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        for number in 1...600 {
            let times = clock.times(of: reading(5_000 + Double(number) * 100), at: at(70_010))
            let error = times.newest.seconds(since: at(10_000 + Double(number) * 100))
            XCTAssertLessThanOrEqual(error.magnitude, 0.006)
        }
    }

    /// The first one was held back too, so the anchor is wrong; the order is right all the same.
    func testReadings_thatLead_areInOrder_andAtMostThreeSecondsAhead() {
        for hasTime in [true, false] {
            var clock = WaveformClock()
            var newest = clock.times(of: reading(hasTime ? 5_000 : nil), at: at(10_000)).newest
            for number in 1...100 {
                let time = hasTime ? 5_000 + Double(number) * 100 : nil
                let times = clock.times(of: reading(time), at: at(10_000))
                XCTAssertGreaterThan(times.time(back: 9), newest)
                newest = times.newest
            }
            XCTAssertEqual(newest.seconds(since: at(10_000)), 3, accuracy: 0.000_002)
        }
    }

    func testGap_isKept() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        let times = clock.times(of: reading(5_300), at: at(10_300))
        XCTAssertEqual(times.newest, at(10_300))
        XCTAssertEqual(times.interval, 10_000_000)
    }

    func testClockThatWasSet_andALoss_beginAnew() {
        for time in [4_000.0, 5_000, 9_000_000] {
            var clock = WaveformClock()
            _ = clock.times(of: reading(5_000), at: at(10_000))
            XCTAssertEqual(clock.times(of: reading(time), at: at(10_100)).newest, at(10_100))
        }
        var clock = WaveformClock()
        _ = clock.times(of: reading(nil), at: at(10_000))
        XCTAssertEqual(clock.times(of: reading(nil), at: at(14_000)).newest, at(14_000))
    }

    func testRestart_beginsAnew_afterTheEarlierValues() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        clock.restart()
        XCTAssertEqual(clock.times(of: reading(5_100), at: at(10_150)).newest, at(10_150))
        clock.restart()
        let times = clock.times(of: reading(5_200), at: at(10_160))
        XCTAssertEqual(times.newest, at(10_160))
        XCTAssertGreaterThan(times.time(back: 9), at(10_150))
    }

    func testRandomReceipts_areInOrder() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed: \(seed)")
        var state = seed
        func random(_ bound: UInt64) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double((state >> 33) % bound)
        }
        for _ in 0..<100 {
            var clock = WaveformClock()
            var (receipt, newest) = (100_000.0, BootInstant(nanoseconds: 0))
            for _ in 0..<100 {
                receipt += random(3) * random(5_000)
                if random(20) == 0 { clock.restart() }
                let times = clock.times(
                    of: reading(random(2) == 0 ? nil : random(1_000_000)), at: at(receipt))
                XCTAssertGreaterThan(times.time(back: 9), newest)
                newest = times.newest
            }
        }
    }

    func testOddRates_doNotTrap() {
        for rate in [WaveformReading.rates.lowerBound, 1, WaveformReading.rates.upperBound] {
            var clock = WaveformClock()
            for time in [0, 1, UInt64.max] {
                let waveform = WaveformReading(
                    .electrocardiogramVoltage, values: [1, 2, 3], unit: .microvolt, perSecond: rate,
                    deviceTime: time)
                let times = clock.times(of: waveform, at: at(10_000))
                XCTAssertLessThan(times.time(back: 2), times.newest)
            }
        }
    }
}
