package import HealthModel

/// The statistics of values of one type in several spans, calculated in one pass.
///
/// Values are added in order of their start and not stored. Each has a key, by which the caller finds
/// the most recent sample of a span; so only a few samples are ever read completely.
package struct StatisticsPass: Sendable {
    private let type: QuantityType
    private let isCumulative: Bool
    private let isMerging: Bool
    private var spans: [StatisticsAccumulator]
    private var merge = CumulativeMerge()
    private var gap: ReadingInterpolator
    /// The first span that a later value can overlap.
    private var first = 0

    /// Makes a pass without values.
    ///
    /// - Parameters:
    ///   - spans: The spans in order of time, without overlaps.
    ///   - isRanked: Whether the origins of values have ranks, of which the best counts; a type that is
    ///     not cumulative has none.
    ///   - gapLimitSeconds: The maximum gap between two readings, see ``StatisticsOptions``.
    package init(
        _ type: QuantityType, spans: [Range<Instant>], isRanked: Bool, gapLimitSeconds: Double
    ) {
        self.type = type
        isCumulative = type.isCumulative
        isMerging = isRanked && type.isCumulative
        gap = ReadingInterpolator(limitSeconds: gapLimitSeconds)
        self.spans = spans.map { StatisticsAccumulator(span: $0, type.aggregationStyle) }
    }

    /// Adds a value in the canonical unit, which must not start before the last one.
    ///
    /// - Parameters:
    ///   - rank: The rank of its origin, the lowest being the best.
    ///   - key: The key of its sample.
    package mutating func add(
        _ value: Double, over span: Range<Instant>, rank: Int = 0, key: Int64
    ) {
        if isCumulative {
            count(value, over: span, rank: rank, key)
        } else {
            read(value, over: span, key)
        }
    }

    /// The statistics of each span.
    ///
    /// - Parameter samples: The samples of ``keys``.
    /// - Throws: `QuantityError` when a sum is not finite.
    package func finish(
        _ samples: [Int64: QuantitySample]
    ) throws(QuantityError) -> [Statistics] {
        var statistics: [Statistics] = []
        statistics.reserveCapacity(spans.count)
        for (span, part) in zip(spans, parts()) {
            let mostRecent = part.latest.flatMap { samples[$0.key] }
            statistics.append(try Statistics(type, span.span, part, mostRecent: mostRecent))
        }
        return statistics
    }

    /// The part of each span.
    package func parts() -> [StatisticsPart] {
        var (spans, merge) = (spans, merge)
        merge.finish(into: &spans)
        return spans.map(\.part)
    }

    /// The keys of the samples that are the most recent ones of their spans.
    package var keys: Set<Int64> { Set(spans.compactMap { $0.part.latest?.key }) }

    // MARK: Counts

    private mutating func count(
        _ amount: Double, over span: Range<Instant>, rank: Int, _ key: Int64
    ) {
        skipSpans(endingBy: span.lowerBound)
        for index in indices(overlapping: span) {
            spans[index].count(key, of: span)
            if !isMerging { spans[index].add(amount, of: span) }
        }
        if isMerging { merge.add(amount, of: span, rank: rank, to: &spans) }
    }

    // MARK: Readings

    private mutating func read(_ value: Double, over span: Range<Instant>, _ key: Int64) {
        let slope = gap.slope(to: span, value)
        // Nearly all readings are in one span together with the slope to them.
        let start = slope?.span.lowerBound ?? span.lowerBound
        if first < spans.count, spans[first].span.lowerBound <= start,
            span.upperBound < spans[first].span.upperBound
        {
            if let slope { spans[first].add(slope) }
            return spans[first].read(value, key, over: span)
        }
        if let slope {
            for index in indices(overlapping: slope.span) { spans[index].add(slope) }
        }
        skipSpans(endingBy: min(span.lowerBound, gap.end ?? span.lowerBound))
        for index in indices(overlapping: span) {
            spans[index].read(value, key, over: span)
        }
    }

    // MARK: Spans

    /// The indices of the spans that overlap a span; an instant overlaps the span that contains it.
    private func indices(overlapping span: Range<Instant>) -> Range<Int> {
        var start = first
        while start < spans.count, spans[start].span.upperBound <= span.lowerBound { start += 1 }
        var end = start
        while end < spans.count,
            spans[end].span.lowerBound < span.upperBound
                || spans[end].span.lowerBound == span.lowerBound
        {
            end += 1
        }
        return start..<end
    }

    /// Skips the spans that end by an instant; no later sample overlaps them.
    private mutating func skipSpans(endingBy instant: Instant) {
        while first < spans.count, spans[first].span.upperBound <= instant { first += 1 }
    }
}
