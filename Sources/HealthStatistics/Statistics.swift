public import HealthModel

/// The statistics of the samples of one type in a span of time.
///
/// Quantities are in the type's canonical unit. A value that the type's aggregation style does not
/// support is nil: heart rates have no sum, steps have no average.
public struct Statistics: Sendable, Hashable {
    /// The type of the samples.
    public let type: QuantityType
    /// The span of time; half open.
    public let span: Range<Instant>
    /// The number of samples that overlap the span.
    public let count: Int
    /// The sum of a cumulative type; nil when there are no samples.
    public let sum: Quantity?
    /// The average of a discrete type, by its aggregation style.
    public let average: Quantity?
    /// The smallest value of a discrete type.
    public let minimum: Quantity?
    /// The largest value of a discrete type.
    public let maximum: Quantity?
    /// The sample with the latest end.
    public let mostRecent: QuantitySample?
    /// The time covered by samples, in seconds; overlaps count once, instants count as 0.
    public let seconds: Double
}

/// The options of statistics.
public struct StatisticsOptions: Sendable {
    /// The maximum gap between two readings that counts for an average over time, in seconds.
    ///
    /// Ten minutes suit a watch that measures the pulse from time to time; a workout uses one
    /// minute.
    public var gapLimitSeconds = 600.0
    /// The rank of an origin, the lowest being the best; nil to count all samples.
    ///
    /// When several devices counted the same steps, only the device with the best rank counts, and
    /// others fill its gaps. Averages and extremes use all samples.
    public var rank: (@Sendable (SampleOrigin) -> Int)?

    /// Makes the default options: ten minutes, and all samples count.
    public init() {}
}

extension Statistics {
    /// Calculates the statistics of samples in a span; the order of the samples does not matter.
    ///
    /// A cumulative sample that lies partly in the span counts in proportion, so that the sums of
    /// adjacent spans add up. Samples of other types are ignored. For an average over time, include
    /// samples shortly before and after the span.
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

    /// Makes the statistics of a span from its part.
    ///
    /// - Throws: `QuantityError` when a sum is not finite.
    package init(
        _ type: QuantityType, _ span: Range<Instant>, _ part: StatisticsPart,
        mostRecent: QuantitySample?
    ) throws(QuantityError) {
        self.type = type
        self.span = span
        count = part.count
        self.mostRecent = mostRecent
        seconds = Double(part.covered) / 1e9
        let isCounted = type.isCumulative && count > 0
        let isRead = !type.isCumulative && count > 0
        let unit = type.canonicalUnit
        sum = isCounted ? try Quantity(part.sum, unit) : nil
        average = isRead ? try Quantity(part.average(type.aggregationStyle), unit) : nil
        minimum = isRead ? try Quantity(part.minimum, unit) : nil
        maximum = isRead ? try Quantity(part.maximum, unit) : nil
    }
}
