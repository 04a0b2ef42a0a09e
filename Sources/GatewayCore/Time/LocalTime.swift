package import HealthModel

/// Formatting of times for people.
package enum LocalTime {
    /// Formats a local time as `2026-11-21 19:15:00.123`.
    package static func text(_ instant: Instant, _ calendar: LocalCalendar = .system) -> String {
        let offset = Int64(calendar.secondsFromUTC(at: instant)) * 1_000_000_000
        let text = instant.adding(nanoseconds: offset).description
        return text.prefix(23).map { $0 == "T" ? " " : String($0) }.joined()
    }

    /// Formats a local time as `2026-11-21 19:15`, with seconds only if they are not zero.
    package static func short(_ instant: Instant, _ calendar: LocalCalendar = .system) -> String {
        let text = text(instant, calendar)
        if text.hasSuffix(":00.000") { return String(text.dropLast(7)) }
        return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
    }
}
