import GatewayTesting
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
        // The device is a little slower than it says.
        let times = clock.times(of: reading(5_101), at: at(10_180))
        XCTAssertEqual(times.newest, at(10_101))
        XCTAssertEqual(times.interval, 10_100_000)
        XCTAssertEqual(clock.times(of: reading(5_202), at: at(10_203)).newest, at(10_202))
    }

    func testDeviceWithoutATime_isDatedByTheNumberOfValues() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(nil), at: at(10_000))
        XCTAssertEqual(clock.times(of: reading(nil), at: at(10_170)).newest, at(10_100))
        XCTAssertEqual(clock.times(of: reading(nil, count: 5), at: at(10_190)).newest, at(10_150))
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

    /// Nothing for nine seconds, and then everything at once.
    func testReadings_thatWereHeldBack_keepTheirTimes() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        for number in 1...90 {
            let times = clock.times(of: reading(5_000 + Double(number) * 100), at: at(19_010))
            XCTAssertEqual(times.newest, at(10_000 + Double(number) * 100))
        }
    }

    func testGap_isKept() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        let times = clock.times(of: reading(5_300), at: at(10_310))
        XCTAssertEqual(times.newest, at(10_300))
        XCTAssertEqual(times.interval, 10_000_000)
    }

    func testClockThatWasSet_andALag_beginAnew() {
        for (time, receipt) in [(4_000.0, 10_100.0), (5_000, 10_100), (9_000_000, 10_100)] {
            var clock = WaveformClock()
            _ = clock.times(of: reading(5_000), at: at(10_000))
            XCTAssertEqual(clock.times(of: reading(time), at: at(receipt)).newest, at(receipt))
        }
        var clock = WaveformClock()
        _ = clock.times(of: reading(nil), at: at(10_000))
        XCTAssertEqual(clock.times(of: reading(nil), at: at(14_000)).newest, at(14_000))
    }

    func testRestart_beginsAnew() {
        var clock = WaveformClock()
        _ = clock.times(of: reading(5_000), at: at(10_000))
        clock.restart()
        XCTAssertEqual(clock.times(of: reading(5_100), at: at(10_150)).newest, at(10_150))
    }

    func testOddRates_doNotTrap() {
        for rate in [Double.leastNonzeroMagnitude, 1e-9, 1e300, .greatestFiniteMagnitude] {
            var clock = WaveformClock()
            for time in [0, 1, UInt64.max] {
                let waveform = WaveformReading(
                    .electrocardiogramVoltage, values: [1, 2, 3], unit: .microvolt, perSecond: rate,
                    deviceTime: time)
                let times = clock.times(of: waveform, at: at(10_000))
                XCTAssertLessThanOrEqual(times.time(back: 2), times.newest)
            }
        }
    }
}
