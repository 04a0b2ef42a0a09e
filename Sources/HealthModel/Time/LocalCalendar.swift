/// The Gregorian calendar of a time zone, and the first day of its weeks.
///
/// It needs only the offset from UTC at any instant, which the caller takes from the time zone
/// database or from a fixed number.
public struct LocalCalendar: Sendable {
    /// The offset from UTC at an instant, in seconds.
    private let offset: @Sendable (Instant) -> Int
    /// The first day of a week by ISO 8601: 1 is Monday, 7 is Sunday.
    public let firstWeekday: Int

    /// The largest offset from UTC, in seconds.
    private static let maximumOffset = 86_400
    /// More than the range of all instants, from any date.
    private static let maximumSeconds = 1 << 40
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// Makes the calendar of a time zone.
    ///
    /// - Parameters:
    ///   - firstWeekday: The first day of a week, clamped to 1 to 7; Monday by default.
    ///   - offset: The offset from UTC at an instant, in seconds; clamped to one day.
    public init(firstWeekday: Int = 1, offset: @escaping @Sendable (Instant) -> Int) {
        self.firstWeekday = min(max(firstWeekday, 1), 7)
        self.offset = offset
    }

    /// The calendar of UTC.
    public static let utc = LocalCalendar { _ in 0 }

    /// The offset from UTC at an instant, in seconds.
    public func secondsFromUTC(at instant: Instant) -> Int {
        min(max(offset(instant), -Self.maximumOffset), Self.maximumOffset)
    }

    /// The date at an instant.
    public func date(at instant: Instant) -> CalendarDate {
        let (days, _) = localTime(at: instant)
        return CalendarDate(ofInstantDay: days)
    }

    /// The local time at an instant: the days since 1970 and the nanoseconds since midnight.
    func localTime(at instant: Instant) -> (days: Int, nanoseconds: Int64) {
        let shifted = instant.adding(
            nanoseconds: Int64(secondsFromUTC(at: instant)) * Self.nanosecondsPerSecond)
        let day = 86_400 * Self.nanosecondsPerSecond
        let (quotient, rest) = shifted.nanosecondsSince1970.quotientAndRemainder(dividingBy: day)
        return rest < 0 ? (Int(quotient) - 1, rest + day) : (Int(quotient), rest)
    }

    /// The first instant with a local time.
    ///
    /// For a local time that is skipped when clocks are set forward, it is the instant of that
    /// change. It is clamped to the range of an instant.
    public func instant(_ date: CalendarDate, secondsSinceMidnight: Int = 0) -> Instant {
        if let first = instants(date, secondsSinceMidnight: secondsSinceMidnight).first {
            return first
        }
        let (start, end) = Self.around(date, secondsSinceMidnight)
        return change(from: start, to: end, offset: secondsFromUTC(at: start))
    }

    /// All instants with a local time: none when clocks are set forward over it, two when they are
    /// set back over it.
    public func instants(_ date: CalendarDate, secondsSinceMidnight: Int = 0) -> [Instant] {
        // The offsets a day before and a day after are the two possible ones.
        let (start, end) = Self.around(date, secondsSinceMidnight)
        let (early, late) = (secondsFromUTC(at: start), secondsFromUTC(at: end))
        let local = Self.local(date, secondsSinceMidnight)
        return (early == late ? [early] : [max(early, late), min(early, late)]).compactMap {
            let instant = Self.instant(seconds: local - Int64($0))
            return secondsFromUTC(at: instant) == $0 ? instant : nil
        }
    }

    /// The instants a day before and a day after a local time.
    private static func around(_ date: CalendarDate, _ seconds: Int) -> (Instant, Instant) {
        let local = local(date, seconds)
        return (
            instant(seconds: local - Int64(maximumOffset)),
            instant(seconds: local + Int64(maximumOffset))
        )
    }

    /// A local time as seconds since 1970 without an offset.
    private static func local(_ date: CalendarDate, _ seconds: Int) -> Int64 {
        Int64(date.daysSince1970) * 86_400
            + Int64(min(max(seconds, -maximumSeconds), maximumSeconds))
    }

    /// The first instant with a local time that is written as if it were UTC.
    public func instant(local: Instant) -> Instant {
        let (days, nanoseconds) = Self.utc.localTime(at: local)
        let (seconds, rest) = nanoseconds.quotientAndRemainder(
            dividingBy: Self.nanosecondsPerSecond)
        return instant(CalendarDate(ofInstantDay: days), secondsSinceMidnight: Int(seconds))
            .adding(nanoseconds: rest)
    }

    /// The first instant at which the offset is no longer `offset`.
    private func change(from start: Instant, to end: Instant, offset: Int) -> Instant {
        var (low, high) = (start.nanosecondsSince1970, end.nanosecondsSince1970)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if secondsFromUTC(at: Instant(nanosecondsSince1970: middle)) == offset {
                low = middle
            } else {
                high = middle
            }
        }
        return Instant(nanosecondsSince1970: high)
    }

    /// The first instant of a day; for a skipped day, that of the next one.
    public func start(of date: CalendarDate) -> Instant { instant(date) }

    /// The span from the start of a day to the start of another one; empty when that is not later.
    public func span(from first: CalendarDate, until last: CalendarDate) -> Range<Instant> {
        let start = start(of: first)
        return start..<max(start, self.start(of: last))
    }

    private static func instant(seconds: Int64) -> Instant {
        let (product, isOverflow) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
        guard isOverflow else { return Instant(nanosecondsSince1970: product) }
        return Instant(nanosecondsSince1970: seconds < 0 ? .min : .max)
    }
}
