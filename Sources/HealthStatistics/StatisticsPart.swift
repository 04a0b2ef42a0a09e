import Glibc
package import HealthModel

/// The statistics of a span in a form to which those of the next span can be appended.
///
/// So hours can be calculated once and stored, and days be made of them. A sample that reaches into
/// the span from an earlier one is counted apart, because in both together it counts once.
package struct StatisticsPart: Sendable, Hashable {
    /// The samples that start in the span.
    package var started = Readings()
    /// The samples that overlap the span and started before it.
    package var continued = Readings()
    /// The sample with the latest end; of equal ends the one with the later start, or added later.
    package var latest: Latest?
    /// The time covered by samples, in nanoseconds; overlaps count once.
    package var covered: Int64 = 0
    /// The sum; cumulative types only.
    package var sum = 0.0
    /// The smallest value; discrete types only.
    package var minimum = Double.infinity
    package var maximum = -Double.infinity
    /// The integral of the value over time or, for sound levels, of the energy relative to the loudest.
    package var integral = 0.0
    /// The time of the integral, in seconds.
    package var seconds = 0.0
    /// The sum of the energies of sound levels relative to the loudest.
    package var energy = 0.0

    /// Makes a part without samples.
    package init() {}

    /// The number of samples that overlap the span.
    package var count: Int { started.count + continued.count }

    /// Values and their arithmetic mean; a cumulative type has none.
    package struct Readings: Sendable, Hashable {
        package var count: Int
        package var mean: Double

        package init(count: Int = 0, mean: Double = 0) {
            self.count = count
            self.mean = mean
        }

        mutating func add(_ value: Double) {
            count += 1
            mean += (value - mean) / Double(count)
        }

        mutating func append(_ other: Readings) {
            guard other.count > 0 else { return }
            count += other.count
            mean += (other.mean - mean) * (Double(other.count) / Double(count))
        }
    }

    /// A sample by its key and its time.
    package struct Latest: Sendable, Hashable {
        package let key: Int64
        package let span: Range<Instant>

        package init(key: Int64, span: Range<Instant>) {
            self.key = key
            self.span = span
        }

        func isBefore(_ other: Latest) -> Bool {
            (span.upperBound, span.lowerBound) <= (other.span.upperBound, other.span.lowerBound)
        }
    }
}

extension StatisticsPart {
    /// Appends the part of the span that follows.
    package mutating func append(_ next: StatisticsPart, _ style: QuantityType.AggregationStyle) {
        // What continues into the next span is in this one already, unless this one is empty.
        guard count > 0 || seconds > 0 else { return self = next }
        started.append(next.started)
        if let latest = next.latest { note(latest) }
        covered.addSaturating(next.covered)
        sum += next.sum
        appendAverage(next, style)
        minimum = min(minimum, next.minimum)
        maximum = max(maximum, next.maximum)
    }

    mutating func note(_ sample: Latest) {
        if latest?.isBefore(sample) ?? true { latest = sample }
    }

    /// The average by the aggregation style.
    func average(_ style: QuantityType.AggregationStyle) -> Double {
        switch style {
        // Cumulative types have no average; this value is not used.
        case .cumulative, .discreteArithmetic: mean
        case .discreteTemporallyWeighted: seconds > 0 ? integral / seconds : mean
        case .discreteEquivalentContinuousLevel: level
        }
    }

    private var mean: Double {
        var all = started
        all.append(continued)
        return all.mean
    }

    // MARK: Averages over time

    /// Adds a value that was constant over a time to the average; before the maximum is updated.
    mutating func addToAverage(
        _ value: Double, seconds: Double, _ style: QuantityType.AggregationStyle
    ) {
        switch style {
        case .cumulative, .discreteArithmetic: return
        case .discreteTemporallyWeighted: integral += value * seconds
        case .discreteEquivalentContinuousLevel:
            fade(to: max(maximum, value))
            let share = Self.energy(of: value, relativeTo: max(maximum, value))
            integral += share * seconds
            energy += share
        }
        self.seconds += seconds
    }

    private mutating func appendAverage(
        _ next: StatisticsPart, _ style: QuantityType.AggregationStyle
    ) {
        var next = next
        if style == .discreteEquivalentContinuousLevel {
            let loudest = max(maximum, next.maximum)
            fade(to: loudest)
            next.fade(to: loudest)
        }
        integral += next.integral
        seconds += next.seconds
        energy += next.energy
    }

    /// The equivalent continuous level 10·lg(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ) in decibels (ISO 1996-1); if no level
    /// has a duration, all weigh the same.
    private var level: Double {
        maximum + 10 * log10(seconds > 0 ? integral / seconds : energy / Double(max(count, 1)))
    }

    /// Makes energies relative to a louder level, so that no power of ten overflows.
    private mutating func fade(to loudest: Double) {
        guard loudest > maximum else { return }
        let share = maximum.isFinite ? Self.energy(of: maximum, relativeTo: loudest) : 0
        integral *= share
        energy *= share
    }

    private static func energy(of level: Double, relativeTo loudest: Double) -> Double {
        pow(10, (level - loudest) / 10)
    }
}
