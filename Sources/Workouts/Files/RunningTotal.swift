import HealthModel

/// How much of something that is counted there has been by a moment.
///
/// Each sample adds its amount evenly over its time, and only what lies in the intervals counts.
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

    /// Whether anything was counted at all.
    var isKnown: Bool { !pieces.isEmpty }
    /// When something that was counted ends.
    var ends: [Instant] { pieces.map(\.span.upperBound) }

    /// Takes the samples of some types, whose amounts add up.
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

    /// How much there has been by a moment; ask for one after the other, the earliest first.
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

extension Array {
    /// The place of the first element for which something is true, where it is true of all after it too.
    func partitioned(by isTrue: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
