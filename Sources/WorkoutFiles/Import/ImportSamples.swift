import HealthModel
import HealthStatistics
import Workouts

/// Builds the samples of an imported workout.
struct ImportSamples {
    private let draft: ImportDraft
    private let workout: Workout
    private let identity: ImportIdentity
    /// The number of skipped values.
    private(set) var skipped = 0
    private var samples: [QuantitySample] = []
    /// The metadata with the id of the workout that the sample was imported with.
    private let metadata: Metadata

    init(_ draft: ImportDraft, workout: Workout, identity: ImportIdentity) {
        self.draft = draft
        self.workout = workout
        self.identity = identity
        let name = MetadataValue.string(workout.id.description)
        metadata = (try? Metadata([MetadataKey.workout.name: name])) ?? Metadata()
    }

    mutating func all() -> [QuantitySample] {
        let heart = draft.heartDevice ?? draft.device
        let motion = draft.motionDevice ?? draft.device
        addReadings(\.heartRate, .heartRate, heart)
        addReadings(\.cadence, draft.activity.fileCadence?.type, motion)
        addReadings(\.speed, draft.activity.importedSpeed, motion)
        addReadings(\.power, draft.activity.importedPower, motion)
        add(draft.distance, \.distance, draft.activity.importedDistance, motion)
        add(draft.energy, \.energy, .activeEnergyBurned, draft.device)
        add(draft.steps, nil, .stepCount, motion)
        for beat in BeatTimes.place(draft.beats, until: workout.end) + draft.intervals {
            add(.rrInterval, beat.milliseconds, beat.start, beat.end, heart)
        }
        let order = samples.indices.sorted {
            (samples[$0].start, samples[$0].end, $0) < (samples[$1].start, samples[$1].end, $1)
        }
        return order.map { samples[$0] }
    }

    private mutating func addReadings(
        _ path: KeyPath<ImportDraft.Point, Double?>, _ type: QuantityType?, _ device: Device?
    ) {
        for point in draft.points {
            guard let value = point[keyPath: path] else { continue }
            add(type, value, point.time, point.time, device)
        }
    }

    private mutating func add(
        _ totals: ImportTotals, _ path: KeyPath<ImportDraft.Point, Double?>?, _ type: QuantityType?,
        _ device: Device?
    ) {
        let counts = draft.points.compactMap { point in
            path.flatMap { point[keyPath: $0] }.map { (point.time, $0) }
        }
        let track = CountRises.amounts(of: counts, totals, in: workout)
        let amounts = totals.completing(track, in: workout)
        // A workout without time has no place for them.
        if totals.total != nil, amounts.isEmpty { skipped += 1 }
        for amount in amounts {
            add(type, amount.value, amount.span.lowerBound, amount.span.upperBound, device)
        }
    }

    private mutating func add(
        _ type: QuantityType?, _ value: Double, _ start: Instant, _ end: Instant, _ device: Device?
    ) {
        guard let type, type.plausibleRange?.contains(value) ?? value.isFinite,
            workout.start <= end, end <= workout.end,
            let quantity = try? Quantity(value, type.canonicalUnit),
            let sample = try? QuantitySample(
                id: identity.id("\(type.name) \(workout.id)", start, end, value), type: type,
                start: start, end: end,
                quantity: quantity, person: identity.person, device: device,
                source: identity.source, metadata: metadata)
        else {
            skipped += 1
            return
        }
        samples.append(sample)
    }
}
