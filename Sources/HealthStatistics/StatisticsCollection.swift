public import HealthModel

/// The statistics of the samples of one type in several spans, calculated in one pass.
///
/// Samples are added in order of their start and not stored, so that years of samples need no more
/// memory than a day.
public struct StatisticsCollection: Sendable {
    private let type: QuantityType
    private let rank: (@Sendable (SampleOrigin) -> Int)?
    private var pass: StatisticsPass
    /// The samples that may be the most recent ones of a span, by their numbers.
    private var samples: [Int64: QuantitySample] = [:]
    private var number: Int64 = 0
    private let maximumCount: Int

    /// Makes a collection without samples.
    ///
    /// - Parameter spans: The spans in order of time, without overlaps.
    public init(
        _ type: QuantityType, spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) {
        self.type = type
        rank = type.isCumulative ? options.rank : nil
        pass = StatisticsPass(
            type, spans: spans, isRanked: options.rank != nil,
            gapLimitSeconds: options.gapLimitSeconds)
        maximumCount = 2 * spans.count + 1_000
    }

    /// Adds a sample, which must not start before the last one; a sample of another type is
    /// ignored.
    ///
    /// For an average over time, add also the readings shortly before and after a span.
    /// - Throws: `QuantityError` when the value cannot be expressed in the canonical unit.
    public mutating func add(_ sample: QuantitySample) throws(QuantityError) {
        guard sample.type == type else { return }
        let value = try sample.quantity.value(in: type.canonicalUnit)
        number += 1
        samples[number] = sample
        pass.add(
            value, over: sample.start..<sample.end, rank: rank?(SampleOrigin(sample)) ?? 0,
            key: number)
        guard samples.count > maximumCount else { return }
        let keys = pass.keys
        samples = samples.filter { keys.contains($0.key) }
    }

    /// The statistics of each span.
    /// - Throws: `QuantityError` when a sum is not finite.
    public func finish() throws(QuantityError) -> [Statistics] {
        try pass.finish(samples)
    }
}
