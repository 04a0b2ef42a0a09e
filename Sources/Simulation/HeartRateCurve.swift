/// A heart rate over time: points joined by straight lines.
public struct HeartRateCurve: Hashable, Sendable {
    /// A heart rate at a time.
    public struct Point: Hashable, Sendable {
        /// The time in seconds since the start.
        public let atSeconds: Double
        /// The heart rate in beats per minute.
        public let rate: Double

        /// Makes a point.
        public init(atSeconds: Double, rate: Double) {
            self.atSeconds = atSeconds
            self.rate = rate
        }
    }

    /// What follows the last point.
    public enum End: String, CaseIterable, Hashable, Sendable {
        /// The rate of the last point, for ever.
        case hold
        /// The curve again, from the time 0.
        case `repeat`
    }

    /// The heart rates that a curve may have, in beats per minute.
    public static let rates = 30.0...220.0

    private let points: [Point]
    private let end: End

    /// Makes a curve; nil if there is no point, if the times do not grow from 0 or later, or if a
    /// rate is out of ``rates``.
    public init?(_ points: [Point], end: End = .hold) {
        let isAscending = zip(points, points.dropFirst()).allSatisfy { $0.atSeconds < $1.atSeconds }
        guard let first = points.first, first.atSeconds >= 0, isAscending,
            points.allSatisfy({ Self.rates.contains($0.rate) && $0.atSeconds.isFinite })
        else { return nil }
        self.points = points
        self.end = end
    }

    /// Returns the heart rate at a time in seconds since the start.
    ///
    /// Before the first point it is the rate of the first point.
    public func rate(at seconds: Double) -> Double {
        let last = points[points.count - 1]
        var time = seconds
        if end == .repeat, last.atSeconds > 0, seconds >= last.atSeconds {
            time = seconds.truncatingRemainder(dividingBy: last.atSeconds)
        }
        guard let next = points.firstIndex(where: { $0.atSeconds > time }) else { return last.rate }
        guard next > 0 else { return points[0].rate }
        let (from, to) = (points[next - 1], points[next])
        let share = (time - from.atSeconds) / (to.atSeconds - from.atSeconds)
        return from.rate + (to.rate - from.rate) * share
    }
}
