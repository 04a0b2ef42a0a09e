package import HealthModel

/// The time from one beat of the heart to the next.
package struct RRInterval: Sendable, Hashable {
    /// The earlier beat.
    package let start: Instant
    /// The later beat.
    package let end: Instant
    /// The length that the device measured, which is finer than the times of receipt.
    package let milliseconds: Double

    /// The tolerance for equal beat times: times in a store may be rounded to milliseconds.
    private static let toleranceNanoseconds: Int64 = 1_000_000

    /// Creates the interval between two beats.
    package init(start: Instant, end: Instant) {
        self.init(
            start: start, end: end, milliseconds: Double(end.nanoseconds(since: start)) / 1e6)
    }

    /// Creates an interval with a measured length.
    package init(start: Instant, end: Instant, milliseconds: Double) {
        self.start = start
        self.end = end
        self.milliseconds = milliseconds
    }

    /// Whether this interval starts with the beat that another one ended with.
    ///
    /// Then no beat is missing between them. The start may be slightly earlier: the gateway moves
    /// the times of a chain back when a packet proves that they were too late, and the beats are
    /// still neighbours.
    func follows(_ earlier: RRInterval) -> Bool {
        start > earlier.start && end > earlier.end
            && start.nanoseconds(since: earlier.end) <= Self.toleranceNanoseconds
    }

    /// The intervals of the `rrInterval` samples among some samples.
    /// - Throws: when they come from more than one device.
    package static func all(
        of samples: [QuantitySample]
    ) throws(HeartRateVariabilityError) -> [RRInterval] {
        let samples = samples.filter { $0.type == .rrInterval }
        guard Set(samples.map(\.device?.localIdentifier)).count <= 1 else {
            throw .severalDevices
        }
        return samples.map { sample in
            // An incompatible unit gives NaN, which the filter removes.
            let milliseconds = (try? sample.quantity.value(in: .millisecond)) ?? .nan
            return RRInterval(start: sample.start, end: sample.end, milliseconds: milliseconds)
        }
    }
}
