public import HealthModel

/// The statistics of the samples of one type in several spans, calculated in one pass.
///
/// Samples are added in order of their start and not stored, so that years of samples need no more
/// memory than a day.
public struct StatisticsCollection: Sendable {
    private let type: QuantityType
    private let rank: (@Sendable (QuantitySample) -> Int)?
    private var spans: [StatisticsAccumulator]
    private var merge = CumulativeMerge()
    private var gap: ReadingInterpolator
    /// The first span that a later sample can overlap.
    private var first = 0

    /// Makes a collection without samples.
    ///
    /// - Parameter spans: The spans in order of time, without overlaps.
    public init(
        _ type: QuantityType, spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) {
        self.type = type
        rank = type.isCumulative ? options.rank : nil
        gap = ReadingInterpolator(limitSeconds: options.gapLimitSeconds)
        self.spans = spans.map { StatisticsAccumulator(span: $0) }
    }

    /// Adds a sample, which must not start before the last one; a sample of another type is
    /// ignored.
    ///
    /// For an average over time, add also the readings shortly before and after a span.
    /// - Throws: `QuantityError` when the value cannot be expressed in the canonical unit.
    public mutating func add(_ sample: QuantitySample) throws(QuantityError) {
        guard sample.type == type else { return }
        let value = try sample.quantity.value(in: type.canonicalUnit)
        if type.isCumulative {
            count(sample, value)
        } else {
            read(sample, value)
        }
    }

    /// The statistics of each span.
    /// - Throws: `QuantityError` when a sum is not finite.
    public func finish() throws(QuantityError) -> [Statistics] {
        var collection = self
        collection.merge.finish(into: &collection.spans)
        var statistics: [Statistics] = []
        statistics.reserveCapacity(spans.count)
        for span in collection.spans {
            statistics.append(try Statistics(type, span))
        }
        return statistics
    }

    // MARK: Counts

    private mutating func count(_ sample: QuantitySample, _ amount: Double) {
        let span = sample.start..<sample.end
        skipSpans(endingBy: sample.start)
        for index in indices(overlapping: span) {
            spans[index].note(sample)
            if rank == nil { spans[index].add(amount, of: span) }
        }
        if let rank { merge.add(amount, of: span, rank: rank(sample), to: &spans) }
    }

    // MARK: Readings

    private mutating func read(_ sample: QuantitySample, _ value: Double) {
        let span = sample.start..<sample.end
        if let slope = gap.slope(to: span, value) {
            for index in indices(overlapping: slope.span) { spans[index].add(slope) }
        }
        skipSpans(endingBy: min(sample.start, gap.end ?? sample.start))
        for index in indices(overlapping: span) {
            spans[index].note(sample)
            spans[index].add(value, over: span)
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
