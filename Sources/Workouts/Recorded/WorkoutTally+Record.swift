import HealthModel

extension WorkoutTally {
    /// The totals of each sample type.
    func totals(_ measures: WorkoutMeasures) -> [WorkoutTotal] {
        let cells = timeline.cells.indices
        var totals: [WorkoutTotal] = []
        for type in curves.keys {
            guard let spread = spread(ofFirst: [type], in: cells),
                let total = try? Self.total(type, spread)
            else { continue }
            totals.append(total)
        }
        for type in counts.keys where type != .activeEnergyBurned {
            guard let sum = sum(of: type, in: cells),
                let quantity = try? Quantity(sum, type.canonicalUnit),
                let total = try? WorkoutTotal(type, sum: quantity)
            else { continue }
            totals.append(total)
        }
        if let energy = Self.energy(measures) { totals.append(energy) }
        return totals.sorted { $0.type.name < $1.type.name }
    }

    private static func total(
        _ type: QuantityType, _ spread: WorkoutMeasures.Spread
    ) throws -> WorkoutTotal {
        let unit = type.canonicalUnit
        return try WorkoutTotal(
            type, average: Quantity(spread.average, unit), minimum: Quantity(spread.minimum, unit),
            maximum: Quantity(spread.maximum, unit))
    }

    private static func energy(_ measures: WorkoutMeasures) -> WorkoutTotal? {
        guard let energy = measures.energyKilocalories,
            let quantity = try? Quantity(energy, .kilocalorie)
        else { return nil }
        let isCounted = measures.energyMethods == [.counter]
        let methods = measures.energyMethods.sorted().map(\.rawValue).joined(separator: ",")
        return try? WorkoutTotal(
            .activeEnergyBurned, sum: quantity, method: isCounted ? nil : methods)
    }

    /// The used samples in time order.
    ///
    /// Unused parts of a cumulative sample are cut off. The energy that was calculated for this
    /// workout is included where no device counted it.
    func samples(of all: [QuantitySample], in workout: Workout) -> [QuantitySample] {
        var chosen = curves.values.flatMap { $0.chosen ?? [] }.map { all[$0] }
        chosen += (beats.chosen ?? []).map { all[$0] }
        for track in counts.values {
            for part in track.parts { chosen += samples(of: part, all[part.count.index]) }
        }
        chosen += computedEnergy(among: all, of: workout)
        return chosen.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    }

    /// The calculated energy, except where a device reported its count only after the calculation.
    private func computedEnergy(
        among all: [QuantitySample], of workout: Workout
    ) -> [QuantitySample] {
        let id = workout.identifier
        let counted = energies(at: workout.end).filter { $0.method == .counter }.map(\.span)
        return all.filter { sample in
            sample.type == .activeEnergyBurned && sample.metadata[.workout] == id
                // Imported samples were counted by a device, and are selected already.
                && sample.metadata[.method] != nil
                && !counted.contains { $0.contains(sample.start) }
        }
    }

    private func samples(
        of part: CountTrack.Part, _ sample: QuantitySample
    ) -> [QuantitySample] {
        let first = timeline.intervals.partitioned { $0.upperBound > part.span.lowerBound }
        let intervals = timeline.intervals[first...].prefix {
            $0.lowerBound < part.span.upperBound
        }
        return intervals.compactMap { interval in
            let span = part.span.clamped(to: interval)
            guard !span.isEmpty else { return nil }
            guard span != part.count.span else { return sample }
            let nanoseconds = span.upperBound.nanoseconds(since: span.lowerBound)
            guard
                let quantity = try? Quantity(
                    part.count.amount(in: nanoseconds), sample.type.canonicalUnit)
            else { return nil }
            // A part of a sample is a new sample with its own id.
            return try? QuantitySample(
                id: .make(
                    start: span.lowerBound, device: sample.id.description, stream: "part", key: 0),
                type: sample.type, start: span.lowerBound, end: span.upperBound,
                quantity: quantity, person: sample.person, device: sample.device,
                source: sample.source, metadata: sample.metadata)
        }
    }
}
