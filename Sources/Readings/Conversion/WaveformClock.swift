import Platform

/// The dating of values at a constant rate.
///
/// The newest value of the first reading gets the time of receipt as an anchor, and the device's clock
/// measures the time from there, or the number of values if the device sends no time. Delays are only
/// positive: if a value would be later than its receipt, the anchor moves back, slowly, so that no
/// value is before an earlier one.
struct WaveformClock: Sendable {
    /// The times of the values of a reading.
    struct Times: Equatable {
        /// The time of the newest value.
        let newest: BootInstant
        /// The time between two values in nanoseconds.
        let interval: Double

        /// Returns the time of the value that is `back` values older than the newest.
        func time(back: Int) -> BootInstant {
            newest.adding(nanoseconds: -Int64((Double(back) * interval).rounded()))
        }
    }

    /// The maximum lag of values behind their receipt: above it values without a device time were lost.
    static let maximumLagSeconds = 3.0
    /// The maximum lag of values with a device time, which may be delayed together.
    static let maximumDatedLagSeconds = 10.0
    /// The maximum lead of values before their receipt: above it the device's clock was set.
    static let maximumLeadSeconds = 3.0
    /// The maximum part of the elapsed time by which the anchor moves back.
    static let maximumSlew = 0.05
    /// The time, relative to that of the values, above which values are missing.
    private static let gapRatio = 1.5

    private var last: (newest: BootInstant, deviceTime: UInt64?)?

    /// Ends the dating by the device's clock, when the link was opened.
    mutating func restart() {
        last = nil
    }

    /// Returns the times of the values of a reading; its rate must be positive, and it must have values.
    mutating func times(of reading: WaveformReading, at receipt: BootInstant) -> Times {
        let nominal = 1e9 / reading.perSecond
        let duration = min(Double(reading.values.count) * nominal, Self.maximumNanoseconds)
        let times =
            continued(reading, duration: duration, at: receipt)
            ?? Times(newest: receipt, interval: duration / Double(reading.values.count))
        last = (times.newest, reading.deviceTime)
        return times
    }

    /// Returns the times of a reading that continues the last one; nil if it does not.
    private func continued(
        _ reading: WaveformReading, duration: Double, at receipt: BootInstant
    ) -> Times? {
        guard let last, let elapsed = elapsed(since: last.deviceTime, reading, duration) else {
            return nil
        }
        let expected = last.newest.adding(nanoseconds: Int64(elapsed))
        let lag = receipt.seconds(since: expected)
        let maximumLag =
            reading.deviceTime == nil ? Self.maximumLagSeconds : Self.maximumDatedLagSeconds
        guard (-Self.maximumLeadSeconds...maximumLag).contains(lag) else { return nil }
        let slewed = expected.adding(nanoseconds: -Int64(elapsed * Self.maximumSlew))
        let newest = lag < 0 ? max(receipt, slewed) : expected
        let isGap = elapsed > duration * Self.gapRatio
        let span = isGap ? duration : Double(newest.nanoseconds(since: last.newest))
        return Times(newest: newest, interval: span / Double(reading.values.count))
    }

    /// Returns the time since the last reading in nanoseconds; nil if the device's clock was set.
    private func elapsed(
        since last: UInt64?, _ reading: WaveformReading, _ duration: Double
    ) -> Double? {
        guard let last, let time = reading.deviceTime else { return duration }
        let elapsed = time > last ? Double(time - last) : 0
        return elapsed > 0 && elapsed <= Self.maximumNanoseconds ? elapsed : nil
    }

    /// A year: a device's clock that advances by more was set.
    private static let maximumNanoseconds = 3.2e16
}
