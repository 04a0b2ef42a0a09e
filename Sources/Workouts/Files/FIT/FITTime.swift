import HealthModel

/// Times in FIT: whole seconds since 1989-12-31T00:00:00Z.
enum FITTime {
    /// That moment, in seconds since 1970.
    private static let epoch: Int64 = 631_065_600
    /// Below this a number is no date: it counts from when a device was switched on.
    private static let earliest: Int64 = 0x1000_0000
    private static let latest = Int64(UInt32.max) - 86_400

    /// What is written for a second; one out of range becomes no value.
    static func number(second: Int64) -> Double { Double(second) - Double(epoch) }

    static func number(_ instant: Instant) -> Double { number(second: instant.wholeSecond) }

    /// Whether FIT has this time.
    static func has(_ instant: Instant) -> Bool {
        (earliest...latest).contains(instant.wholeSecond - epoch)
    }

    /// The second that a number stands for, since 1970; nil when it is no date.
    static func second(_ number: Double?) -> Int64? {
        guard let number, number >= Double(earliest), number < Double(UInt32.max) else {
            return nil
        }
        return Int64(number) + epoch
    }
}
