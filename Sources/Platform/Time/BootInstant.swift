/// A point in time of the boot clock: nanoseconds since boot, including suspend.
///
/// The clock is `CLOCK_BOOTTIME`, which a step of the wall clock does not affect. Times of receipt
/// are measured with it; ``ClockEpoch`` maps them to UTC.
public struct BootInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since boot.
    public let nanoseconds: Int64

    /// Makes a point in time from nanoseconds since boot.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The time `nanoseconds` later, clamped to the range of the type.
    public func adding(nanoseconds delta: Int64) -> BootInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return BootInstant(nanoseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// The time `seconds` later, clamped to the range of the type.
    public func adding(seconds: Double) -> BootInstant {
        adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
    }

    /// The nanoseconds from `earlier` to this time; negative when it is before.
    public func nanoseconds(since earlier: BootInstant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? (nanoseconds < earlier.nanoseconds ? .min : .max) : difference
    }

    /// The seconds from `earlier` to this time; negative when it is before.
    public func seconds(since earlier: BootInstant) -> Double {
        Double(nanoseconds(since: earlier)) / 1e9
    }

    /// Whether `left` is before `right`.
    public static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
