import Glibc
import HealthModel

/// A time as a user types it: a date or time of ISO 8601, or a span back from now.
enum TimeArgument {
    private static let secondsPerUnit: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
    ]

    /// Reads `2026-11-21T18:15`, `2026-11-21`, `90s`, `15m`, `24h`, `7d` or `2w`.
    ///
    /// A time without an offset is the local one, a date is its local midnight.
    static func instant(_ text: String, now: Instant) -> Instant? {
        if let seconds = span(text) {
            return now.adding(nanoseconds: -seconds)
        }
        if text.contains("T") || text.contains(" "), let exact = Instant(iso8601: text) {
            return exact
        }
        return local(text)
    }

    /// A span in nanoseconds.
    private static func span(_ text: String) -> Int64? {
        guard let unit = text.last, let seconds = secondsPerUnit[unit],
            let count = Int64(text.dropLast()), count >= 0
        else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: seconds * 1_000_000_000)
        return overflow ? nil : product
    }

    /// Reads the text as if it were UTC, then moves it by what the local zone is off at that time.
    private static func local(_ text: String) -> Instant? {
        let isDate = !text.contains("T") && !text.contains(" ")
        guard let utc = Instant(iso8601: isDate ? text : "\(text)Z") else { return nil }
        let nanoseconds = utc.nanosecondsSince1970
        var seconds = time_t(nanoseconds.dividedFloor(by: 1_000_000_000))
        var fields = tm()
        gmtime_r(&seconds, &fields)
        fields.tm_isdst = -1
        let moved = Int64(mktime(&fields)) - Int64(seconds)
        return utc.adding(nanoseconds: moved * 1_000_000_000)
    }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers.
    func dividedFloor(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
