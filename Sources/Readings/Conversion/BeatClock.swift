import Platform

/// The dating of heart beats from RR intervals.
///
/// A strap reports the intervals between beats, not their times. The newest beat of the first
/// packet gets the time of receipt as an anchor; every later interval leads to the next beat. If a
/// beat would be later than the receipt of its packet, the anchor moves back: delays are only
/// positive, so the packet with the smallest delay is the best anchor. The intervals themselves are
/// never changed.
struct BeatClock: Sendable {
    /// The interval between two beats.
    struct Interval: Equatable {
        /// The earlier beat.
        let start: BootInstant
        /// The later beat.
        let end: BootInstant
        /// The measured interval.
        let milliseconds: Double
        /// The device's number of the later beat, or its index in the reading.
        let beat: UInt32
    }

    /// The lag of beats behind their packets above which beats were lost and a new chain starts.
    static let maximumLagSeconds = 3.0

    private var lastBeat: BootInstant?
    /// The receipt of the last packet with a new beat or an anchor.
    private var lastBeatReceipt: BootInstant?
    private var lastHistory: BeatsReading.History?

    /// Ends the chain, when the link was opened or skin contact was lost.
    mutating func restart() {
        self = BeatClock()
    }

    /// Returns the new intervals of a reading.
    mutating func intervals(from reading: BeatsReading, at receipt: BootInstant) -> [Interval] {
        guard reading.perSecond > 0, reading.perSecond.isFinite else { return [] }
        if let history = reading.history {
            return numberedIntervals(reading, history, at: receipt)
        }
        guard !reading.ticks.isEmpty else { return [] }
        if reading.measured != nil { return measuredIntervals(reading, at: receipt) }
        guard let lastBeat else {
            anchor(at: receipt)
            return []
        }
        let newest = lastBeat.adding(nanoseconds: reading.nanoseconds(of: reading.ticks[...]))
        let lag = receipt.seconds(since: newest)
        return chain(
            reading.ticks[...], of: reading, lastBeat: UInt32(reading.ticks.count - 1),
            endingAt: lag > Self.maximumLagSeconds ? receipt : min(newest, receipt))
    }

    /// Returns the intervals of a reading whose newest beat has the device's own time.
    ///
    /// The time may be rounded, so intervals continue a chain that ends near it.
    private mutating func measuredIntervals(
        _ reading: BeatsReading, at moment: BootInstant
    ) -> [Interval] {
        let duration = reading.nanoseconds(of: reading.ticks[...])
        let continued = lastBeat?.adding(nanoseconds: duration)
        let newest = continued.flatMap {
            abs(moment.seconds(since: $0)) <= Self.maximumLagSeconds ? $0 : nil
        }
        return chain(
            reading.ticks[...], of: reading, lastBeat: UInt32(reading.ticks.count - 1),
            endingAt: newest ?? moment)
    }

    /// Returns the new intervals of a device that numbers its beats and repeats old ones.
    private mutating func numberedIntervals(
        _ reading: BeatsReading, _ history: BeatsReading.History, at receipt: BootInstant
    ) -> [Interval] {
        defer { lastHistory = history }
        guard let lastBeat, let new = newBeats(in: reading, history, at: receipt) else {
            anchor(at: receipt)
            return []
        }
        guard new > 0 else { return [] }
        lastBeatReceipt = receipt
        let ticks = reading.ticks.suffix(new)
        let newest = lastBeat.adding(nanoseconds: reading.nanoseconds(of: ticks))
        return chain(
            ticks, of: reading, lastBeat: history.newestBeat, modulus: history.beatModulus,
            endingAt: min(newest, receipt))
    }

    /// Returns the number of new intervals; nil if the reading does not continue the last one.
    private func newBeats(
        in reading: BeatsReading, _ history: BeatsReading.History, at receipt: BootInstant
    ) -> Int? {
        guard let lastHistory, let lastBeatReceipt,
            history.isConsistent, lastHistory.isConsistent,
            lastHistory.beatModulus == history.beatModulus,
            lastHistory.timeModulus == history.timeModulus
        else { return nil }
        let beats = Int(history.beatsAfter(lastHistory))
        guard beats <= reading.ticks.count else { return nil }
        // After a long time without a beat the device's time may have rolled over.
        let timeRangeSeconds = Double(history.timeModulus) / reading.perSecond
        let silence = receipt.seconds(since: lastBeatReceipt)
        guard beats == 0 || silence < timeRangeSeconds - Self.maximumLagSeconds else { return nil }
        let sum = reading.ticks.suffix(beats).reduce(UInt64(0)) { $0 + UInt64($1) }
        let isSameChain =
            sum % UInt64(history.timeModulus) == UInt64(history.ticksAfter(lastHistory))
        return isSameChain ? beats : nil
    }

    private mutating func anchor(at receipt: BootInstant) {
        lastBeat = receipt
        lastBeatReceipt = receipt
    }

    private mutating func chain(
        _ ticks: ArraySlice<UInt32>, of reading: BeatsReading, lastBeat newestBeat: UInt32,
        modulus: UInt32 = .max, endingAt newest: BootInstant
    ) -> [Interval] {
        var intervals: [Interval] = []
        intervals.reserveCapacity(ticks.count)
        for index in ticks.indices where !reading.unusable.contains(index) {
            let later = ticks[(index + 1)...]
            let end = newest.adding(nanoseconds: -reading.nanoseconds(of: later))
            let start = newest.adding(nanoseconds: -reading.nanoseconds(of: ticks[index...]))
            let back = UInt32(later.count) % modulus
            let beat = newestBeat >= back ? newestBeat - back : newestBeat + (modulus - back)
            intervals.append(
                Interval(
                    start: start, end: end,
                    milliseconds: Double(ticks[index]) * 1000 / reading.perSecond, beat: beat))
        }
        lastBeat = newest
        return intervals
    }
}

extension BeatsReading {
    /// Returns the total duration of intervals, at most a year.
    fileprivate func nanoseconds(of ticks: ArraySlice<UInt32>) -> Int64 {
        let sum = ticks.reduce(0.0) { $0 + Double($1) }
        return Int64(min((sum * 1e9 / perSecond).rounded(), 3.2e16))
    }
}

extension BeatsReading.History {
    fileprivate var isConsistent: Bool {
        beatModulus > 0 && timeModulus > 0 && newestBeat < beatModulus && newestTime < timeModulus
    }

    fileprivate func beatsAfter(_ earlier: Self) -> UInt32 {
        Self.difference(newestBeat, earlier.newestBeat, modulus: beatModulus)
    }

    fileprivate func ticksAfter(_ earlier: Self) -> UInt32 {
        Self.difference(newestTime, earlier.newestTime, modulus: timeModulus)
    }

    private static func difference(_ new: UInt32, _ old: UInt32, modulus: UInt32) -> UInt32 {
        new >= old ? new - old : modulus - (old - new)
    }
}
