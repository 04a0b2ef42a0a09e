import Glibc

/// The averages of discrete samples, one for each style.
///
/// Every one takes all samples that are known and the span that is asked for: a temporally weighted
/// average also looks at the neighbours outside of it.
enum Mean {
    /// A sample's value, in the type's canonical unit, and its time.
    struct Value: Sendable {
        let start: Instant
        let end: Instant
        let value: Double

        /// Whether any of it is in a span; a value of an instant belongs to the span that holds it.
        func isIn(_ span: Range<Instant>) -> Bool {
            start == end ? span.contains(start) : start < span.upperBound && end > span.lowerBound
        }

        /// How much of it is in a span, in seconds.
        func seconds(in span: Range<Instant>) -> Double {
            let (start, end) = (max(start, span.lowerBound), min(end, span.upperBound))
            return start < end ? (start..<end).seconds : 0
        }
    }

    /// The mean of all values, each with the same weight; nil when there is none.
    static func arithmetic(_ values: [Value], in span: Range<Instant>) -> Double? {
        let inside = values.filter { $0.isIn(span) }
        guard !inside.isEmpty else { return nil }
        return inside.reduce(0) { $0 + $1.value / Double(inside.count) }
    }

    /// The mean over time: each value weighs as long as it held.
    ///
    /// Between two readings the value goes straight from one to the other, but only where they are no
    /// further apart than `gapLimitSeconds`: what happened in a longer gap nobody knows. Readings that
    /// have no weight at all are averaged evenly. HealthKit calls this average "temporally weighted
    /// integration" and publishes no more; that it merges equal neighbours "to preserve statistics"
    /// shows that time between readings counts.
    static func overTime(
        _ values: [Value], in span: Range<Instant>, gapLimitSeconds: Double
    ) -> Double? {
        var (area, weight) = (0.0, 0.0)
        var last: Value?
        for value in values.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            let seconds = value.seconds(in: span)
            area += value.value * seconds
            weight += seconds
            if let last {
                let between = Slope(from: last, to: value)
                if between.seconds <= gapLimitSeconds {
                    let part = between.part(in: span)
                    area += part.area
                    weight += part.seconds
                }
            }
            // The next one follows the one that ended last.
            if last.map({ $0.end <= value.end }) ?? true { last = value }
        }
        return weight > 0 ? area / weight : arithmetic(values, in: span)
    }

    /// The level, in decibel, of a sound that carries as much energy: 10·lg(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ)
    /// (ISO 1996-1, equivalent continuous sound pressure level).
    static func level(_ values: [Value], in span: Range<Instant>) -> Double? {
        let inside = values.filter { $0.isIn(span) }
        let seconds = inside.map { $0.seconds(in: span) }
        let total = seconds.reduce(0, +)
        guard let loudest = inside.map(\.value).max() else { return nil }
        // Relative to the loudest, so that no level is too large for its power of ten.
        let energy = zip(inside, seconds).reduce(0.0) { sum, item in
            let weight = total > 0 ? item.1 / total : 1 / Double(inside.count)
            return sum + weight * pow(10, (item.0.value - loudest) / 10)
        }
        return energy > 0 ? loudest + 10 * log10(energy) : loudest
    }

    /// The way of the value from one reading to the next.
    private struct Slope {
        let start: Instant
        let end: Instant
        let from: Double
        let to: Double

        init(from last: Value, to next: Value) {
            start = last.end
            end = next.start
            from = last.value
            to = next.value
        }

        /// Negative when the readings overlap.
        var seconds: Double { Double(end.nanoseconds(since: start)) / 1e9 }

        func part(in span: Range<Instant>) -> (area: Double, seconds: Double) {
            let (first, last) = (max(start, span.lowerBound), min(end, span.upperBound))
            guard first < last else { return (0, 0) }
            let seconds = (first..<last).seconds
            return ((value(at: first) + value(at: last)) / 2 * seconds, seconds)
        }

        private func value(at moment: Instant) -> Double {
            let way = Double(moment.nanoseconds(since: start)) / 1e9 / seconds
            return from + (to - from) * way
        }
    }
}
