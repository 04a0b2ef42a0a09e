import Glibc
package import HealthModel

extension LocalCalendar {
    /// The calendar of the system's time zone, or of `$TZ`; weeks begin as in the environment's
    /// locale.
    package static let system = LocalCalendar(firstWeekday: FirstWeekday.ofLocale) { instant in
        var seconds = time_t(
            instant.nanosecondsSince1970.dividedFloor(by: 1_000_000_000))
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return 0 }
        return fields.tm_gmtoff
    }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers.
    package func dividedFloor(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
