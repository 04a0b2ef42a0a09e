import HealthModel

/// Times in FIT: whole seconds since 1989-12-31T00:00:00Z.
enum FITTime {
    /// The FIT epoch, in seconds since 1970.
    private static let epoch: Int64 = 631_065_600
    /// The first number that is a date: smaller ones count from the start of a device.
    private static let earliest: Int64 = 0x1000_0000
    private static let latest = Int64(UInt32.max) - 86_400

    /// The FIT time of a second; one out of range becomes a missing value.
    static func number(second: Int64) -> Double { Double(second) - Double(epoch) }

    static func number(_ instant: Instant) -> Double { number(second: instant.wholeSecond) }

    /// Whether FIT can represent a time.
    static func canRepresent(_ instant: Instant) -> Bool {
        (earliest...latest).contains(instant.wholeSecond - epoch)
    }

    /// The second of a FIT time, since 1970; nil when it is not a date.
    ///
    /// - Parameter clock: The date at which the clock of the device was 0, in FIT's seconds.
    static func second(_ number: Double?, clock: Int64?) -> Int64? {
        guard let number, number >= 0, number < Double(UInt32.max) else { return nil }
        let second = Int64(number)
        if second >= earliest { return second + epoch }
        return clock.map { $0 + second + epoch }
    }

    /// The date at which the clock of a device was 0, in FIT's seconds, from the time that a message
    /// has in both (FIT Profile, message "timestamp_correlation").
    static func clock(_ message: FITMessage) -> Int64? {
        guard let date = message.number(253), let system = message.number(1), isRelative(system),
            date >= Double(earliest), date < Double(UInt32.max)
        else { return nil }
        return Int64(date) - Int64(system)
    }

    /// Whether a FIT time counts from the start of a device.
    static func isRelative(_ number: Double?) -> Bool {
        number.map { $0 >= 0 && $0 < Double(earliest) } ?? false
    }
}
