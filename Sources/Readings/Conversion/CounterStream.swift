import HealthModel
import Platform

/// The conversion of a cumulative counter to amounts between two readings.
///
/// The first total is a baseline. A total that is implausibly higher than the last one is held back
/// and counts only if the next one continues from it. A lower total is a rollover if the range and
/// a plausible amount permit; otherwise the device was restarted and counted from zero. The first
/// total after the link was opened again counts only if it is plausible, because it may be another
/// device's.
struct CounterStream: Sendable {
    /// The result of one reading.
    enum Outcome: Equatable {
        /// Nothing was counted, or there is no earlier reading to compare with.
        case nothing
        /// This much, in the reading's unit, was counted between the two moments.
        case counted(Double, from: BootInstant, to: BootInstant)
        /// The reading is impossible for this counter.
        case impossible
    }

    /// The maximum delay of a report, in seconds: some devices report once a minute.
    static let maximumDelaySeconds = 60.0
    /// The maximum delay, in seconds, if it is uncertain that the counter continued.
    static let reportingDelaySeconds = 2.0
    /// The time without a link, in seconds, after which totals are not compared.
    static let reconnectLimitSeconds = 60.0

    private struct Total {
        let value: Double
        let receipt: BootInstant
    }

    /// The comparison of two totals.
    private enum Comparison {
        /// This many counts were made between them.
        case credible(Double)
        /// They cannot be compared: the later one is a new baseline.
        case baseline
        /// One of the two must be wrong.
        case doubtful
    }

    private var last: Total?
    /// An implausible total, which is accepted if the next one continues from it.
    private var suspect: Total?
    private var isReopened = false

    /// Handles an opened link: the next total may be from a restarted or another device.
    mutating func linkOpened() {
        isReopened = true
    }

    /// Adds a reading and returns what was counted since the last one.
    mutating func add(_ reading: CounterReading, at receipt: BootInstant) -> Outcome {
        guard reading.isPossible else { return .impossible }
        let newest = suspect ?? last
        if let newest, receipt < newest.receipt {
            // The device's own clock was set back.
            accept(Total(value: reading.value, receipt: receipt))
            return .nothing
        }
        let moment = newest.map { max(receipt, $0.receipt.adding(nanoseconds: 1)) } ?? receipt
        let total = Total(value: reading.value, receipt: moment)
        guard let last else {
            accept(total)
            return .nothing
        }
        switch judge(from: last, to: reading, at: moment) {
        case .credible(let counts):
            return count(counts, of: reading, from: last, to: total)
        case .baseline:
            accept(total)
            return .nothing
        case .doubtful:
            return holdDoubtful(reading, total, after: last)
        }
    }

    /// Compares a doubtful total with the previous suspect, or holds it back.
    private mutating func holdDoubtful(
        _ reading: CounterReading, _ total: Total, after last: Total
    ) -> Outcome {
        if let suspect,
            case .credible(let counts) = judge(from: suspect, to: reading, at: total.receipt)
        {
            return count(counts, of: reading, from: suspect, to: total)
        }
        suspect = total
        return total.value > last.value ? .impossible : .nothing
    }

    private mutating func count(
        _ counts: Double, of reading: CounterReading, from old: Total, to total: Total
    ) -> Outcome {
        accept(total)
        guard counts > 0 else { return .nothing }
        return .counted(counts / reading.countsPerUnit, from: old.receipt, to: total.receipt)
    }

    private mutating func accept(_ total: Total) {
        last = total
        suspect = nil
        isReopened = false
    }

    private func judge(
        from old: Total, to reading: CounterReading, at moment: BootInstant
    ) -> Comparison {
        let elapsed = moment.seconds(since: old.receipt)
        guard elapsed <= reading.comparableSeconds else { return .baseline }
        if isReopened, elapsed > Self.reconnectLimitSeconds { return .baseline }
        let difference = reading.value - old.value
        if difference >= 0, !isReopened {
            let most = reading.maximumCount(in: elapsed + Self.maximumDelaySeconds)
            return difference <= most ? .credible(difference) : .doubtful
        }
        let ceiling = reading.maximumCount(in: elapsed + Self.reportingDelaySeconds)
        if difference >= 0, difference <= ceiling { return .credible(difference) }
        if difference < 0, case .rollsOver(let modulus) = reading.range,
            difference + modulus <= min(ceiling, modulus / 2)
        {
            return .credible(difference + modulus)
        }
        if difference < 0, reading.value <= ceiling { return .credible(reading.value) }
        return isReopened ? .baseline : .doubtful
    }
}

extension CounterReading {
    /// Whether a counter of this kind can have this total.
    fileprivate var isPossible: Bool {
        guard value >= 0, value.rounded() == value, countsPerUnit > 0, countsPerUnit.isFinite
        else { return false }
        return switch range {
        case .unbounded: value.isFinite
        case .rollsOver(let modulus): value < modulus
        case .saturates(let limit): value <= limit
        }
    }

    /// Returns the maximum plausible count in a time; infinite for a type without a known rate.
    fileprivate func maximumCount(in seconds: Double) -> Double {
        guard let rate = type.maximumRate,
            let perUnit = try? unit.convert(1, to: type.canonicalUnit)
        else { return .infinity }
        return rate * seconds / perUnit * countsPerUnit
    }

    /// The time after which the counter could have rolled over unnoticed.
    fileprivate var comparableSeconds: Double {
        guard case .rollsOver(let modulus) = range else { return .infinity }
        let inOneSecond = maximumCount(in: 1)
        return inOneSecond.isFinite ? modulus / inOneSecond : CounterStream.reconnectLimitSeconds
    }
}
