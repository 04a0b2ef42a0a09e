import GatewayCore
import HealthModel

/// A time on the command line: an ISO 8601 date or time, or a duration before now.
enum TimeArgument {
    private static let secondsPerUnit: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
    ]

    /// Parses `2026-11-21T18:15`, `2026-11-21`, `now`, `today`, `yesterday`, `90s`, `15m`, `24h`,
    /// `7d` or `2w`.
    ///
    /// A time without an offset is local time; a date is its local midnight.
    static func instant(
        _ text: String, now: Instant, calendar: LocalCalendar = .system
    ) -> Instant? {
        if let nanoseconds = span(text) {
            return now.adding(nanoseconds: -nanoseconds)
        }
        let today = calendar.date(at: now)
        switch text {
        case "now": return now
        case "today": return calendar.start(of: today)
        case "yesterday": return today.adding(days: -1).map { calendar.start(of: $0) }
        default: break
        }
        if text.contains("T") || text.contains(" "), let exact = Instant(iso8601: text) {
            return exact
        }
        guard let local = LocalClockTime(text) else { return nil }
        return calendar.instant(local.date, secondsSinceMidnight: local.seconds)
            .adding(nanoseconds: local.nanoseconds)
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
struct LocalClockTime {
    let date: CalendarDate
    /// The seconds since midnight.
    let seconds: Int
    /// The nanoseconds after the second.
    let nanoseconds: Int64

    /// Reads the text as UTC: the same clock time.
    init?(_ text: String) {
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
