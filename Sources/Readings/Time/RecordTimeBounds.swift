package import HealthModel

/// The times that a record may have which does not come from a sensor that is read now.
///
/// A clock that was wrong, a unit that was mistaken or a malicious client would otherwise put
/// records where no query expects them, and into ids that sort after everything.
package struct RecordTimeBounds: Sendable {
    /// How far a record may end in the future: a time zone was mistaken, or a clock.
    package static let futureNanoseconds: Int64 = 86_400_000_000_000
    /// The earliest start: no living person has older samples.
    package static let earliest = Instant(nanosecondsSince1970: -2_208_988_800_000_000_000)

    /// The maximum duration of a sample: a leap year.
    package static let maximumNanoseconds: Int64 = 366 * 86_400 * 1_000_000_000

    private let latest: Instant

    /// Makes the bounds at a time.
    package init(at now: Instant) {
        latest = now.adding(nanoseconds: Self.futureNanoseconds)
    }

    /// The reason why a record is rejected; nil when its times are within the bounds.
    package func problem(of record: Record) -> String? {
        let (start, end) = record.span
        if end > latest {
            return "ends more than a day in the future; check time and clock"
        }
        if start < Self.earliest { return "starts before 1900; check its time" }
        return nil
    }
}
