import HealthModel

/// Turns a running total into what was counted between two readings.
///
/// The first value is a baseline. A total that grows by more than a body can do was damaged on its way.
/// A total that falls has rolled over when its range says so and a body could have counted that much;
/// else the device was restarted, and what it shows has been counted since. A total seen again after
/// the link was opened anew counts on only when the same is true, because it may be another device's.
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
    static let longestDelaySeconds = 60.0
    /// The same where it is not certain that the total has just gone on.
    static let reportingDelaySeconds = 2.0
    /// After a longer pause without a link the totals are not compared.
    static let reconnectLimitSeconds = 60.0

    private var last: (value: Double, receipt: BootInstant)?
    private var isReopened = false

    /// The link was opened: the next total may be that of a restarted device, or of another.
    mutating func linkOpened() {
        isReopened = true
    }

    /// Takes the total that was received at this moment.
    mutating func take(_ reading: CounterReading, at receipt: BootInstant) -> Outcome {
        guard reading.isPossible else { return .impossible }
        guard let last else {
            remember(reading, receipt)
            return .nothing
        }
        let moment = max(receipt, last.receipt.adding(nanoseconds: 1))
        let elapsed = moment.seconds(since: last.receipt)
        let counts = counted(from: last.value, to: reading, in: elapsed)
        remember(reading, moment)
        guard let counts else { return .impossible }
        guard counts > 0 else { return .nothing }
        return .counted(counts / reading.countsPerUnit, from: last.receipt, to: moment)
    }

    private mutating func remember(_ reading: CounterReading, _ receipt: BootInstant) {
        last = (reading.value, receipt)
        isReopened = false
    }

    /// How many counts lie between the two totals: zero where they cannot be compared, nil where one
    /// of them must be wrong.
    private func counted(
        from old: Double, to reading: CounterReading, in elapsed: Double
    ) -> Double? {
        guard elapsed <= reading.comparableSeconds else { return 0 }
        if isReopened, elapsed > Self.reconnectLimitSeconds { return 0 }
        let difference = reading.value - old
        if difference >= 0, !isReopened {
            let most = reading.mostCounts(in: elapsed + Self.longestDelaySeconds)
            return difference <= most ? difference : nil
        }
        let ceiling = reading.mostCounts(in: elapsed + Self.reportingDelaySeconds)
        if difference >= 0, difference <= ceiling { return difference }
        if difference < 0, case .rollsOver(let modulus) = reading.range,
            difference + modulus <= min(ceiling, modulus / 2)
        {
            return difference + modulus
        }
        return reading.value <= ceiling ? reading.value : 0
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
    fileprivate func mostCounts(in seconds: Double) -> Double {
        guard let rate = type.maximumRate,
            let perUnit = try? unit.convert(1, to: type.canonicalUnit)
        else { return .infinity }
        return rate * seconds / perUnit * countsPerUnit
    }

    /// After a longer time the counter could have gone once round without anybody knowing.
    fileprivate var comparableSeconds: Double {
        guard case .rollsOver(let modulus) = range else { return .infinity }
        let inOneSecond = mostCounts(in: 1)
        return inOneSecond.isFinite ? modulus / inOneSecond : CounterStream.reconnectLimitSeconds
    }
}
