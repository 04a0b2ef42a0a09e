import Platform

/// The dating of values at a constant rate.
///
/// The newest value of the first reading gets the time of receipt as an anchor, and from there the
/// device's clock measures the time, or the number of values if the device sends no time. Delays are
/// only positive: if a value would be later than its receipt, the anchor moves back, slowly. No value
/// is ever before an earlier one.
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

    /// The lag of values without a device time above which values were lost.
    static let maximumLagSeconds = 3.0
    /// The maximum lead of values before their receipt, and the step above which a device's clock was
    /// set.
    static let maximumLeadSeconds = 3.0
    /// The maximum part of the elapsed time by which the anchor moves back, and forward: the error of
    /// a crystal.
    static let maximumSlew = 0.05
    static let maximumCreep = 0.0001
    /// The time, relative to that of the values, above which values are missing.
    private static let gapRatio = 1.5

    /// The last reading of this link.
    private var last: (receipt: BootInstant, deviceTime: UInt64?)?
    /// The time of the newest value of any link.
    private var newest: BootInstant?

    /// Ends the dating by the device's clock, when the link was opened.
    mutating func restart() {
        last = nil
    }

    /// Returns the times of the values of a reading; its rate must be positive, and it must have values.
    mutating func times(of reading: WaveformReading, at receipt: BootInstant) -> Times {
        let count = Double(reading.values.count)
        let duration = count * 1e9 / reading.perSecond
        let elapsed = elapsed(until: reading, duration, at: receipt)
        let continued = elapsed.flatMap {
            end(after: $0, isDated: reading.deviceTime != nil, at: receipt)
        }
        let times = inOrder(
            continued ?? receipt, count: count, duration: duration,
            isContinued: continued != nil && (elapsed ?? .infinity) <= duration * Self.gapRatio)
        newest = times.newest
        last = (receipt, reading.deviceTime)
        return times
    }

    /// Returns the time since the last reading in nanoseconds; nil if there is none, or if the device's
    /// clock was set.
    private func elapsed(
        until reading: WaveformReading, _ duration: Double, at receipt: BootInstant
    ) -> Double? {
        guard let last else { return nil }
        guard let lastTime = last.deviceTime, let time = reading.deviceTime else { return duration }
        guard time > lastTime else { return nil }
        let elapsed = Double(time - lastTime)
        let step = elapsed / 1e9 - receipt.seconds(since: last.receipt)
        return step <= Self.maximumLeadSeconds ? elapsed : nil
    }

    /// Returns the time of a reading that continues the last one; nil if it does not.
    private func end(after elapsed: Double, isDated: Bool, at receipt: BootInstant) -> BootInstant?
    {
        guard let newest else { return nil }
        let expected = newest.adding(nanoseconds: Int64(elapsed))
        let lag = Double(receipt.nanoseconds(since: expected))
        guard isDated || lag <= Self.maximumLagSeconds * 1e9 else { return nil }
        guard lag < 0 else {
            return expected.adding(nanoseconds: Int64(min(lag, elapsed * Self.maximumCreep)))
        }
        let shift = max(min(-lag, elapsed * Self.maximumSlew), -lag - Self.maximumLeadSeconds * 1e9)
        return expected.adding(nanoseconds: -Int64(shift))
    }

    /// Returns the times of values of which none is before the newest one so far.
    private func inOrder(
        _ end: BootInstant, count: Double, duration: Double, isContinued: Bool
    ) -> Times {
        guard let newest else { return Times(newest: end, interval: duration / count) }
        let end = max(end, newest.adding(nanoseconds: Int64(count)))
        let span = Double(end.nanoseconds(since: newest))
        return Times(newest: end, interval: (isContinued ? span : min(span, duration)) / count)
    }
}
