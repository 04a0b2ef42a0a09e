import HealthModel
import Workouts

/// The cumulative amount of some sample types at a moment.
///
/// Each sample adds its amount evenly over its time; only the parts inside the intervals count.
struct RunningTotal {
    private struct Piece {
        let span: Range<Instant>
        let amount: Double

        func amount(by moment: Instant) -> Double {
            guard moment < span.upperBound else { return amount }
            guard moment > span.lowerBound else { return 0 }
            let whole = Double(span.upperBound.nanoseconds(since: span.lowerBound))
            return amount * Double(moment.nanoseconds(since: span.lowerBound)) / whole
        }
    }

    private let pieces: [Piece]
    private var next = 0
    private var open: [Piece] = []
    private var done = 0.0

    /// Whether there is any amount.
    var isKnown: Bool { !pieces.isEmpty }
    /// The ends of all amounts.
    var ends: [Instant] { pieces.map(\.span.upperBound) }

    /// Creates a total of the samples of some types, whose amounts are added.
    init(
        of samples: [QuantitySample], _ types: [QuantityType], in unit: Unit,
        intervals: [Range<Instant>]
    ) {
        var pieces: [Piece] = []
        for sample in samples where types.contains(sample.type) {
            guard let amount = try? sample.quantity.value(in: unit), amount >= 0 else { continue }
            let whole = Double(sample.end.nanoseconds(since: sample.start))
            for interval in Self.touching(sample, of: intervals) {
                let span = interval.clamped(to: sample.start..<sample.end)
                guard !span.isEmpty else { continue }
                let part = Double(span.upperBound.nanoseconds(since: span.lowerBound)) / whole
                pieces.append(Piece(span: span, amount: amount * part))
            }
        }
        self.pieces = pieces.sorted { $0.span.lowerBound < $1.span.lowerBound }
    }

    /// The amount until a moment.
    ///
    /// Moments must be queried in ascending order.
    mutating func value(at moment: Instant) -> Double {
        while next < pieces.count, pieces[next].span.lowerBound < moment {
            open.append(pieces[next])
            next += 1
        }
        open.removeAll { piece in
            guard piece.span.upperBound <= moment else { return false }
            done += piece.amount
            return true
        }
        return open.reduce(done) { $0 + $1.amount(by: moment) }
    }

    private static func touching(
        _ sample: QuantitySample, of intervals: [Range<Instant>]
    ) -> ArraySlice<Range<Instant>> {
        let first = intervals.partitioned { $0.upperBound > sample.start }
        return intervals[first...].prefix { $0.lowerBound < sample.end }
    }
}
