import HealthModel
import Platform
import Workouts
import XCTest

/// The fall of the heart rate in the minute after an effort.
final class HeartRateRecoveryTests: XCTestCase {
    private var maker = SampleMaker()
    private let end = SampleMaker.at(0)

    /// 170 until the end of the effort, then half a beat less each second.
    private func readings(
        from start: Double = -60, to end: Double = 80, by step: Double = 1
    ) -> [(Double, Double)] {
        stride(from: start, through: end, by: step).map { ($0, $0 <= 0 ? 170 : 170 - $0 / 2) }
    }

    private func assertThrows(
        _ expected: HeartRateRecoveryError, _ readings: [(Double, Double)], line: UInt = #line
    ) throws {
        let samples = try maker.rates(readings)
        XCTAssertThrowsError(
            try HeartRateRecovery(effortEnd: end, samples: samples), line: line
        ) { XCTAssertEqual($0 as? HeartRateRecoveryError, expected, line: line) }
    }

    func testRecovery_needsAnExplicitEffortEnd() throws {
        let samples = try maker.rates(readings())
        XCTAssertThrowsError(try HeartRateRecovery(effortEnd: nil, samples: samples)) {
            XCTAssertEqual($0 as? HeartRateRecoveryError, .noEffortEnd)
        }
        XCTAssertNoThrow(try HeartRateRecovery(effortEnd: end, samples: samples))
    }

    func testRecovery_isPeakLessTheAverageAroundOneMinute() throws {
        // Until 20 s before the end the rate was higher; that is not the peak.
        let samples = try maker.rates(readings().map { ($0.0, $0.0 < -20 ? 190 : $0.1) })
        let recovery = try HeartRateRecovery(effortEnd: end, samples: samples.shuffled())
        XCTAssertEqual(recovery.quantity.unit, .countPerMinute)
        XCTAssertEqual(recovery.peak.value, 170)
        XCTAssertEqual(recovery.afterOneMinute.value, 140, accuracy: 1e-9)
        XCTAssertEqual(recovery.quantity.value, 30, accuracy: 1e-9)
    }

    func testRecovery_weighsByTime() throws {
        // Many readings in the first of the ten seconds do not count for more than few in the rest.
        var readings = readings(to: 54)
        readings += stride(from: 55, through: 56, by: 0.1).map { ($0, 150) }
        readings += [(56.001, 130), (65.5, 130)]
        let samples = try maker.rates(readings)
        let recovery = try HeartRateRecovery(effortEnd: end, samples: samples)
        XCTAssertEqual(recovery.afterOneMinute.value, (150 + 9 * 130) / 10, accuracy: 0.01)
    }

    func testMetadata_saysWhatIsKnown() throws {
        let effort = HeartRateRecovery.Effort(
            testType: .submaximal, activityType: 37, duration: try Quantity(25, .minute))
        let samples = try maker.rates(readings() + [(5.5, 176)])
        let recovery = try HeartRateRecovery(effortEnd: end, samples: samples, effort: effort)
        let metadata = recovery.metadata
        XCTAssertEqual(metadata["HKMetadataKeyHeartRateRecoveryTestType"], .number(2))
        XCTAssertEqual(metadata["HKMetadataKeyHeartRateRecoveryActivityType"], .number(37))
        XCTAssertEqual(
            metadata["HKMetadataKeyHeartRateRecoveryActivityDuration"],
            .quantity(try Quantity(25, .minute)))
        XCTAssertEqual(
            metadata["HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"],
            .quantity(try Quantity(176, .countPerMinute)))
        XCTAssertEqual(recovery.peak.value, 170)
        let plain = try HeartRateRecovery(effortEnd: end, samples: samples).metadata
        XCTAssertEqual(plain.count, 1)
    }

    func testEffort_whenItsDurationIsNoTime_throws() throws {
        let samples = try maker.rates(readings())
        let effort = HeartRateRecovery.Effort(duration: try Quantity(25, .meter))
        XCTAssertThrowsError(
            try HeartRateRecovery(effortEnd: end, samples: samples, effort: effort)
        ) { XCTAssertEqual($0 as? HeartRateRecoveryError, .effort) }
    }

    func testRecovery_whenThereIsAGap_throws() throws {
        try assertThrows(.gap, readings().filter { !(20...30).contains($0.0) })
        try assertThrows(.gap, readings().filter { !(-10...0.5).contains($0.0) })
        // 10 s are still good.
        let samples = try maker.rates(readings().filter { !(20.5...29.5).contains($0.0) })
        XCTAssertNoThrow(try HeartRateRecovery(effortEnd: end, samples: samples))
        XCTAssertNoThrow(
            try HeartRateRecovery(effortEnd: end, samples: maker.rates(readings(by: 10))))
    }

    func testRecovery_whenTheEffortIsNotKnownLongEnough_throws() throws {
        try assertThrows(.gap, readings(from: -19))
        try assertThrows(.gap, [])
        XCTAssertNoThrow(
            try HeartRateRecovery(effortEnd: end, samples: maker.rates(readings(from: -20))))
    }

    func testRecovery_whenThereIsNotEnoughTimeAfter_throws() throws {
        for last in [0.0, 30, 60, 64] { try assertThrows(.tooShort, readings(to: last)) }
        XCTAssertNoThrow(
            try HeartRateRecovery(effortEnd: end, samples: maker.rates(readings(to: 65))))
    }

    func testRecovery_whenTheSensorLostTheSkin_throws() throws {
        for value in [0, -20, 19, 301, 1e300] {
            try assertThrows(.dropout, readings() + [(40.5, value)])
        }
        // Old values do not matter.
        let samples = try maker.rates(readings() + [(-50.5, 0)])
        XCTAssertNoThrow(try HeartRateRecovery(effortEnd: end, samples: samples))
    }

    func testRecovery_whenTheRateDoesNotFall_throws() throws {
        try assertThrows(.noFall, readings().map { ($0.0, 150) })
        try assertThrows(.noFall, readings().map { ($0.0, 150 + $0.0 / 10) })
    }

    func testRecovery_ofAnySamples_isPositiveOrThrows() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let step = Double.random(in: 0.2...12, using: &generator)
            var readings: [(Double, Double)] = []
            for second in stride(from: -40, through: 90, by: step) {
                readings.append((second, Double.random(in: 15...220, using: &generator)))
            }
            let samples = try maker.rates(readings)
            guard let recovery = try? HeartRateRecovery(effortEnd: end, samples: samples) else {
                continue
            }
            XCTAssertGreaterThan(recovery.quantity.value, 0, "seed \(seed)")
            XCTAssertLessThanOrEqual(step, 10, "seed \(seed)")
        }
    }

    func testRecovery_atTheEndsOfTime_throws() throws {
        let samples = try maker.rates(readings())
        for moment in [Int64.min, .max] {
            let end = Instant(nanosecondsSince1970: moment)
            XCTAssertThrowsError(try HeartRateRecovery(effortEnd: end, samples: samples))
        }
    }
}
