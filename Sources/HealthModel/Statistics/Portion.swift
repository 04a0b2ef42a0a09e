/// A part of what a cumulative sample counted, spread evenly over a span of time.
///
/// Sums are made of portions, so that a sample that lies in two days counts in both, each with its part:
/// the sums of neighbouring spans add up to the sum of both.
struct Portion: Sendable, Hashable {
    /// When it was counted; half open.
    let span: Range<Instant>
    /// How much, in the type's canonical unit.
    let amount: Double

    /// What of it was counted in a span.
    func amount(in other: Range<Instant>) -> Double {
        // A count that covers no time belongs where it begins.
        guard !span.isEmpty else { return other.contains(span.lowerBound) ? amount : 0 }
        let start = max(span.lowerBound, other.lowerBound)
        let end = min(span.upperBound, other.upperBound)
        guard start < end else { return 0 }
        if start == span.lowerBound, end == span.upperBound { return amount }
        return amount * ((start..<end).seconds / span.seconds)
    }
}

extension Portion {
    /// Everything that the samples counted, whoever counted it.
    static func all(of samples: [QuantitySample]) throws(QuantityError) -> [Portion] {
        var portions: [Portion] = []
        for sample in samples {
            portions.append(Portion(span: sample.span, amount: try sample.canonicalValue()))
        }
        return portions
    }

    /// What the samples counted when several devices counted the same: at any time only the best of those
    /// that counted then counts.
    ///
    /// A worse one fills the gaps that the better ones leave, with the part that lies in them.
    ///
    /// - Parameter rank: How good a sample's origin is; the lowest is the best. Samples of one rank do not
    ///   take the place of each other.
    static func merged(
        _ samples: [QuantitySample], rank: (QuantitySample) -> Int
    ) throws(QuantityError) -> [Portion] {
        let ranked = Dictionary(grouping: samples, by: rank).sorted { $0.key < $1.key }
        var covered = SpanSet()
        var portions: [Portion] = []
        for (_, samples) in ranked {
            for whole in try all(of: samples) {
                guard !whole.span.isEmpty else {
                    if !covered.contains(whole.span.lowerBound) { portions.append(whole) }
                    continue
                }
                for part in covered.parts(outsideOf: whole.span) {
                    portions.append(Portion(span: part, amount: whole.amount(in: part)))
                }
            }
            covered = covered.union(samples.map(\.span))
        }
        return portions
    }
}

extension QuantitySample {
    /// The time that the value is of; empty for a value of an instant.
    var span: Range<Instant> { start..<end }

    /// The value in the type's canonical unit.
    func canonicalValue() throws(QuantityError) -> Double {
        try quantity.value(in: type.canonicalUnit)
    }
}
