package import HealthModel

/// Times as people read them.
package enum LocalTime {
    /// `2026-11-21 19:15:00.123`, by the clocks of a place.
    package static func text(_ instant: Instant, _ calendar: LocalCalendar = .system) -> String {
        let offset = Int64(calendar.secondsFromUTC(at: instant)) * 1_000_000_000
        let text = instant.adding(nanoseconds: offset).description
        return text.prefix(23).map { $0 == "T" ? " " : String($0) }.joined()
    }

    /// `2026-11-21 19:15`, and the seconds only where there are any.
    package static func short(_ instant: Instant, _ calendar: LocalCalendar = .system) -> String {
        let text = text(instant, calendar)
        if text.hasSuffix(":00.000") { return String(text.dropLast(7)) }
        return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
    }
}
