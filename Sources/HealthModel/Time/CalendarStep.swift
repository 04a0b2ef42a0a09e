/// A calendar interval, such as 1 day or 15 minutes, into which statistics divide a span of time.
public struct CalendarStep: Hashable, Sendable {
    /// The unit of a step.
    public enum Component: String, Sendable, CaseIterable {
        /// Minutes, counted from the start of each day.
        case minute
        /// Hours, counted from the start of each day.
        case hour
        /// Days from midnight to midnight: 23 or 25 hours when daylight saving time changes.
        case day
        /// Weeks from the calendar's first weekday.
        case week
        /// Months from their first day.
        case month
    }

    /// The largest number of units in a step.
    public static let maximumCount = 10_000

    /// The unit of the step.
    public let component: Component
    /// The number of units, at least 1.
    public let count: Int

    /// Makes a step; nil when the count is not from 1 to ``maximumCount``.
    public init?(_ count: Int, _ component: Component) {
        guard (1...Self.maximumCount).contains(count) else { return nil }
        self.component = component
        self.count = count
    }

    /// The length of a step of minutes or hours, in nanoseconds; nil for days and longer.
    fileprivate var nanoseconds: Int64? {
        switch component {
        case .minute: Int64(count) * 60_000_000_000
        case .hour: Int64(count) * 3_600_000_000_000
        case .day, .week, .month: nil
        }
    }

    /// The first day of the step that contains a date, and the first day of the next step.
    ///
    /// Steps of several days, weeks or months are counted from the one that contains `first`.
    fileprivate func days(
        with date: CalendarDate, countedFrom first: CalendarDate, _ calendar: LocalCalendar
    ) -> Range<Int> {
        switch component {
        case .minute, .hour:
            return date.daysSince1970..<date.daysSince1970 + 1
        case .day, .week:
            let length = component == .week ? count * 7 : count
            let passed = first.days(sinceWeekday: calendar.firstWeekday)
            let anchor = first.daysSince1970 - (component == .week ? passed : 0)
            let start = anchor + (date.daysSince1970 - anchor) / length * length
            return start..<start + length
        case .month:
            let anchor = first.year * 12 + first.month - 1
            let start = anchor + (date.year * 12 + date.month - 1 - anchor) / count * count
            return Self.firstDay(ofMonth: start)..<Self.firstDay(ofMonth: start + count)
        }
    }

    private static func firstDay(ofMonth month: Int) -> Int {
        // After the last year of the calendar there is no next month.
        CalendarDate(year: month / 12, month: month % 12 + 1, day: 1)?.daysSince1970 ?? .max
    }
}

extension LocalCalendar {
    /// Divides a span into calendar steps without gaps; the first and the last step are cut to the
    /// span.
    ///
    /// Steps of minutes and hours restart with each day, so that none of them spans two days.
    ///
    /// - Returns: The steps in order; nil when there would be more than `limit`.
    public func steps(
        of span: Range<Instant>, by step: CalendarStep, limit: Int = 100_000
    ) -> [Range<Instant>]? {
        var steps: [Range<Instant>] = []
        let first = dayBegun(by: span.lowerBound)
        var start = span.lowerBound
        while start < span.upperBound {
            guard steps.count < limit else { return nil }
            let end = min(self.end(ofStepWith: start, step, countedFrom: first), span.upperBound)
            steps.append(start..<end)
            start = end
        }
        return steps
    }

    /// The start of the step that contains an instant.
    public func start(ofStepWith instant: Instant, _ step: CalendarStep) -> Instant {
        let date = dayBegun(by: instant)
        let days = step.days(with: date, countedFrom: date, self)
        let start = CalendarDate(daysSince1970: days.lowerBound).map(start(of:)) ?? instant
        guard let length = step.nanoseconds else { return min(start, instant) }
        let passed = max(instant.nanoseconds(since: start), 0)
        return min(start.adding(nanoseconds: passed / length * length), instant)
    }

    /// The latest day that has started at an instant.
    ///
    /// When clocks are set back over midnight, they show the day before again; it does not count
    /// again.
    private func dayBegun(by instant: Instant) -> CalendarDate {
        let date = date(at: instant)
        guard let next = date.adding(days: 1), start(of: next) <= instant else { return date }
        return next
    }

    /// The end of the step that contains an instant; always later than the instant.
    private func end(
        ofStepWith instant: Instant, _ step: CalendarStep, countedFrom first: CalendarDate
    ) -> Instant {
        let days = step.days(with: dayBegun(by: instant), countedFrom: first, self)
        let end = CalendarDate(daysSince1970: days.upperBound).map(start(of:)) ?? .latest
        guard let length = step.nanoseconds else { return max(end, instant.next) }
        let dayStart = CalendarDate(daysSince1970: days.lowerBound).map(start(of:)) ?? instant
        let passed = max(instant.nanoseconds(since: dayStart), 0)
        let next = dayStart.adding(nanoseconds: (passed / length + 1) * length)
        return max(min(next, end), instant.next)
    }
}

extension Instant {
    /// The last instant of the range.
    fileprivate static var latest: Instant { Instant(nanosecondsSince1970: .max) }
    /// The next instant, one nanosecond later.
    fileprivate var next: Instant { adding(nanoseconds: 1) }
}
