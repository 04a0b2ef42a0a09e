public import HealthModel

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
    /// Where several devices counted the same steps only the best of them counts, and a worse one fills
    /// the gaps that it leaves. Averages and extremes look at all samples.
    public var rank: (@Sendable (QuantitySample) -> Int)?

    /// The usual way: ten minutes, and everything counts.
    public init() {}
}

extension Statistics {
    /// Reckons what samples come to in a span; their order does not matter.
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
        var collection = StatisticsCollection(type, spans: [span], options: options)
        let order = samples.indices.sorted { (samples[$0].start, $0) < (samples[$1].start, $1) }
        for index in order { try collection.add(samples[index]) }
        self = try collection.finish()[0]
    }

    init(_ type: QuantityType, _ tally: SpanTally) throws(QuantityError) {
        self.type = type
        span = tally.span
        count = tally.count
        mostRecent = tally.mostRecent
        seconds = Double(tally.covered) / 1e9
        let isCounted = type.isCumulative && count > 0
        let isRead = !type.isCumulative && count > 0
        let unit = type.canonicalUnit
        sum = isCounted ? try Quantity(tally.sum, unit) : nil
        average = isRead ? try Quantity(Self.average(of: tally, type.aggregationStyle), unit) : nil
        minimum = isRead ? try Quantity(tally.minimum, unit) : nil
        maximum = isRead ? try Quantity(tally.maximum, unit) : nil
    }

    private static func average(of tally: SpanTally, _ style: QuantityType.AggregationStyle)
        -> Double
    {
        switch style {
        // There is no average of counts; nobody asks for one.
        case .cumulative, .discreteArithmetic: tally.mean
        case .discreteTemporallyWeighted: tally.averageOverTime
        case .discreteEquivalentContinuousLevel: tally.averageLevel
        }
    }
}
