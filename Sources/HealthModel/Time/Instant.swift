/// A point in time: whole nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The range is that of an `Int64`: from 1677-09-21T00:12:43.145224192Z to
/// 2262-04-11T23:47:16.854775807Z.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Nanoseconds since 1970-01-01T00:00:00Z; negative before it.
    public let nanosecondsSince1970: Int64

    /// Makes an instant from nanoseconds since 1970-01-01T00:00:00Z.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Reads an ISO 8601 date (its midnight in UTC) or date and time.
    ///
    /// A time follows `T` or a space, may omit its seconds, may have a fraction of a second, and
    /// requires `Z` or an offset such as `+01:00`, `+0100` or `+01`. Digits beyond nanoseconds are
    /// truncated. Returns nil for anything else, and for a time outside of the range.
    public init?(iso8601 text: some StringProtocol) {
        var text = String(text)
        let instant = text.withUTF8 { Instant(iso8601Bytes: UnsafeRawBufferPointer($0)) }
        guard let instant else { return nil }
        self = instant
    }

    /// Returns the instant a number of nanoseconds later, clamped to the range.
    public func adding(nanoseconds: Int64) -> Instant {
        let (sum, isOverflow) = nanosecondsSince1970.addingReportingOverflow(nanoseconds)
        guard isOverflow else { return Instant(nanosecondsSince1970: sum) }
        return Instant(nanosecondsSince1970: nanoseconds < 0 ? .min : .max)
    }

    /// Returns the nanoseconds from another instant to this one, clamped to the range.
    public func nanoseconds(since other: Instant) -> Int64 {
        let (difference, isOverflow) = nanosecondsSince1970.subtractingReportingOverflow(
            other.nanosecondsSince1970)
        guard isOverflow else { return difference }
        return self < other ? .min : .max
    }

    /// The time in UTC, such as `2026-11-21T18:15:00.123Z`.
    ///
    /// It has 3, 6 or 9 digits after the decimal point: the fewest that represent this instant
    /// exactly.
    public var description: String {
        var buffer: [UInt8] = []
        appendISO8601(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Orders instants by time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}
