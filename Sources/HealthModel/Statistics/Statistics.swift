/// What the samples of one type come to in a span of time.
///
/// Quantities are in the type's canonical unit. What does not fit the type's style is nil: heart rates
/// have no sum, steps have no average.
public struct Statistics: Sendable, Hashable {
    /// What was measured.
    public let type: QuantityType
    /// The time asked for; half open.
    public let span: Range<Instant>
    /// How many samples have a part in it.
    public let count: Int
    /// All that was counted; nil for a discrete type, and when nothing was.
    public let sum: Quantity?
    /// The average of a discrete type, made as its style says.
    public let average: Quantity?
    /// The smallest value of a discrete type.
    public let minimum: Quantity?
    /// The largest value of a discrete type.
    public let maximum: Quantity?
    /// The sample that ended last.
    public let mostRecent: QuantitySample?
    /// How long the samples lasted together, in seconds; what overlaps counts once, instants add nothing.
    public let seconds: Double
}

/// How statistics are made.
public struct StatisticsOptions: Sendable {
    /// Readings further apart have nothing between them that counts for an average over time.
    ///
    /// Ten minutes suit a watch that looks at the pulse now and then; in a workout it is one minute.
    public var gapLimitSeconds = 600.0
    /// How good the origin of a sample is, the lowest is the best; nil when everything counts.
    ///
    /// Where several devices counted the same steps only the best of them counts, see
    /// ``Statistics/init(of:_:in:options:)``. Averages and extremes look at all samples.
    public var rank: (@Sendable (QuantitySample) -> Int)?

    /// The usual way: ten minutes, and everything counts.
    public init() {}
}

extension Statistics {
    /// Reckons what samples come to in a span.
    ///
    /// A cumulative sample that lies in the span with a part counts with that part, so that the sums of
    /// neighbouring spans add up. Samples of other types are left aside. For an average over time, samples
    /// shortly before and after the span should be among them.
    ///
    /// - Throws: `QuantityError` when a value cannot be expressed in the canonical unit.
    public init(
        of samples: [QuantitySample], _ type: QuantityType, in span: Range<Instant>,
        options: StatisticsOptions = StatisticsOptions()
    ) throws(QuantityError) {
        let known = samples.filter { $0.type == type }
        let inside = known.filter { $0.hasPart(in: span) }
        self.type = type
        self.span = span
        count = inside.count
        mostRecent = inside.indices.max { inside.isEarlier($0, $1) }.map { inside[$0] }
        seconds = SpanSet(inside.map { $0.span.clamped(to: span) }).seconds
        guard !inside.isEmpty else {
            (sum, average, minimum, maximum) = (nil, nil, nil, nil)
            return
        }
        if type.isCumulative {
            sum = try Quantity(Self.sum(of: known, in: span, options), type.canonicalUnit)
            (average, minimum, maximum) = (nil, nil, nil)
        } else {
            let values = try Self.values(of: known)
            let range = values.filter { $0.isIn(span) }.map(\.value)
            sum = nil
            average = try Self.quantity(Self.average(values, type, in: span, options), type)
            minimum = try Self.quantity(range.min(), type)
            maximum = try Self.quantity(range.max(), type)
        }
    }

    private static func sum(
        of samples: [QuantitySample], in span: Range<Instant>, _ options: StatisticsOptions
    ) throws(QuantityError) -> Double {
        let portions =
            if let rank = options.rank {
                try Portion.merged(samples, rank: rank)
            } else {
                try Portion.all(of: samples)
            }
        return portions.reduce(0) { $0 + $1.amount(in: span) }
    }

    private static func average(
        _ values: [Mean.Value], _ type: QuantityType, in span: Range<Instant>,
        _ options: StatisticsOptions
    ) -> Double? {
        switch type.style {
        case .cumulative: nil
        case .discreteArithmetic: Mean.arithmetic(values, in: span)
        case .discreteTemporallyWeighted:
            Mean.overTime(values, in: span, gapLimitSeconds: options.gapLimitSeconds)
        case .discreteEquivalentContinuousLevel: Mean.level(values, in: span)
        }
    }

    private static func values(
        of samples: [QuantitySample]
    ) throws(QuantityError) -> [Mean.Value] {
        var values: [Mean.Value] = []
        for sample in samples {
            values.append(
                Mean.Value(
                    start: sample.start, end: sample.end, value: try sample.canonicalValue()))
        }
        return values
    }

    private static func quantity(
        _ value: Double?, _ type: QuantityType
    ) throws(QuantityError) -> Quantity? {
        guard let value else { return nil }
        return try Quantity(value, type.canonicalUnit)
    }
}

extension QuantitySample {
    /// Whether any of it is in a span; an instant belongs to the span that holds it.
    fileprivate func hasPart(in other: Range<Instant>) -> Bool {
        start == end ? other.contains(start) : span.overlaps(other)
    }
}

extension [QuantitySample] {
    /// Whether one ended before another; of two that ended together the one that began later, or stands
    /// later, is the newer one.
    fileprivate func isEarlier(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (self[left], self[right])
        return (one.end, one.start, left) < (other.end, other.start, right)
    }
}
