import HealthModel
import Workouts

extension Workout {
    /// The spans between pauses, in order.
    var activeSpans: [Range<Instant>] { (start..<end).without(pauses) }
}

extension Instant {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// The whole seconds since 1970, rounded down.
    var wholeSecond: Int64 {
        let (whole, rest) = nanosecondsSince1970.quotientAndRemainder(
            dividingBy: Self.nanosecondsPerSecond)
        return rest < 0 ? whole - 1 : whole
    }

    /// Creates the start of a second, clamped to the range of times.
    init(wholeSecond: Int64) {
        let (whole, isOverflow) = wholeSecond.multipliedReportingOverflow(
            by: Self.nanosecondsPerSecond)
        self.init(nanosecondsSince1970: isOverflow ? (wholeSecond < 0 ? .min : .max) : whole)
    }
}
