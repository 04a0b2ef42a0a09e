import HealthModel
import XCTest

@testable import HealthStatistics
@testable import Platform

/// Tests for the statistics of samples in a span.
final class StatisticsTests: XCTestCase {
    private var made: UInt64 = 0

    /// The instant a number of seconds after an arbitrary start.
    private func at(_ seconds: Double) -> Instant {
        Instant(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func span(_ start: Double, _ end: Double) -> Range<Instant> { at(start)..<at(end) }

    private func sample(
        _ type: QuantityType, _ value: Double, _ start: Double, _ end: Double? = nil,
        unit: HealthModel.Unit? = nil, from device: String = "pod"
    ) throws -> QuantitySample {
        made += 1
        return try QuantitySample(
            id: RecordID(high: made, low: 1 << 63), type: type, start: at(start),
            end: at(end ?? start), quantity: Quantity(value, unit ?? type.canonicalUnit),
            device: Device(localIdentifier: device))
    }

    // MARK: Sums

    func testSum_ofASampleAcrossTwoHours_isSharedOut() throws {
        // Five minutes, two of them in the second hour.
        let samples = [try sample(.stepCount, 100, 3_420, 3_720)]
        let first = try Statistics(of: samples, .stepCount, in: span(0, 3_600))
        let second = try Statistics(of: samples, .stepCount, in: span(3_600, 7_200))
        XCTAssertEqual(first.sum?.value, 60)
        XCTAssertEqual(second.sum?.value, 40)
        XCTAssertEqual(first.seconds, 180)
        XCTAssertNil(try Statistics(of: samples, .stepCount, in: span(7_200, 10_800)).sum)
    }

    func testSum_ofBuckets_addsUpToTheWhole() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let samples = try (0..<40).map { _ in
                let start = Double.random(in: 0..<9_000, using: &generator)
                let length = Double.random(in: 0.001...2_000, using: &generator)
                return try sample(
                    .stepCount, Double(Int.random(in: 0...500, using: &generator)), start,
                    start + length)
            }
            for options in [StatisticsOptions(), rankedOptions(["pod", "phone"])] {
                let whole = try Statistics(
                    of: samples, .stepCount, in: span(0, 12_000), options: options)
                let parts = try stride(from: 0.0, to: 12_000, by: 500).map {
                    try Statistics(
                        of: samples, .stepCount, in: span($0, $0 + 500), options: options)
                }
                let total = parts.reduce(0) { $0 + ($1.sum?.value ?? 0) }
                XCTAssertEqual(total, whole.sum?.value ?? 0, accuracy: 1e-6, "seed \(seed)")
            }
        }
    }

    func testSum_isInTheCanonicalUnit() throws {
        let samples = [
            try sample(.distanceWalkingRunning, 1, 0, 10, unit: Unit(parsing: "km")),
            try sample(.distanceWalkingRunning, 250, 10, 20),
        ]
        let statistics = try Statistics(of: samples, .distanceWalkingRunning, in: span(0, 20))
        XCTAssertEqual(statistics.sum, try Quantity(1_250, .meter))
        XCTAssertNil(statistics.average)
        XCTAssertNil(statistics.minimum)
    }

    // MARK: Several devices

    private func rankedOptions(_ order: [String]) -> StatisticsOptions {
        var options = StatisticsOptions()
        options.rank = { origin in
            order.firstIndex(of: origin.device?.localIdentifier ?? "") ?? order.count
        }
        return options
    }

    func testSum_ofTwoDevices_countsWhatBothCountedOnce() throws {
        let samples = [
            try sample(.stepCount, 100, 0, 100), try sample(.stepCount, 300, 200, 300),
            // The phone counted the whole time, also in the gap of the pod.
            try sample(.stepCount, 330, 0, 330, from: "phone"),
        ]
        let all = try Statistics(of: samples, .stepCount, in: span(0, 400))
        XCTAssertEqual(all.sum?.value, 730)
        let ranked = try Statistics(
            of: samples, .stepCount, in: span(0, 400), options: rankedOptions(["pod", "phone"]))
        // 100 and 300 of the pod; of the phone 100 in the gap and 30 after it.
        XCTAssertEqual(ranked.sum?.value ?? 0, 530, accuracy: 1e-9)
        XCTAssertEqual(ranked.count, 3)
        let other = try Statistics(
            of: samples, .stepCount, in: span(0, 400), options: rankedOptions(["phone", "pod"]))
        XCTAssertEqual(other.sum?.value ?? 0, 330, accuracy: 1e-9)
    }

    func testSum_ofOneDevice_overlappingSamplesAllCount() throws {
        let samples = [
            try sample(.stepCount, 10, 0, 10), try sample(.stepCount, 20, 5, 15),
        ]
        let ranked = try Statistics(
            of: samples, .stepCount, in: span(0, 20), options: rankedOptions(["pod"]))
        XCTAssertEqual(ranked.sum?.value, 30)
        XCTAssertEqual(ranked.seconds, 15)
    }

    // MARK: Averages

    func testAverage_ofAnArithmeticType_weighsEachValueTheSame() throws {
        let samples = [
            try sample(.bodyMass, 80, 0), try sample(.bodyMass, 82, 5_000),
            try sample(.bodyMass, 180.779, 9_000, unit: Unit(parsing: "lb")),
            try sample(.bodyMass, 200, 20_000),
        ]
        let statistics = try Statistics(of: samples, .bodyMass, in: span(0, 10_000))
        XCTAssertEqual(statistics.average?.value ?? 0, 81.333, accuracy: 0.001)
        XCTAssertEqual(statistics.minimum?.value, 80)
        XCTAssertEqual(statistics.maximum?.value ?? 0, 82, accuracy: 0.001)
        XCTAssertEqual(statistics.mostRecent?.start, at(9_000))
        XCTAssertNil(statistics.sum)
    }

    func testAverage_ofHeartRates_weighsByTime() throws {
        // Dense readings at rest and few in exercise: 60 for 100 s, up to 120, and 100 s of it.
        var samples = try stride(from: 0.0, through: 100, by: 1).map {
            try sample(.heartRate, 60, $0)
        }
        samples += [try sample(.heartRate, 120, 110), try sample(.heartRate, 120, 210)]
        let statistics = try Statistics(of: samples, .heartRate, in: span(0, 300))
        let area = 60.0 * 100 + 90 * 10 + 120 * 100
        XCTAssertEqual(statistics.average?.value ?? 0, area / 210, accuracy: 1e-9)
        XCTAssertEqual(statistics.seconds, 0)
    }

    func testAverage_acrossALongGap_ignoresIt() throws {
        let samples = [
            try sample(.heartRate, 60, 0), try sample(.heartRate, 60, 10),
            try sample(.heartRate, 100, 1_000), try sample(.heartRate, 100, 1_030),
        ]
        var options = StatisticsOptions()
        let far = try Statistics(of: samples, .heartRate, in: span(0, 2_000), options: options)
        XCTAssertEqual(far.average?.value ?? 0, (600 + 3_000) / 40, accuracy: 1e-9)
        options.gapLimitSeconds = 5
        let near = try Statistics(of: samples, .heartRate, in: span(0, 2_000), options: options)
        XCTAssertEqual(near.average?.value, 80, "nothing has a weight, so each has the same")
    }

    func testAverage_mergingEqualNeighbours_changesNothing() throws {
        let apart = try [0.0, 5, 9, 20].map { try sample(.heartRate, 70, $0) }
        let merged = [try sample(.heartRate, 70, 0, 20)]
        let later = [try sample(.heartRate, 90, 60), try sample(.heartRate, 80, 90)]
        let one = try Statistics(of: apart + later, .heartRate, in: span(0, 100))
        let other = try Statistics(of: merged + later, .heartRate, in: span(0, 100))
        XCTAssertEqual(one.average?.value ?? 0, other.average?.value ?? 1, accuracy: 1e-9)
        let doubled = try Statistics(
            of: apart + later + [try sample(.heartRate, 90, 60)], .heartRate, in: span(0, 100))
        XCTAssertEqual(doubled.average?.value ?? 0, one.average?.value ?? 1, accuracy: 1e-9)
    }

    /// Neighbours with the same value, merged to one sample with a duration, do not change the
    /// average.
    func testAverage_mergingEqualNeighboursOfAnySeries_changesNothing() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var readings: [(second: Double, value: Double)] = []
            var second = 0.0
            for _ in 0..<Int.random(in: 2...60, using: &generator) {
                second += Double.random(in: 0.1...100, using: &generator)
                readings.append((second, Double(Int.random(in: 60...63, using: &generator))))
            }
            let single = try readings.map { try sample(.heartRate, $0.value, $0.second) }
            var merged: [QuantitySample] = []
            var first = 0
            for index in readings.indices
            where index + 1 == readings.count || readings[index + 1].value != readings[index].value
            {
                merged.append(
                    try sample(
                        .heartRate, readings[index].value, readings[first].second,
                        readings[index].second))
                first = index + 1
            }
            let span = span(-10, second + 10)
            XCTAssertEqual(
                try XCTUnwrap(Statistics(of: merged, .heartRate, in: span).average).value,
                try XCTUnwrap(Statistics(of: single, .heartRate, in: span).average).value,
                accuracy: 1e-9, "seed \(seed)")
        }
    }

    func testAverage_ofReadingsAllFarApart_isThatOfAllAlike() throws {
        let samples = try [(60.0, 0.0), (90, 3_600), (120, 7_200), (130, 7_200)].map {
            try sample(.heartRate, $0.0, $0.1)
        }
        let statistics = try Statistics(of: samples, .heartRate, in: span(0, 10_000))
        XCTAssertEqual(statistics.average?.value, 100)
        XCTAssertEqual(statistics.seconds, 0)
    }

    /// A cumulative sample must have a duration, so it cannot be counted in two buckets.
    func testSum_ofASampleWithoutADuration_throws() {
        XCTAssertThrowsError(try sample(.stepCount, 10, 5, 5)) {
            XCTAssertEqual($0 as? SampleError, .emptyInterval(type: "stepCount"))
        }
    }

    func testAverage_atTheEdgeOfTheSpan_usesTheNeighbourOutside() throws {
        let samples = [
            try sample(.heartRate, 60, 0), try sample(.heartRate, 80, 20),
            try sample(.heartRate, 80, 30),
        ]
        // From 10 s the rate increases from 70 to 80, and stays there for 5 s.
        let statistics = try Statistics(of: samples, .heartRate, in: span(10, 25))
        XCTAssertEqual(
            statistics.average?.value ?? 0, (75.0 * 10 + 80 * 5) / 15, accuracy: 1e-9)
        XCTAssertEqual(statistics.count, 1)
        XCTAssertEqual(statistics.minimum?.value, 80)
    }

    func testAverage_ofLevels_isThatOfTheirEnergy() throws {
        let samples = [
            try sample(.environmentalAudioExposure, 60, 0, 100),
            try sample(.environmentalAudioExposure, 90, 100, 200),
        ]
        let statistics = try Statistics(
            of: samples, .environmentalAudioExposure, in: span(0, 200))
        // 10·lg((10^6 + 10^9) / 2)
        XCTAssertEqual(statistics.average?.value ?? 0, 86.994_040_8, accuracy: 1e-6)
    }

    // MARK: The span

    func testSpan_isHalfOpen() throws {
        let samples = try [0.0, 10, 20].map { try sample(.heartRate, 60 + $0, $0) }
        let statistics = try Statistics(of: samples, .heartRate, in: span(0, 20))
        XCTAssertEqual(statistics.count, 2)
        XCTAssertEqual(statistics.maximum?.value, 70)
        XCTAssertEqual(try Statistics(of: samples, .heartRate, in: span(0, 0)).count, 0)
    }

    func testNothing_isNothing_notZero() throws {
        let statistics = try Statistics(of: [], .stepCount, in: span(0, 10))
        XCTAssertNil(statistics.sum)
        XCTAssertNil(statistics.mostRecent)
        XCTAssertEqual(statistics.count, 0)
        XCTAssertEqual(statistics.seconds, 0)
        let others = [try sample(.heartRate, 60, 5)]
        XCTAssertNil(try Statistics(of: others, .bodyMass, in: span(0, 10)).average)
    }

    func testMostRecent_isByEnd_thenStart_thenPosition() throws {
        let samples = [
            try sample(.bodyTemperature, 36, 0, 50), try sample(.bodyTemperature, 37, 20, 50),
            try sample(.bodyTemperature, 38, 20, 50), try sample(.bodyTemperature, 39, 30, 40),
        ]
        let statistics = try Statistics(of: samples, .bodyTemperature, in: span(0, 100))
        XCTAssertEqual(statistics.mostRecent?.quantity.value, 38)
    }

    func testExtremeTimes_neverTrap() throws {
        let (first, last) = (
            Instant(nanosecondsSince1970: .min), Instant(nanosecondsSince1970: .max)
        )
        let (early, late) = (
            Instant(nanosecondsSince1970: .min / 2), Instant(nanosecondsSince1970: .max / 2)
        )
        for type in [QuantityType.stepCount, .heartRate, .bodyMass, .headphoneAudioExposure] {
            let samples = try [
                (early, late), (first, first.adding(nanoseconds: .max)), (at(0), last),
            ].map { start, end in
                try QuantitySample(
                    id: RecordID(high: 1, low: 1), type: type, start: start, end: end,
                    quantity: Quantity(.greatestFiniteMagnitude, type.canonicalUnit))
            }
            for options in [StatisticsOptions(), rankedOptions(["a"])] {
                // A sum that is too large throws instead of being infinite.
                _ = try? Statistics(of: samples, type, in: first..<last, options: options)
                _ = try? Statistics(of: samples, type, in: at(0)..<at(1), options: options)
            }
        }
    }
}
