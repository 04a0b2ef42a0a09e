/// A moment on the machine's own clock: nanoseconds since boot, suspend included.
///
/// It is `CLOCK_BOOTTIME`, which no step of the wall clock touches. Intervals between receipts are
/// taken on it; ``ClockEpoch`` maps it to UTC.
public struct BootInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the machine was started.
    public let nanoseconds: Int64

    /// Makes a moment from nanoseconds since boot.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The moment `nanoseconds` later; it stays at the end of the scale instead of overflowing.
    public func adding(nanoseconds delta: Int64) -> BootInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return BootInstant(nanoseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// The moment `seconds` later; it stays at the end of the scale instead of overflowing.
    public func adding(seconds: Double) -> BootInstant {
        adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
    }

    /// How many nanoseconds this moment is after `earlier`; negative when it is before.
    public func nanoseconds(since earlier: BootInstant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? (nanoseconds < earlier.nanoseconds ? .min : .max) : difference
    }

    /// How many seconds this moment is after `earlier`; negative when it is before.
    public func seconds(since earlier: BootInstant) -> Double {
        Double(nanoseconds(since: earlier)) / 1e9
    }

    /// Whether `left` is before `right`.
    public static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
