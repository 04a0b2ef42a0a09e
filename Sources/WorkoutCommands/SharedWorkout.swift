import GatewayCore
import HealthModel
import SQLiteStore
import WorkoutFiles
import Workouts

/// A stored workout of imports of which some are undone.
struct SharedWorkout {
    /// What another import has of a sample.
    struct Share {
        let file: ImportedFile
        /// The sample itself, or a part of it.
        let sample: QuantitySample
    }

    let association: WorkoutAssociation
    /// What each import has of it, in their order.
    let all: [WorkoutContribution]
    /// What the imports have that are not undone.
    let others: [WorkoutContribution]

    /// The types of the samples of its imports.
    var types: Set<QuantityType> { Set(all.flatMap(\.coverage.types).flatMap(\.sameMeasures)) }

    /// What the files of the other imports have of a sample; each time is that of the first of them.
    func shares(of sample: QuantitySample) throws -> [Share] {
        var rest = [sample.start...sample.end]
        var shares: [Share] = []
        for other in others {
            guard let file = other.file else { continue }
            let types = sample.type.sameMeasures
            let parts = rest.flatMap {
                other.coverage.parts(of: $0, type: sample.type, as: types)
            }
            for part in parts { shares.append(Share(file: file, sample: try sample.part(part))) }
            rest = parts.reduce(rest) { rest, part in rest.flatMap { $0.without(part) } }
        }
        return shares
    }

    /// What stays of the workout.
    func note(_ sampleCount: Int) -> String {
        let start = LocalTime.short(association.workout.start)
        guard others.contains(where: { $0.file != nil }) else {
            return "the workout of \(start) was stored before the import; it stays as it was"
        }
        let samples = sampleCount == 1 ? "1 sample" : "\(sampleCount) samples"
        return "the workout of \(start) was imported from another file too; it stays as that has "
            + "it, with \(samples) of this import"
    }
}

extension QuantitySample {
    /// The amount in a part of its time.
    fileprivate func part(_ span: ClosedRange<Instant>) throws -> QuantitySample {
        guard span != start...end else { return self }
        let share =
            Double(span.upperBound.nanoseconds(since: span.lowerBound))
            / Double(end.nanoseconds(since: start))
        let value = quantity.value * share
        let id = RecordID.make(
            start: span.lowerBound, device: id.description, stream: "part", key: value.bitPattern)
        return try QuantitySample(
            id: id, type: type, start: span.lowerBound, end: span.upperBound,
            quantity: Quantity(value, quantity.unit), person: person, device: device,
            source: source, metadata: metadata)
    }
}

extension ClosedRange<Instant> {
    /// What is left without a part of it.
    fileprivate func without(_ part: ClosedRange<Instant>) -> [ClosedRange<Instant>] {
        guard overlaps(part) else { return [self] }
        var rest: [ClosedRange<Instant>] = []
        if lowerBound < part.lowerBound { rest.append(lowerBound...part.lowerBound) }
        if part.upperBound < upperBound { rest.append(part.upperBound...upperBound) }
        return rest
    }
}
