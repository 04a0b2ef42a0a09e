/// The days and months of one place: the Gregorian calendar by the clocks that hang there.
///
/// All it has to know of the place is how far its clocks are ahead of UTC at any instant. Where that
/// comes from, a database of time zones or a fixed number, is the caller's choice.
public struct LocalCalendar: Sendable {
    /// How many seconds the clocks are ahead of UTC.
    private let offset: @Sendable (Instant) -> Int

    /// No clock is further from UTC than this, in seconds.
    private static let maximumOffset = 86_400
    /// From every date it leads beyond all instants.
    private static let maximumSeconds = 1 << 40
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// Makes the calendar of a place.
    ///
    /// - Parameter offset: How many seconds the clocks there are ahead of UTC; more than a day counts as a
    ///   day.
    public init(offset: @escaping @Sendable (Instant) -> Int) {
        self.offset = offset
    }

    /// The calendar of UTC.
    public static let utc = LocalCalendar { _ in 0 }

    /// How many seconds the clocks are ahead of UTC at an instant.
    public func secondsFromUTC(at instant: Instant) -> Int {
        min(max(offset(instant), -Self.maximumOffset), Self.maximumOffset)
    }

    /// The day that it is at an instant.
    public func date(at instant: Instant) -> CalendarDate {
        let (days, _) = localTime(at: instant)
        return CalendarDate(ofInstantDay: days)
    }

    /// The days since 1970 and the nanoseconds since midnight that the clocks show at an instant.
    func localTime(at instant: Instant) -> (days: Int, nanoseconds: Int64) {
        let shifted = instant.adding(
            nanoseconds: Int64(secondsFromUTC(at: instant)) * Self.nanosecondsPerSecond)
        let day = 86_400 * Self.nanosecondsPerSecond
        let (quotient, rest) = shifted.nanosecondsSince1970.quotientAndRemainder(dividingBy: day)
        return rest < 0 ? (Int(quotient) - 1, rest + day) : (Int(quotient), rest)
    }

    /// The instant at which the clocks show a time for the first time.
    ///
    /// A time that they leave out, when they are put forward, is the instant at which that happens. At the
    /// ends of an Instant's range it is the end.
    public func instant(_ date: CalendarDate, secondsSinceMidnight: Int = 0) -> Instant {
        let seconds = min(max(secondsSinceMidnight, -Self.maximumSeconds), Self.maximumSeconds)
        let local = Int64(date.daysSince1970) * 86_400 + Int64(seconds)
        // What holds a day before and a day after are the two offsets that the time can have.
        let early = secondsFromUTC(at: Self.instant(seconds: local - Int64(Self.maximumOffset)))
        let late = secondsFromUTC(at: Self.instant(seconds: local + Int64(Self.maximumOffset)))
        for offset in early == late ? [early] : [max(early, late), min(early, late)] {
            let instant = Self.instant(seconds: local - Int64(offset))
            if secondsFromUTC(at: instant) == offset { return instant }
        }
        return change(
            from: Self.instant(seconds: local - Int64(Self.maximumOffset)),
            to: Self.instant(seconds: local + Int64(Self.maximumOffset)), offset: early)
    }

    /// The first instant at which the clocks are no longer `offset` seconds ahead.
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

    /// The first instant of a day; of a day that the clocks leave out, that of the next.
    public func start(of date: CalendarDate) -> Instant { instant(date) }

    /// The span from the beginning of a day to that of another one; empty when that is not later.
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
