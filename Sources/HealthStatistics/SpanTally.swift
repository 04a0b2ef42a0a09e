import Glibc
import HealthModel

/// What has been found of one span of statistics so far.
struct SpanTally: Sendable {
    let span: Range<Instant>
    /// How many samples have a part in it.
    private(set) var count = 0
    /// The sample that ended last; of two that ended together the one that began later, or came later.
    private(set) var mostRecent: QuantitySample?
    /// How long samples lasted, what overlaps once.
    private(set) var covered: Int64 = 0
    private var coveredUntil: Instant
    /// Of a cumulative type: all that was counted.
    private(set) var sum = 0.0
    /// Of a discrete type.
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    private(set) var mean = 0.0
    private var area = 0.0
    private var weight = 0.0
    private var energy = SoundEnergy()

    init(span: Range<Instant>) {
        self.span = span
        coveredUntil = span.lowerBound
    }

    /// Notes that a sample has a part in it.
    mutating func note(_ sample: QuantitySample) {
        count += 1
        let start = max(sample.start, coveredUntil)
        let end = min(sample.end, span.upperBound)
        if start < end {
            covered.addSaturating(end.nanoseconds(since: start))
            coveredUntil = end
        }
        if let mostRecent, (sample.end, sample.start) < (mostRecent.end, mostRecent.start) {
            return
        }
        mostRecent = sample
    }

    // MARK: Counts

    /// Adds the part of an amount that falls into it, when the amount is spread evenly over its time.
    mutating func add(_ amount: Double, of time: Range<Instant>) {
        add(amount, part: time.clamped(to: span).nanoseconds, of: time.nanoseconds)
    }

    /// Adds the part of an amount that was counted in some of its time; all of it is exactly all.
    mutating func add(_ amount: Double, part: Int64, of whole: Int64) {
        sum += part == whole ? amount : amount * (Double(part) / Double(whole))
    }

    // MARK: Readings

    /// Adds a value that held for a time.
    mutating func add(_ value: Double, over time: Range<Instant>) {
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        mean += (value - mean) / Double(count)
        let seconds = time.clamped(to: span).seconds
        area += value * seconds
        weight += seconds
        energy.add(value, seconds: seconds)
    }

    /// Adds what lies between two readings.
    mutating func add(_ slope: ReadingSlope) {
        let part = slope.span.clamped(to: span)
        guard !part.isEmpty else { return }
        area += slope.mean(in: part) * part.seconds
        weight += part.seconds
    }

    /// The average over time; that of all readings when none of them has any weight.
    var averageOverTime: Double { weight > 0 ? area / weight : mean }

    /// The level of a sound that carries as much energy, in decibel.
    var averageLevel: Double { energy.level }
}

/// The energy of sounds of which the levels are known.
///
/// The level that is equivalent to all is 10·lg(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ) (ISO 1996-1); sounds without a
/// length count alike when none has one.
private struct SoundEnergy: Sendable {
    // Relative to the loudest, so that no level is too large for its power of ten.
    private var loudest = -Double.infinity
    private var energy = 0.0
    private var seconds = 0.0
    private var momentaryEnergy = 0.0
    private var count = 0.0

    mutating func add(_ level: Double, seconds: Double) {
        if level > loudest {
            let fade = loudest.isFinite ? pow(10, (loudest - level) / 10) : 0
            energy *= fade
            momentaryEnergy *= fade
            loudest = level
        }
        let share = pow(10, (level - loudest) / 10)
        energy += share * seconds
        momentaryEnergy += share
        self.seconds += seconds
        count += 1
    }

    var level: Double {
        loudest + 10 * log10(seconds > 0 ? energy / seconds : momentaryEnergy / max(count, 1))
    }
}

extension Range<Instant> {
    /// How long it is.
    var nanoseconds: Int64 { upperBound.nanoseconds(since: lowerBound) }

    /// How long it is, in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Int64 {
    /// Adds a number that is not negative; what is too much is cut off, as lengths of time are.
    mutating func addSaturating(_ other: Int64) {
        let (sum, isOverflow) = addingReportingOverflow(other)
        self = isOverflow ? .max : sum
    }
}
