import HealthModel

/// What happened between two readings, as far as anybody can say.
///
/// The value goes straight from one reading to the next, but only where they are not too far apart: what
/// happened in a longer gap nobody knows. HealthKit calls its average a "temporally weighted
/// integration" and publishes no more; that it merges equal neighbours "to preserve statistics" shows
/// that time between readings counts.
struct ReadingGap: Sendable {
    /// Readings further apart than this have nothing between them.
    let limitSeconds: Double
    private var last: (end: Instant, value: Double)?

    init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    /// When the reading ended that ended last.
    var end: Instant? { last?.end }

    /// Goes on to the next reading, and returns the way there; nil when there is none.
    mutating func slope(to span: Range<Instant>, _ value: Double) -> ReadingSlope? {
        guard let last else {
            self.last = (span.upperBound, value)
            return nil
        }
        if last.end <= span.upperBound { self.last = (span.upperBound, value) }
        // They touch or overlap.
        guard last.end < span.lowerBound else { return nil }
        let gap = last.end..<span.lowerBound
        guard gap.seconds <= limitSeconds else { return nil }
        return ReadingSlope(span: gap, from: last.value, to: value)
    }
}

/// The way of a value from one reading to the next.
struct ReadingSlope: Sendable {
    let span: Range<Instant>
    let from: Double
    let to: Double

    /// The mean value in a part of it.
    func mean(in part: Range<Instant>) -> Double {
        (value(at: part.lowerBound) + value(at: part.upperBound)) / 2
    }

    func value(at instant: Instant) -> Double {
        from + (to - from) * ((span.lowerBound..<instant).seconds / span.seconds)
    }
}
