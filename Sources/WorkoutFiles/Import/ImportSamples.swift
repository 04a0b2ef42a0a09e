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
        let track = path.map { rises(of: $0, totals) } ?? []
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

    /// The differences of a cumulative count from point to point; a count that falls starts again.
    ///
    /// A count over a pause starts at the end of the pause. A count that begins above the total is
    /// that of a longer workout, of which the file has a part.
    private func rises(
        of path: KeyPath<ImportDraft.Point, Double?>, _ totals: ImportTotals
    ) -> [ImportDraft.Amount] {
        var amounts: [ImportDraft.Amount] = []
        let counts = draft.points.lazy.compactMap { $0[keyPath: path] }
        let limit = totals.total.map { $0 + totals.tolerance } ?? .infinity
        let first = counts.first.flatMap { $0 > limit ? $0 : nil } ?? 0
        var (from, base, newest) = (workout.start, first, first)
        var pauses = workout.pauses[...]
        for point in draft.points {
            guard let count = point[keyPath: path], count >= 0, count.isFinite else { continue }
            while let pause = pauses.first, pause.upperBound <= point.time {
                from = max(from, pause.upperBound)
                pauses.removeFirst()
            }
            newest = count
            if count < base { base = count }
            guard from < point.time else { continue }
            if count > base {
                amounts.append(
                    .init(span: from..<point.time, value: Self.difference(count, base)))
            }
            (from, base) = (point.time, count)
        }
        if newest > base, from < workout.end {
            amounts.append(.init(span: from..<workout.end, value: Self.difference(newest, base)))
        }
        return amounts
    }

    /// Rounds to the decimal fractions that files use.
    private static func difference(_ count: Double, _ base: Double) -> Double {
        ((count - base) * 1e6).rounded() / 1e6
    }
}
