public import HealthModel

/// What the samples of one type come to in each of several spans, reckoned in one go.
///
/// Samples are given one after another and not kept, so that years of them need no more memory than
/// a day. They come in order of their start.
public struct StatisticsCollection: Sendable {
    private let type: QuantityType
    private let rank: (@Sendable (QuantitySample) -> Int)?
    private var spans: [SpanTally]
    private var merge = CumulativeMerge()
    private var gap: ReadingGap
    /// The first span that a later sample can have a part in.
    private var first = 0

    /// Makes a collection without samples.
    ///
    /// - Parameter spans: In order of time, none overlapping another.
    public init(
        _ type: QuantityType, spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) {
        self.type = type
        rank = type.isCumulative ? options.rank : nil
        gap = ReadingGap(limitSeconds: options.gapLimitSeconds)
        self.spans = spans.map { SpanTally(span: $0) }
    }

    /// Counts a sample, which does not start before the one that was added last; one of another type is
    /// left aside.
    ///
    /// For an average over time the readings shortly before and after a span should be among them.
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

    /// What the samples come to, span by span.
    /// - Throws: `QuantityError` when a sum is too large for a number.
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

    /// The spans that one overlaps; an instant overlaps the one that holds it.
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

    /// What ends by then is left behind: everything that comes later is later.
    private mutating func skipSpans(endingBy instant: Instant) {
        while first < spans.count, spans[first].span.upperBound <= instant { first += 1 }
    }
}
