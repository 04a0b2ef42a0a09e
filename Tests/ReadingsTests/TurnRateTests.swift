import Platform
import XCTest

@testable import Readings

final class TurnRateTests: XCTestCase {
    /// A value of a sensor: count, ticks, and the second of its receipt.
    private typealias Value = (count: UInt32, ticks: UInt16, second: Double)

    private func rates(_ values: [Value], bits: Int = 16) -> [Double?] {
        var rate = TurnRate(ticksPerSecond: 1_024, countBits: bits)
        return values.map { value in
            let receipt = BootInstant(nanoseconds: Int64(value.second * 1e9))
            return rate.add(count: value.count, ticks: value.ticks, at: receipt)
        }
    }

    func testRate_isThatOfTheDevicesClock() {
        // Received late, but a second apart by the clock of the sensor.
        XCTAssertEqual(rates([(10, 0, 0), (11, 1_024, 1.7)]), [nil, 1])
        XCTAssertEqual(rates([(10, 0, 0), (14, 2_048, 2)]), [nil, 2])
    }

    func testRate_whenCountAndClockRollOver() {
        XCTAssertEqual(rates([(65_535, 64_512, 0), (1, 1_024, 2)]), [nil, 1])
        XCTAssertEqual(rates([(.max, 64_512, 0), (1, 1_024, 2)], bits: 32), [nil, 1])
    }

    func testStandstill_isZeroAfterThreeSeconds() {
        let values: [Value] = [
            (10, 0, 0), (11, 1_024, 1), (11, 1_024, 2), (11, 1_024, 3.9), (11, 1_024, 4),
            (11, 1_024, 5), (12, 6_144, 6),
        ]
        XCTAssertEqual(rates(values), [nil, 1, nil, nil, 0, 0, 0.2])
    }

    func testPause_inWhichTheClockMayHaveRolledOver_beginsAnew() {
        XCTAssertEqual(
            rates([(10, 0, 0), (11, 1_024, 60), (12, 2_048, 61)]), [nil, nil, 1])
        // The sensor was heard all the time, but the last turn is long ago.
        var values: [Value] = (0...70).map { (10, 0, Double($0)) }
        values += [(11, 1_024, 71), (12, 2_048, 72)]
        XCTAssertEqual(rates(values).suffix(2), [nil, 1])
    }

    func testCount_thatWasSetBack_beginsAnew() {
        XCTAssertEqual(rates([(10, 0, 0), (9, 1_024, 1), (10, 2_048, 2)]), [nil, nil, 1])
    }

    func testClockOfTheHost_thatGoesBack_beginsAnew() {
        XCTAssertEqual(rates([(10, 0, 5), (11, 1_024, 4), (12, 2_048, 5)]), [nil, nil, 1])
    }

    func testAnyValues_giveAFiniteRate() {
        for seed in UInt64(1)...200 {
            var state = seed
            func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state >> 33
            }
            let values = (0..<50).map { _ -> Value in
                (
                    UInt32(truncatingIfNeeded: next()), UInt16(truncatingIfNeeded: next()),
                    Double(next() % 100)
                )
            }
            for bits in [16, 32] {
                for rate in rates(values, bits: bits) {
                    XCTAssertTrue(rate.map { $0.isFinite && $0 >= 0 } ?? true, "seed \(seed)")
                }
            }
        }
    }
}
