import HealthModel

/// Interpolates linearly between consecutive readings.
///
/// Readings that are too far apart are not interpolated: the value in a longer gap is unknown.
/// HealthKit calls its average a "temporally weighted integration" and documents no details; that
/// it merges equal neighbours "to preserve statistics" shows that time between readings counts.
struct ReadingInterpolator: Sendable {
    /// The maximum gap to interpolate, in seconds.
    let limitSeconds: Double
    private var last: (end: Instant, value: Double)?

    init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    /// The latest end of a reading.
    var end: Instant? { last?.end }

    /// Advances to the next reading and returns the slope to it; nil when there is none.
    mutating func slope(to span: Range<Instant>, _ value: Double) -> ReadingSlope? {
        guard let last else {
            self.last = (span.upperBound, value)
            return nil
        }
        if last.end <= span.upperBound { self.last = (span.upperBound, value) }
        // Adjacent or overlapping readings have no gap.
        guard last.end < span.lowerBound else { return nil }
        let gap = last.end..<span.lowerBound
        guard gap.seconds <= limitSeconds else { return nil }
        return ReadingSlope(span: gap, from: last.value, to: value)
    }
}

/// The linear change of a value between two readings.
struct ReadingSlope: Sendable {
    let span: Range<Instant>
    let from: Double
    let to: Double

    /// The mean value in a part of the span.
    func mean(in part: Range<Instant>) -> Double {
        guard part != span else { return (from + to) / 2 }
        return (value(at: part.lowerBound) + value(at: part.upperBound)) / 2
    }

    func value(at instant: Instant) -> Double {
        from + (to - from) * ((span.lowerBound..<instant).seconds / span.seconds)
    }
}
