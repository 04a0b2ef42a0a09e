import GatewayCore
package import GatewayHost
package import HealthModel
import JSON
import Platform

/// A period on the command line: a word such as `last week`, or a date or month of ISO 8601.
package enum PeriodArgument {
    /// The words, with the hyphen that makes quotes in a shell unnecessary.
    package static let words = [
        "today", "yesterday", "this-week", "last-week", "this-month", "last-month", "this-year",
        "last-year",
    ]

    /// Parses `today`, `yesterday`, `this week`, `last month`, `2026-11-21` or `2026-11`.
    ///
    /// Case and the sign between two words, a space, `-` or `_`, are ignored. A day has 23 or 25
    /// hours when the clocks change; a week starts on the calendar's first weekday, as the steps of
    /// statistics do.
    ///
    /// - Returns: The whole period, also where it ends after `now`; nil for any other text.
    package static func span(
        _ text: String, now: Instant, calendar: LocalCalendar
    ) -> Range<Instant>? {
        if let word = word(text) {
            guard let first = firstDay(of: word, calendar.date(at: now), calendar) else {
                return nil
            }
            return span(from: first, for: word.length, calendar)
        }
        if let day = CalendarDate(iso8601: text) { return span(from: day, for: .day, calendar) }
        guard text.utf8.count == 7, let first = CalendarDate(iso8601: "\(text)-01") else {
            return nil
        }
        return span(from: first, for: .month, calendar)
    }

    /// Parses the period of an option; the error suggests a word.
    package static func span(
        _ text: String, option: String, now: Instant, calendar: LocalCalendar
    ) throws(HostError) -> Range<Instant> {
        if let span = span(text, now: now, calendar: calendar) { return span }
        let advice = Suggestion.message(unknown: normalized(text), known: words + ["2026-11"])
        throw HostError(
            .usage, "\(option): unknown period `\(LogFormat.escaped(text))`; \(advice)")
    }

    /// Whether a text is one of the words, in any spelling.
    package static func isWord(_ text: String) -> Bool { word(text) != nil }

    /// The text in small letters, with a hyphen between two words: `Last week` is `last-week`.
    package static func normalized(_ text: String) -> String {
        String(text.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    }

    private enum Length: String {
        case day, week, month, year

        /// The first day of the period of this length that contains a date.
        func start(with date: CalendarDate, _ calendar: LocalCalendar) -> CalendarDate? {
            switch self {
            case .day: date
            case .week: date.adding(days: -date.days(sinceWeekday: calendar.firstWeekday))
            case .month: CalendarDate(year: date.year, month: date.month, day: 1)
            case .year: CalendarDate(year: date.year, month: 1, day: 1)
            }
        }

        /// The first day of a period some periods later.
        func start(_ count: Int, after first: CalendarDate) -> CalendarDate? {
            switch self {
            case .day: first.adding(days: count)
            case .week: first.adding(days: 7 * count)
            case .month: first.adding(months: count)
            case .year: first.adding(months: 12 * count)
            }
        }
    }

    /// The length of the period, and how many periods ago it was.
    private static func word(_ text: String) -> (length: Length, ago: Int)? {
        let text = normalized(text)
        switch text {
        case "today": return (.day, 0)
        case "yesterday": return (.day, 1)
        default: break
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Length(rawValue: String(parts[1])), length != .day
        else { return nil }
        return parts[0] == "this" ? (length, 0) : parts[0] == "last" ? (length, 1) : nil
    }

    private static func firstDay(
        of word: (length: Length, ago: Int), _ today: CalendarDate, _ calendar: LocalCalendar
    ) -> CalendarDate? {
        word.length.start(with: today, calendar).flatMap { word.length.start(-word.ago, after: $0) }
    }

    private static func span(
        from first: CalendarDate, for length: Length, _ calendar: LocalCalendar
    ) -> Range<Instant>? {
        guard let next = length.start(1, after: first) else { return nil }
        let span = calendar.span(from: first, until: next)
        return span.isEmpty ? nil : span  // beyond the range of an instant
    }
}
