package import HealthModel

/// A linear piece of a curve: a value that changes linearly over a span of time.
///
/// Samples of a discrete type are converted to pieces before averages over time, time in zones or
/// energy are calculated, so that all of them weigh time in the same way.
package struct CurvePiece: Sendable, Hashable {
    /// The time; never empty.
    package let span: Range<Instant>
    /// The value at the start.
    package let first: Double
    /// The value at the end.
    package let last: Double

    /// Makes a piece of a time that is not empty.
    package init(span: Range<Instant>, first: Double, last: Double) {
        self.span = span
        self.first = first
        self.last = last
    }

    /// The duration in seconds.
    package var seconds: Double { span.seconds }

    /// The integral of the value over the time, in seconds.
    package var area: Double { (first == last ? first : (first + last) / 2) * seconds }
}

extension CurvePiece {
    /// The pieces of the samples of a type within a span, in the type's canonical unit.
    ///
    /// A sample with a duration holds its value. Between two neighbouring samples the value is
    /// interpolated linearly, but only if they are at most `gapLimitSeconds` apart: the value in a
    /// longer gap is unknown, so there is no piece. Samples that overlap each have their piece. For
    /// the ends of the span, include samples shortly before and after it; the order of the samples
    /// does not matter.
    package static func pieces(
        of samples: [QuantitySample], _ type: QuantityType, in span: Range<Instant>,
        gapLimitSeconds: Double
    ) throws(QuantityError) -> [CurvePiece] {
        let samples = samples.filter { $0.type == type }
        var gap = ReadingInterpolator(limitSeconds: gapLimitSeconds)
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
