import Platform

/// Gives heart beats their times.
///
/// A strap tells how long it was from one beat to the next, not when. The newest beat of the first
/// packet is taken to be as old as the packet; from there on every interval leads to the next beat.
/// The first packet is an anchor only, because its intervals began before anybody listened. A packet
/// that says a beat came after its own receipt moves the anchor back at once: delay is only ever
/// added, so the packet with the least delay is the best anchor. The intervals stay the device's.
struct BeatClock: Sendable {
    /// From one beat to the next.
    struct Interval: Equatable {
        /// The earlier beat.
        let start: BootInstant
        /// The later beat.
        let end: BootInstant
        /// The interval as the device measured it.
        let milliseconds: Double
        /// The device's number of the later beat, else its place in the reading.
        let beat: UInt32
    }

    /// When the beats lag this far behind their packets, beats have been lost: a new chain begins.
    static let maximumLagSeconds = 3.0

    private var lastBeat: BootInstant?
    /// When the last packet came that had a new beat, or was an anchor.
    private var lastBeatReceipt: BootInstant?
    private var lastHistory: BeatsReading.History?

    /// Forgets the chain: the link was opened, or skin contact was lost.
    mutating func restart() {
        self = BeatClock()
    }

    /// Takes the intervals that were received at this moment and answers with those that are new.
    mutating func take(_ reading: BeatsReading, at receipt: BootInstant) -> [Interval] {
        guard reading.perSecond > 0, reading.perSecond.isFinite else { return [] }
        if let history = reading.history {
            return takeNumbered(reading, history, at: receipt)
        }
        guard !reading.ticks.isEmpty else { return [] }
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

    /// The device numbers its beats and repeats old ones: only those after the last are new.
    private mutating func takeNumbered(
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

    /// How many of the reading's intervals are new; nil when it does not continue the last one.
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
        // After a long time without a beat the device's time may have gone round unseen.
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
        for index in ticks.indices {
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
    /// The length of these intervals together, at most a year.
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
