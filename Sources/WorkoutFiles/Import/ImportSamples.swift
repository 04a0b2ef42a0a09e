import HealthModel
import HealthStatistics
import Workouts

/// Builds the samples of an imported workout.
struct ImportSamples {
    private let draft: ImportDraft
    private let workout: Workout
    /// The number of skipped values.
    private(set) var skipped = 0
    private var samples: ImportedSamples

    init(_ draft: ImportDraft, workout: Workout, identity: ImportIdentity) {
        self.draft = draft
        self.workout = workout
        let name = MetadataValue.string(workout.id.description)
        samples = ImportedSamples(
            identity: identity,
            // The id of the workout that the samples were imported with.
            metadata: (try? Metadata([MetadataKey.workout.name: name])) ?? Metadata())
    }

    mutating func all() -> ImportedSamples {
        let heart = draft.heartDevice ?? draft.device
        let motion = draft.motionDevice ?? draft.device
        addReadings(\.heartRate, .heartRate, heart)
        addReadings(\.cadence, draft.activity.fileCadence?.type, motion)
        addReadings(\.speed, draft.activity.importedSpeed, motion)
        addReadings(\.power, draft.activity.importedPower, motion)
        add(draft.distance, \.distance, draft.activity.importedDistance, motion)
        add(draft.energy, \.energy, .activeEnergyBurned, draft.device)
        add(draft.steps, nil, .stepCount, motion)
        let beats = BeatTimes.place(draft.beats, until: workout.end) + draft.intervals
        add(
            beats.compactMap { beat in
                guard beat.start <= beat.end else { return nil }
                return .init(span: beat.start..<beat.end, value: beat.milliseconds)
            }, of: .rrInterval, from: heart)
        return samples
    }

    private mutating func addReadings(
        _ path: KeyPath<ImportDraft.Point, Double?>, _ type: QuantityType?, _ device: Device?
    ) {
        var values: [ImportDraft.Amount] = []
        values.reserveCapacity(draft.points.count { $0[keyPath: path] != nil })
        for point in draft.points {
            guard let value = point[keyPath: path] else { continue }
            values.append(.init(span: point.time..<point.time, value: value))
        }
        add(values, of: type, from: device)
    }

    private mutating func add(
        _ totals: ImportTotals, _ path: KeyPath<ImportDraft.Point, Double?>?, _ type: QuantityType?,
        _ device: Device?
    ) {
        let counts = draft.points.lazy.compactMap { point in
            path.flatMap { point[keyPath: $0] }.map { (time: point.time, count: $0) }
        }
        let possible = counts.filter { CountRises.isPossible($0.count) }
        skipped += counts.count { !CountRises.isPossible($0.count) }
        let track = CountRises.amounts(of: possible, totals, in: workout)
        let amounts = totals.completing(track, in: workout)
        // A workout without time has no place for them.
        if totals.total != nil, amounts.isEmpty { skipped += 1 }
        add(amounts, of: type, from: device)
    }

    /// Adds the values that are plausible and in the workout.
    private mutating func add(
        _ values: [ImportDraft.Amount], of type: QuantityType?, from device: Device?
    ) {
        guard let type else {
            skipped += values.count
            return
        }
        let usable = values.exactly { value in
            (type.plausibleRange?.contains(value.value) ?? value.value.isFinite)
                && workout.start <= value.span.upperBound && value.span.upperBound <= workout.end
        }
        skipped += values.count - usable.count
        skipped += samples.add(
            usable, of: type, from: device, stream: "\(type.name) \(workout.id)")
    }
}
