package import HealthModel

/// The time from one beat of the heart to the next.
package struct RRInterval: Sendable, Hashable {
    /// The earlier beat.
    package let start: Instant
    /// The later beat.
    package let end: Instant
    /// How long it was as the device measured it, which is finer than the times it was received at.
    package let milliseconds: Double

    /// Two beats that differ less are one: times in a store may be rounded to milliseconds.
    private static let toleranceNanoseconds: Int64 = 1_000_000

    /// The interval between two beats.
    package init(start: Instant, end: Instant) {
        self.init(
            start: start, end: end, milliseconds: Double(end.nanoseconds(since: start)) / 1e6)
    }

    /// An interval of which the device said how long it was.
    package init(start: Instant, end: Instant, milliseconds: Double) {
        self.start = start
        self.end = end
        self.milliseconds = milliseconds
    }

    /// Whether the earlier beat of this interval is the later one of another.
    ///
    /// Then no beat is missing between them. It may lie a little before it: the gateway moves the times
    /// of a chain back as soon as a packet proves that they were too late, and the beats are still
    /// neighbours.
    func follows(_ earlier: RRInterval) -> Bool {
        start > earlier.start && end > earlier.end
            && start.nanoseconds(since: earlier.end) <= Self.toleranceNanoseconds
    }

    /// The `rrInterval` samples among some samples, in order of time.
    /// - Throws: when they are of more than one device: their beats would be mixed.
    package static func all(
        of samples: [QuantitySample]
    ) throws(HeartRateVariabilityError) -> [RRInterval] {
        let samples = samples.filter { $0.type == .rrInterval }
        guard Set(samples.map(\.device?.localIdentifier)).count <= 1 else {
            throw .severalDevices
        }
        return samples.map { sample in
            // What cannot be expressed is no length of an interval, and is removed as such.
            let milliseconds = (try? sample.quantity.value(in: .millisecond)) ?? .nan
            return RRInterval(start: sample.start, end: sample.end, milliseconds: milliseconds)
        }
    }
}
