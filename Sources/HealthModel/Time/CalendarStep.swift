/// A length of time by the calendar, into which statistics cut a longer one.
public struct CalendarStep: Hashable, Sendable {
    /// What a step is counted in.
    public enum Component: String, Sendable, CaseIterable {
        /// Minutes, beginning anew with each day.
        case minute
        /// Hours, beginning anew with each day.
        case hour
        /// Days from midnight to midnight: 23 or 25 hours when the clocks are changed.
        case day
        /// Weeks from Monday to Monday (ISO 8601).
        case week
        /// Months from their first day on.
        case month
    }

    /// The largest number of units in a step.
    public static let maximumCount = 10_000

    /// What it is counted in.
    public let component: Component
    /// How many of them, from 1.
    public let count: Int

    /// Makes a step; nil when the count is not from 1 to ``largestCount``.
    public init?(_ count: Int, _ component: Component) {
        guard (1...Self.maximumCount).contains(count) else { return nil }
        self.component = component
        self.count = count
    }

    /// The length of a step of minutes or hours, in nanoseconds; nil for whole days.
    fileprivate var nanoseconds: Int64? {
        switch component {
        case .minute: Int64(count) * 60_000_000_000
        case .hour: Int64(count) * 3_600_000_000_000
        case .day, .week, .month: nil
        }
    }

    /// The days in which a step with this day in it begins, and the next one does.
    ///
    /// Several days, weeks or months are counted from the ones that `first` lies in.
    fileprivate func days(with date: CalendarDate, countedFrom first: CalendarDate) -> Range<Int> {
        switch component {
        case .minute, .hour:
            return date.daysSince1970..<date.daysSince1970 + 1
        case .day, .week:
            let length = component == .week ? count * 7 : count
            let anchor = first.daysSince1970 - (component == .week ? first.weekday - 1 : 0)
            let start = anchor + (date.daysSince1970 - anchor) / length * length
            return start..<start + length
        case .month:
            let anchor = first.year * 12 + first.month - 1
            let start = anchor + (date.year * 12 + date.month - 1 - anchor) / count * count
            return Self.firstDay(ofMonth: start)..<Self.firstDay(ofMonth: start + count)
        }
    }

    private static func firstDay(ofMonth month: Int) -> Int {
        // Beyond the calendar's end there is no other month.
        CalendarDate(year: month / 12, month: month % 12 + 1, day: 1)?.daysSince1970 ?? .max
    }
}

extension LocalCalendar {
    /// Cuts a span into steps of the calendar, without a gap and without anything outside of the span: its
    /// first and last step may be shorter.
    ///
    /// Steps of minutes and hours begin anew with each day, so that none of them lies in two days.
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

    /// The beginning of the step that an instant lies in; the step's first one when several are one.
    public func start(ofStepWith instant: Instant, _ step: CalendarStep) -> Instant {
        let date = dayBegun(by: instant)
        let days = step.days(with: date, countedFrom: date)
        let start = CalendarDate(daysSince1970: days.lowerBound).map(start(of:)) ?? instant
        guard let length = step.nanoseconds else { return min(start, instant) }
        let passed = max(instant.nanoseconds(since: start), 0)
        return min(start.adding(nanoseconds: passed / length * length), instant)
    }

    /// The last day that has begun by an instant.
    ///
    /// Where clocks are put back over midnight they show the day before once more, but that is over.
    private func dayBegun(by instant: Instant) -> CalendarDate {
        let date = date(at: instant)
        guard let next = date.adding(days: 1), start(of: next) <= instant else { return date }
        return next
    }

    /// The end of the step that an instant lies in; always later than the instant.
    private func end(
        ofStepWith instant: Instant, _ step: CalendarStep, countedFrom first: CalendarDate
    ) -> Instant {
        let days = step.days(with: dayBegun(by: instant), countedFrom: first)
        let end = CalendarDate(daysSince1970: days.upperBound).map(start(of:)) ?? .latest
        guard let length = step.nanoseconds else { return max(end, instant.next) }
        let dayStart = CalendarDate(daysSince1970: days.lowerBound).map(start(of:)) ?? instant
        let passed = max(instant.nanoseconds(since: dayStart), 0)
        let next = dayStart.adding(nanoseconds: (passed / length + 1) * length)
        return max(min(next, end), instant.next)
    }
}

extension Instant {
    /// The last one there is.
    fileprivate static var latest: Instant { Instant(nanosecondsSince1970: .max) }
    /// The next one there is.
    fileprivate var next: Instant { adding(nanoseconds: 1) }
}
