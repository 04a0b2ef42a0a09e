import HealthModel

/// The accumulated statistics of one span.
struct StatisticsAccumulator: Sendable {
    let span: Range<Instant>
    private let style: QuantityType.AggregationStyle
    private(set) var part = StatisticsPart()
    private var coveredUntil: Instant

    init(span: Range<Instant>, _ style: QuantityType.AggregationStyle) {
        self.span = span
        self.style = style
        coveredUntil = span.lowerBound
    }

    private mutating func note(_ key: Int64, of time: Range<Instant>) {
        let start = max(time.lowerBound, coveredUntil)
        let end = min(time.upperBound, span.upperBound)
        if start < end {
            part.covered.addSaturating(end.nanoseconds(since: start))
            coveredUntil = end
        }
        part.note(StatisticsPart.Latest(key: key, span: time))
    }

    // MARK: Counts

    /// Counts a sample of a cumulative type that overlaps the span.
    mutating func count(_ key: Int64, of time: Range<Instant>) {
        note(key, of: time)
        if time.lowerBound < span.lowerBound {
            part.continued.count += 1
        } else {
            part.started.count += 1
        }
    }

    /// Adds the part of an amount that falls into the span, with the amount spread evenly over its
    /// time.
    mutating func add(_ amount: Double, of time: Range<Instant>) {
        add(amount, part: time.clamped(to: span).nanoseconds, of: time.nanoseconds)
    }

    /// Adds a part of an amount in proportion to the counted time; the whole is added exactly.
    mutating func add(_ amount: Double, part counted: Int64, of whole: Int64) {
        part.sum += counted == whole ? amount : amount * (Double(counted) / Double(whole))
    }

    // MARK: Readings

    /// Adds a value that was constant over a time that overlaps the span.
    mutating func read(_ value: Double, _ key: Int64, over time: Range<Instant>) {
        note(key, of: time)
        if time.lowerBound < span.lowerBound {
            part.continued.add(value)
        } else {
            part.started.add(value)
        }
        part.addToAverage(value, seconds: time.clamped(to: span).seconds, style)
        part.minimum = min(part.minimum, value)
        part.maximum = max(part.maximum, value)
    }

    /// Adds the slope between two readings.
    mutating func add(_ slope: ReadingSlope) {
        let time = slope.span.clamped(to: span)
        guard style == .discreteTemporallyWeighted, !time.isEmpty else { return }
        part.addToAverage(slope.mean(in: time), seconds: time.seconds, style)
    }
}

extension Range<Instant> {
    /// The duration in nanoseconds.
    var nanoseconds: Int64 { upperBound.nanoseconds(since: lowerBound) }

    /// The duration in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Int64 {
    /// Adds a number that is not negative, clamped to the range of the type.
    mutating func addSaturating(_ other: Int64) {
        let (sum, isOverflow) = addingReportingOverflow(other)
        self = isOverflow ? .max : sum
    }
}
