import GatewayCore
import HealthModel

/// A time on the command line: an ISO 8601 date or time, or a duration before now.
enum TimeArgument {
    private static let secondsPerUnit: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
    ]

    /// Parses `2026-11-21T18:15`, `2026-11-21`, `90s`, `15m`, `24h`, `7d` or `2w`.
    ///
    /// A time without an offset is local time; a date is its local midnight.
    static func instant(
        _ text: String, now: Instant, calendar: LocalCalendar = .system
    ) -> Instant? {
        if let nanoseconds = span(text) {
            return now.adding(nanoseconds: -nanoseconds)
        }
        if text.contains("T") || text.contains(" "), let exact = Instant(iso8601: text) {
            return exact
        }
        return local(text, calendar)
    }

    /// A duration in nanoseconds.
    private static func span(_ text: String) -> Int64? {
        guard let unit = text.last, let seconds = secondsPerUnit[unit],
            let count = Int64(text.dropLast()), count >= 0
        else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: seconds * 1_000_000_000)
        return overflow ? nil : product
    }

    /// Parses the text as UTC, then converts that clock time to the calendar's time zone.
    private static func local(_ text: String, _ calendar: LocalCalendar) -> Instant? {
        let isDate = !text.contains("T") && !text.contains(" ")
        guard let utc = Instant(iso8601: isDate ? text : "\(text)Z") else { return nil }
        let seconds = utc.nanosecondsSince1970.dividedFloor(by: 1_000_000_000)
        let rest = utc.nanosecondsSince1970 - seconds * 1_000_000_000
        let days = seconds.dividedFloor(by: 86_400)
        guard let date = CalendarDate(daysSince1970: Int(days)) else { return nil }
        return calendar.instant(date, secondsSinceMidnight: Int(seconds - days * 86_400))
            .adding(nanoseconds: rest)
    }
}
