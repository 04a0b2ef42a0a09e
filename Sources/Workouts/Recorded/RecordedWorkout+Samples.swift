package import HealthModel

extension RecordedWorkout {
    /// Calculates the statistics of a workout from the samples of its person, by the rules of the
    /// live view.
    ///
    /// - Parameters:
    ///   - allSamples: The stored samples, in any order; samples outside the workout are ignored.
    ///   - subject: The facts about the person.
    package init(workout: Workout, allSamples: [QuantitySample], subject: WorkoutSubject) {
        let samples =
            allSamples.belonging(to: workout)
            .sorted { ($0.end, $0.start, $0.id) < ($1.end, $1.start, $1.id) }
        let tally = WorkoutTally(of: samples, in: workout, subject: subject)
        let measures = tally.measures(at: workout.end)
        self.init(
            workout: workout, samples: tally.samples(of: samples, in: workout), measures: measures,
            laps: tally.timeline.laps.enumerated().map { index, span in
                WorkoutLap(span: span, measures: tally.measures(ofLap: index, at: workout.end))
            },
            zones: subject.zones, totals: tally.totals(measures),
            energies: tally.energies(at: workout.end),
            backups: tally.curves[.heartRate]?.backups.spans ?? [])
    }

    /// Calculates the heart rate recovery in the minute after the effort.
    ///
    /// - Parameter allSamples: The stored samples, from 30 s before the end of the workout to 75 s
    ///   after it.
    /// - Throws: when it cannot be calculated; also when the workout ended in a pause, because then
    ///   the end of the effort is unknown.
    package func recovery(
        of allSamples: [QuantitySample], subject: WorkoutSubject
    ) throws(HeartRateRecoveryError) -> HeartRateRecovery {
        let isPausedAtEnd = workout.pauses.last?.upperBound == workout.end
        let span = workout.end.later(bySeconds: -30)...workout.end.later(bySeconds: 90)
        let rates =
            allSamples.belonging(to: workout)
            .filter { $0.type == .heartRate && span.contains($0.end) }
            .sorted { ($0.end, $0.start, $0.id) < ($1.end, $1.start, $1.id) }
        var arbiter = SourceArbiter(limitSeconds: WorkoutTally.heartLimitSeconds)
        var chosen: [Reading] = []
        for (index, sample) in rates.enumerated() {
            guard let value = WorkoutTally.value(of: sample) else { continue }
            if arbiter.isFull { chosen += arbiter.decideHalf() }
            arbiter.add(value, of: sample, index: index, roles: subject.roles)
        }
        chosen += arbiter.decide(until: .distantFuture, known: span.upperBound)
        return try HeartRateRecovery(
            effortEnd: isPausedAtEnd ? nil : workout.end,
            samples: chosen.map { rates[$0.index] },
            effort: HeartRateRecovery.Effort(
                activityType: Int(workout.activity.number),
                duration: try? Quantity(workout.seconds, .second)))
    }

    /// The energy of each interval as a sample, if no device counted it.
    package func energySamples(device: Device?, source: SourceRevision?) -> [QuantitySample] {
        energies.compactMap {
            $0.sample(
                workout: workout.id, person: workout.person, device: device, source: source)
        }
    }
}

extension Workout {
    /// Calculates the totals of samples that belong to the workout, in the order of their ends.
    ///
    /// The samples are read once and not held.
    ///
    /// - Parameter countsOverlap: Whether several devices may have counted the same time.
    package func totals(
        of samples: some Sequence<QuantitySample>, subject: WorkoutSubject,
        countsOverlap: Bool = true
    ) -> [WorkoutTotal] {
        let tally = WorkoutTally(
            of: samples, in: self, subject: subject, collects: countsOverlap)
        return tally.totals(tally.measures(at: end))
    }
}

extension WorkoutTally {
    /// Sums up the samples of a finished workout, which are in the order of their ends.
    fileprivate init(
        of samples: some Sequence<QuantitySample>, in workout: Workout, subject: WorkoutSubject,
        collects: Bool = true
    ) {
        self.init(
            WorkoutTimeline(workout), activity: workout.activity, subject: subject,
            collects: collects)
        for (index, sample) in samples.enumerated() { add(sample, index: index) }
        // Counts across the end arrive after it.
        self = settled(at: .distantFuture)
    }
}

extension IntervalEnergy {
    /// The energy as a sample; nil when devices counted it, because their samples exist already.
    ///
    /// The same interval of the same workout always has the same id.
    package func sample(
        workout: RecordID, person: String?, device: Device?, source: SourceRevision?
    ) -> QuantitySample? {
        guard method != .counter, !span.isEmpty,
            let quantity = try? Quantity(kilocalories, .kilocalorie),
            let metadata = try? Metadata([
                MetadataKey.workout.name: .string(workout.description),
                MetadataKey.method.name: .string(method.rawValue),
            ])
        else { return nil }
        return try? QuantitySample(
            id: .make(
                start: span.lowerBound, device: "workout", stream: workout.description, key: 0),
            type: .activeEnergyBurned, start: span.lowerBound, end: span.upperBound,
            quantity: quantity, person: person, device: device, source: source,
            metadata: metadata)
    }
}
