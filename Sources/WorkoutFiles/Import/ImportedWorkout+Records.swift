package import HealthModel
import Workouts

extension ImportedWorkout {
    /// Samples of one type and device.
    private struct Stream: Hashable {
        let type: QuantityType
        let device: Device?
    }

    /// A workout of a file of records, with its samples.
    ///
    /// The ids of the samples are made of the workout and their content, so that the same records complete
    /// another workout once.
    package init(_ workout: Workout, samples: some Sequence<QuantitySample>) {
        var values: [Stream: [ImportDraft.Amount]] = [:]
        var skipped = Skipped()
        for sample in samples {
            guard sample.type.isPlausible(sample.quantity),
                let value = try? sample.quantity.value(in: sample.type.canonicalUnit)
            else {
                skipped.values += 1
                continue
            }
            values[Stream(type: sample.type, device: sample.device), default: []]
                .appendSparingly(.init(span: sample.start..<sample.end, value: value))
        }
        let name = MetadataValue.string(workout.identifier)
        var content = ImportedSamples(
            identity: ImportIdentity(
                device: workout.device, person: workout.person, source: workout.source),
            metadata: (try? Metadata([MetadataKey.workout.name: name])) ?? Metadata())
        for (stream, values) in values {
            let device = stream.device?.localIdentifier ?? stream.device?.name ?? ""
            skipped.values += content.add(
                values, of: stream.type, from: stream.device,
                stream: "\(stream.type.name) \(workout.identifier) \(device)")
        }
        self.init(workout: workout, content: content, skipped: skipped, hasLocalTimes: false)
    }
}
