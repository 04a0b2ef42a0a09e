import HealthModel
import XCTest

@testable import HealthStatistics
@testable import Platform

/// Tests that the statistics of many spans in one pass are the same as those of each span.
final class StatisticsCollectionTests: XCTestCase {
    private func at(_ seconds: Double) -> Instant {
        Instant(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func samples(
        _ type: QuantityType, using generator: inout SeededGenerator
    ) throws -> [QuantitySample] {
        let devices = ["pod", "phone", "watch"].map { Device(localIdentifier: $0) }
        let samples = try (0..<60).map { number in
            let start = Double(Int.random(in: -50..<1_050, using: &generator)) * 10
            let isInstant = !type.isCumulative && Bool.random(using: &generator)
            let length = isInstant ? 0 : Double(Int.random(in: 1...150, using: &generator)) * 10
            return try QuantitySample(
                id: RecordID(high: UInt64(number), low: 1 << 63), type: type, start: at(start),
                end: at(start + length),
                quantity: Quantity(
                    Double(Int.random(in: 40...180, using: &generator)), type.canonicalUnit),
                device: devices[Int.random(in: 0...2, using: &generator)])
        }
        return samples.sorted { $0.start < $1.start }
    }

    /// The oracle checks intervals of ten seconds: within them nothing starts or ends.
    private func sum(
        of samples: [QuantitySample], from start: Double, to end: Double,
        rank: ((SampleOrigin) -> Int)?
    ) -> Double {
        stride(from: start, to: end, by: 10).reduce(0) { total, second in
            let moment = at(second + 5)
            let covering = samples.filter { $0.start <= moment && moment < $0.end }
            let best = rank.flatMap { covering.map(SampleOrigin.init).map($0).min() }
            return total
                + covering.filter { best == nil || rank?(SampleOrigin($0)) == best }.reduce(0) {
                    let seconds = Double($1.end.nanoseconds(since: $1.start)) / 1e9
                    return $0 + $1.quantity.value * 10 / seconds
                }
        }
    }

    func testSums_ofManySpans_areThoseOfEverySlice() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        let rank: @Sendable (SampleOrigin) -> Int = {
            ["pod": 0, "phone": 1][$0.device?.localIdentifier ?? ""] ?? 2
        }
        for _ in 0..<30 {
            let samples = try samples(.stepCount, using: &generator)
            for rank in [nil, rank] {
                var options = StatisticsOptions()
                options.rank = rank
                // One span is missing in the middle.
                let starts = stride(from: 0.0, to: 10_000, by: 500).filter { $0 != 4_000 }
                var collection = StatisticsCollection(
                    .stepCount, spans: starts.map { at($0)..<at($0 + 500) }, options: options)
                for sample in samples { try collection.add(sample) }
                for (start, statistics) in zip(starts, try collection.finish()) {
                    XCTAssertEqual(
                        statistics.sum?.value ?? 0,
                        sum(of: samples, from: start, to: start + 500, rank: rank),
                        accuracy: 1e-6, "seed \(seed), \(start)")
                }
            }
        }
    }

    func testReadings_ofManySpans_areThoseOfEachSpanAlone() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for type in [QuantityType.heartRate, .bodyMass, .environmentalAudioExposure] {
            for _ in 0..<30 {
                let samples = try samples(type, using: &generator)
                let spans = stride(from: 0.0, to: 10_000, by: 500).map { at($0)..<at($0 + 500) }
                var collection = StatisticsCollection(type, spans: spans)
                for sample in samples { try collection.add(sample) }
                for statistics in try collection.finish() {
                    let alone = try Statistics(of: samples, type, in: statistics.span)
                    XCTAssertEqual(statistics.count, alone.count, "seed \(seed)")
                    XCTAssertEqual(statistics.seconds, alone.seconds, "seed \(seed)")
                    XCTAssertEqual(statistics.minimum, alone.minimum, "seed \(seed)")
                    XCTAssertEqual(statistics.mostRecent?.end, alone.mostRecent?.end)
                    XCTAssertEqual(
                        statistics.average?.value ?? 0, alone.average?.value ?? 0, accuracy: 1e-9,
                        "seed \(seed)")
                }
            }
        }
    }

    func testSamples_ofAnotherType_areIgnored() throws {
        var collection = StatisticsCollection(.stepCount, spans: [at(0)..<at(10)])
        try collection.add(
            QuantitySample(
                id: RecordID(high: 1, low: 1 << 63), type: .heartRate, start: at(1), end: at(1),
                quantity: Quantity(72, .countPerMinute)))
        XCTAssertEqual(try collection.finish()[0].count, 0)
    }

    func testSums_ofManyCountsAtOnce_takeNoLongerThanTheirOrder() throws {
        // Comparing each with each other would take minutes.
        let count = 100_000
        var options = StatisticsOptions()
        options.rank = { _ in 0 }
        var collection = StatisticsCollection(
            .stepCount, spans: [at(0)..<at(1_000_000)], options: options)
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<count {
            try collection.add(
                QuantitySample(
                    id: RecordID(high: UInt64(number), low: 1), type: .stepCount,
                    start: at(Double(number)), end: at(Double(number + 200_000)),
                    quantity: Quantity(2, .count)))
        }
        let sum = try collection.finish()[0].sum?.value
        XCTAssertEqual(try XCTUnwrap(sum), Double(count) * 2, accuracy: 1e-3)
        XCTAssertLessThan(clock.now - start, .seconds(60))
    }

    func testSums_ofCountsThatAreNotInOrder_end() throws {
        // The sums are wrong, but the calculation ends.
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            var options = StatisticsOptions()
            options.rank = { $0.device?.localIdentifier == "pod" ? 0 : 1 }
            var collection = StatisticsCollection(
                .stepCount, spans: [at(0)..<at(500), at(500)..<at(500), at(700)..<at(9_000)],
                options: options)
            for sample in try samples(.stepCount, using: &generator).shuffled(using: &generator) {
                try collection.add(sample)
            }
            for statistics in try collection.finish() {
                XCTAssertGreaterThanOrEqual(statistics.sum?.value ?? 0, 0, "seed \(seed)")
            }
        }
    }
}
