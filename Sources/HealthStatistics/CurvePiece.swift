package import HealthModel

/// A value over a piece of time, in which it goes straight from one number to another.
///
/// Readings of a value that changes all the time are made into pieces before anything is reckoned over
/// time: averages, time in zones, energy. So all of them weigh time alike.
package struct CurvePiece: Sendable, Hashable {
    /// The time; never empty.
    package let span: Range<Instant>
    /// The value at its beginning.
    package let first: Double
    /// The value at its end.
    package let last: Double

    /// Makes a piece of a time that is not empty.
    package init(span: Range<Instant>, first: Double, last: Double) {
        self.span = span
        self.first = first
        self.last = last
    }

    /// How long it is, in seconds.
    package var seconds: Double { span.seconds }

    /// The value times the time, in seconds.
    package var area: Double { (first == last ? first : (first + last) / 2) * seconds }
}

extension CurvePiece {
    /// What the samples of a type say about a span, in the type's canonical unit.
    ///
    /// A sample that lasts holds its value. Between two neighbours the value goes straight from one to
    /// the other, but only where they are no further apart than `gapLimitSeconds`: what happened in a
    /// longer gap nobody knows, so there is no piece. Samples that overlap each have their piece. For
    /// the ends of the span, samples shortly before and after it should be given too; the order of the
    /// samples does not matter.
    package static func pieces(
        of samples: [QuantitySample], _ type: QuantityType, in span: Range<Instant>,
        gapLimitSeconds: Double
    ) throws(QuantityError) -> [CurvePiece] {
        let samples = samples.filter { $0.type == type }
        var gap = ReadingGap(limitSeconds: gapLimitSeconds)
        var pieces: [CurvePiece] = []
        for index in samples.indices.sorted(by: {
            (samples[$0].start, $0) < (samples[$1].start, $1)
        }) {
            let time = samples[index].start..<samples[index].end
            let value = try samples[index].quantity.value(in: type.canonicalUnit)
            if let slope = gap.slope(to: time, value) {
                pieces.append(slope.span.clamped(to: span), slope.value(at:))
            }
            pieces.append(time.clamped(to: span)) { _ in value }
        }
        return pieces
    }
}

extension [CurvePiece] {
    fileprivate mutating func append(_ span: Range<Instant>, _ value: (Instant) -> Double) {
        guard !span.isEmpty else { return }
        append(
            CurvePiece(span: span, first: value(span.lowerBound), last: value(span.upperBound)))
    }
}
