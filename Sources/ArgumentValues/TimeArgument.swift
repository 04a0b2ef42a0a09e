import GatewayCore
package import GatewayHost
package import HealthModel
import JSON
import Platform

/// A time on the command line: an ISO 8601 date or time, a duration before now, or the start of a
/// period.
package enum TimeArgument {
    /// The words that are a time.
    package static let words = ["now"] + PeriodArgument.words

    private static let secondsPerUnit: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
    ]

    /// Parses `2026-11-21T18:15`, `2026-11-21`, `now`, `today`, `last week`, `90s`, `15m`, `24h`,
    /// `7d` or `2w`.
    ///
    /// A time without an offset is local time; a date is its local midnight, and a period its start.
    package static func instant(
        _ text: String, now: Instant, calendar: LocalCalendar = .system
    ) -> Instant? {
        if let nanoseconds = span(text) {
            return now.adding(nanoseconds: -nanoseconds)
        }
        if text.lowercased() == "now" { return now }
        if let period = PeriodArgument.span(text, now: now, calendar: calendar) {
            return period.lowerBound
        }
        if text.contains("T") || text.contains(" "), let exact = Instant(iso8601: text) {
            return exact
        }
        guard let local = LocalClockTime(text) else { return nil }
        return calendar.instant(local.date, secondsSinceMidnight: local.seconds)
            .adding(nanoseconds: local.nanoseconds)
    }

    /// Parses the time of an option; the error suggests a word or shows examples.
    package static func instant(
        _ text: String, option: String, now: Instant, calendar: LocalCalendar
    ) throws(HostError) -> Instant {
        if let instant = instant(text, now: now, calendar: calendar) { return instant }
        let word = PeriodArgument.normalized(text)
        if let nearest = Suggestion.nearest(to: word, in: words) {
            throw HostError(
                .usage,
                "\(option): unknown time `\(LogFormat.escaped(text))`; did you mean `\(nearest)`?")
        }
        throw HostError(
            .usage,
            "\(option): expected a time such as 2026-11-21T18:15 or yesterday, or a duration such "
                + "as 15m, found `\(text)`")
    }

    /// A duration in nanoseconds.
    private static func span(_ text: String) -> Int64? {
        guard let unit = text.last, let seconds = secondsPerUnit[unit],
            let count = Int64(text.dropLast()), count >= 0
        else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: seconds * 1_000_000_000)
        return overflow ? nil : product
    }
}

/// A local date, or a date and a time without an offset.
package struct LocalClockTime {
    package let date: CalendarDate
    /// The seconds since midnight.
    package let seconds: Int
    /// The nanoseconds after the second.
    package let nanoseconds: Int64

    /// Reads the text as UTC: the same clock time.
    package init?(_ text: String) {
        let isDate = !text.contains("T") && !text.contains(" ")
        guard let utc = Instant(iso8601: isDate ? text : "\(text)Z") else { return nil }
        let whole = utc.nanosecondsSince1970.dividedFloor(by: 1_000_000_000)
        let days = whole.dividedFloor(by: 86_400)
        guard let date = CalendarDate(daysSince1970: Int(days)) else { return nil }
        self.date = date
        seconds = Int(whole - days * 86_400)
        nanoseconds = utc.nanosecondsSince1970 - whole * 1_000_000_000
    }
}
