import HealthModel
import HealthStatistics
import Workouts

/// The stored readings of a workout.
struct StoredReadings {
    /// How far apart readings may be that are the same: files have whole seconds, and repeat a
    /// reading until the next one.
    private static let toleranceSeconds = 5.0

    private let spans: [ClosedRange<Instant>]

    init(_ samples: [QuantitySample]) {
        spans = samples.map { $0.start...$0.end }.sorted { $0.upperBound < $1.upperBound }
    }

    /// The readings at times without stored ones.
    func lacking(_ samples: [QuantitySample]) -> [QuantitySample] {
        samples.filter { sample in
            let earliest = sample.start.later(bySeconds: -Self.toleranceSeconds)
            let next = spans.partitioned { $0.upperBound >= earliest }
            guard next < spans.count else { return true }
            return spans[next].lowerBound > sample.end.later(bySeconds: Self.toleranceSeconds)
        }
    }
}

/// The stored amounts of a workout, whose time is counted once however many devices counted it.
struct StoredCounts {
    /// How much faster than in the file an amount may rise to reach the total of the file.
    private static let maximumFactor = 2.0

    private let type: QuantityType
    private var spans: [Range<Instant>] = []
    private var total = 0.0

    /// - Parameter span: The time of the workout; amounts outside of it are not counted.
    init(_ samples: [QuantitySample], type: QuantityType, during span: Range<Instant>) {
        self.type = type
        var reached = span.lowerBound
        for sample in samples.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            let end = min(sample.end, span.upperBound)
            let start = max(sample.start, reached)
            guard start < end, let value = try? sample.quantity.value(in: type.canonicalUnit)
            else { continue }
            total += value * ((start..<end).seconds / (sample.start..<sample.end).seconds)
            spans.append(start..<end)
            reached = end
        }
    }

    /// The amounts at times without stored ones, so that the sum becomes that of the file.
    func lacking(
        _ samples: [QuantitySample]
    ) -> (samples: [QuantitySample], difference: WorkoutAddition.Difference?) {
        let imported = samples.reduce(0) { $0 + $1.quantity.value }
        let tolerance = ImportTotals(total: imported).tolerance
        let missing = imported - total
        guard missing > tolerance else { return ([], nil) }
        let parts = samples.flatMap { sample in free(sample).map { (sample, $0) } }
        let sum = parts.reduce(0) { $0 + Self.amount(of: $1.0, in: $1.1) }
        let isWhole = abs(missing - sum) <= tolerance
        let factor = isWhole || sum <= 0 ? 1 : min(missing / sum, Self.maximumFactor)
        let added = parts.map { Self.part(of: $0.0, in: $0.1, factor) }
        let rest = missing - sum * factor
        guard rest > tolerance else { return (added, nil) }
        return (
            added,
            WorkoutAddition.Difference(type: type, stored: imported - rest, imported: imported)
        )
    }

    /// The parts of a sample at times without stored amounts.
    private func free(_ sample: QuantitySample) -> [Range<Instant>] {
        let first = spans.partitioned { $0.upperBound > sample.start }
        return (sample.start..<sample.end).without(
            Array(spans[first...].prefix { $0.lowerBound < sample.end }))
    }

    private static func amount(of sample: QuantitySample, in span: Range<Instant>) -> Double {
        sample.quantity.value * (span.seconds / (sample.start..<sample.end).seconds)
    }

    /// A part of a sample is a new sample with its own id.
    private static func part(
        of sample: QuantitySample, in span: Range<Instant>, _ factor: Double
    ) -> QuantitySample {
        let value = amount(of: sample, in: span) * factor
        guard value != sample.quantity.value,
            let quantity = try? Quantity(value, sample.quantity.unit),
            let part = try? QuantitySample(
                id: .make(
                    start: span.lowerBound, device: sample.id.description, stream: "part",
                    key: value.bitPattern),
                type: sample.type, start: span.lowerBound, end: span.upperBound,
                quantity: quantity, person: sample.person, device: sample.device,
                source: sample.source, metadata: sample.metadata)
        else { return sample }
        return part
    }
}
