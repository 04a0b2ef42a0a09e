import HealthModel
import Platform

/// Turns a running total into what was counted between two readings.
///
/// The first value is a baseline. A total that no body could have reached since the last one is put
/// aside; only when the next one goes on from it does it count. A total that falls has rolled over when
/// its range says so and a body could have counted that much; else the device was restarted, and what
/// it shows has been counted since. A total seen again after the link was opened anew counts on only
/// when the same is true, because it may be another device's.
struct CounterStream: Sendable {
    /// What one reading of the counter came to.
    enum Outcome: Equatable {
        /// Nothing was counted, or there is nothing to compare with.
        case nothing
        /// This much, in the reading's unit, was counted between the two moments.
        case counted(Double, from: BootInstant, to: BootInstant)
        /// The device said something that this counter cannot say.
        case impossible
    }

    /// A device may tell what it counted so much later, in seconds: some report once a minute.
    static let maximumDelaySeconds = 60.0
    /// The same where it is not certain that the total has just gone on.
    static let reportingDelaySeconds = 2.0
    /// After a longer pause without a link the totals are not compared.
    static let reconnectLimitSeconds = 60.0

    private struct Total {
        let value: Double
        let receipt: BootInstant
    }

    /// What the way from one total to the next can mean.
    private enum Judgement {
        /// So many counts were made between them.
        case credible(Double)
        /// They cannot be compared: the later one is where counting begins.
        case baseline
        /// One of the two must be wrong.
        case doubtful
    }

    private var last: Total?
    /// A total that did not fit; when the next one goes on from it, it was right after all.
    private var suspect: Total?
    private var isReopened = false

    /// The link was opened: the next total may be that of a restarted device, or of another.
    mutating func linkOpened() {
        isReopened = true
    }

    /// Takes the total that was received at this moment.
    mutating func take(_ reading: CounterReading, at receipt: BootInstant) -> Outcome {
        guard reading.isPossible else { return .impossible }
        let newest = suspect ?? last
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
            return takeDoubtful(reading, total, after: last)
        }
    }

    /// The total fits neither the last one, nor perhaps the one before that did not fit either.
    private mutating func takeDoubtful(
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
    ) -> Judgement {
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
    /// Whether a counter of this kind can show this total.
    fileprivate var isPossible: Bool {
        guard value >= 0, value.rounded() == value, countsPerUnit > 0, countsPerUnit.isFinite
        else { return false }
        return switch range {
        case .unbounded: value.isFinite
        case .rollsOver(let modulus): value < modulus
        case .saturates(let limit): value <= limit
        }
    }

    /// The most that a body could count in this time; without a known rate anything is possible.
    fileprivate func maximumCount(in seconds: Double) -> Double {
        guard let rate = type.maximumRate,
            let perUnit = try? unit.convert(1, to: type.canonicalUnit)
        else { return .infinity }
        return rate * seconds / perUnit * countsPerUnit
    }

    /// After a longer time the counter could have gone once round without anybody knowing.
    fileprivate var comparableSeconds: Double {
        guard case .rollsOver(let modulus) = range else { return .infinity }
        let inOneSecond = maximumCount(in: 1)
        return inOneSecond.isFinite ? modulus / inOneSecond : CounterStream.reconnectLimitSeconds
    }
}
