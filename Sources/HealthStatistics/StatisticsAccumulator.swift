import Glibc
import HealthModel

/// The accumulated statistics of one span.
struct StatisticsAccumulator: Sendable {
    let span: Range<Instant>
    /// The number of samples that overlap the span.
    private(set) var count = 0
    /// The key of the sample with the latest end; of equal ends the one with the later start, or
    /// added later.
    private(set) var mostRecent: Int64?
    /// The time of that sample.
    private var latest: (end: Instant, start: Instant)?
    /// The time covered by samples, in nanoseconds; overlaps count once.
    private(set) var covered: Int64 = 0
    private var coveredUntil: Instant
    /// The sum; cumulative types only.
    private(set) var sum = 0.0
    /// The minimum; discrete types only.
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

    /// Counts a sample that overlaps the span.
    mutating func note(_ key: Int64, of time: Range<Instant>) {
        count += 1
        let start = max(time.lowerBound, coveredUntil)
        let end = min(time.upperBound, span.upperBound)
        if start < end {
            covered.addSaturating(end.nanoseconds(since: start))
            coveredUntil = end
        }
        if let latest, (time.upperBound, time.lowerBound) < latest { return }
        mostRecent = key
        latest = (time.upperBound, time.lowerBound)
    }

    // MARK: Counts

    /// Adds the part of an amount that falls into the span, with the amount spread evenly over its
    /// time.
    mutating func add(_ amount: Double, of time: Range<Instant>) {
        add(amount, part: time.clamped(to: span).nanoseconds, of: time.nanoseconds)
    }

    /// Adds a part of an amount in proportion to the counted time; the whole is added exactly.
    mutating func add(_ amount: Double, part: Int64, of whole: Int64) {
        sum += part == whole ? amount : amount * (Double(part) / Double(whole))
    }

    // MARK: Readings

    /// Adds a value that was constant over a time.
    mutating func add(_ value: Double, over time: Range<Instant>) {
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        mean += (value - mean) / Double(count)
        let seconds = time.clamped(to: span).seconds
        area += value * seconds
        weight += seconds
        energy.add(value, seconds: seconds)
    }

    /// Adds the slope between two readings.
    mutating func add(_ slope: ReadingSlope) {
        let part = slope.span.clamped(to: span)
        guard !part.isEmpty else { return }
        area += slope.mean(in: part) * part.seconds
        weight += part.seconds
    }

    /// The time-weighted average; the mean of all readings when they cover no time.
    var averageOverTime: Double { weight > 0 ? area / weight : mean }

    /// The equivalent continuous sound level, in decibels.
    var averageLevel: Double { energy.level }
}

/// The accumulated energy of sound levels.
///
/// The equivalent continuous level is 10·lg(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ) (ISO 1996-1); if no level has a
/// duration, all weigh the same.
private struct SoundEnergy: Sendable {
    // Energies are relative to the loudest level, so that no power of ten overflows.
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
    /// The duration in nanoseconds.
    var nanoseconds: Int64 { upperBound.nanoseconds(since: lowerBound) }

    /// The duration in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Int64 {
    /// Adds a number that is not negative, clamped to the range of the type.
    mutating func addSaturating(_ other: Int64) {
        let (sum, isOverflow) = addingReportingOverflow(other)
        self = isOverflow ? .max : sum
    }
}
