package import HealthModel
package import Workouts

/// What a file adds to the stored records of the same workout: the samples that they lack, and the
/// workout with its whole time.
///
/// So the sums do not depend on how often, in which order and in which format a workout comes: each
/// type has the largest of the counts, and a file that has no more adds nothing.
package struct WorkoutAddition: Hashable, Sendable {
    /// A count in the file that differs from the stored one of the same time.
    package struct Difference: Hashable, Sendable {
        package let type: QuantityType
        /// In the canonical unit of the type.
        package let stored: Double
        package let imported: Double
    }

    /// The workout to store, without totals.
    package let workout: Workout
    /// The samples to store.
    package let content: ImportedSamples
    package let differences: [Difference]
    /// Whether the workout is new, or longer than the stored one.
    let isLonger: Bool
    /// Whether an earlier import of the file may have been interrupted before it stored its workout.
    let mayLackWorkout: Bool
}

extension WorkoutAddition {
    /// Whether the file adds nothing.
    package var isEmpty: Bool { hasOnlyTotals && !mayLackWorkout }

    /// Whether the workout differs from the stored one in its totals at most.
    package var hasOnlyTotals: Bool { content.count == 0 && !isLonger }

    /// The addition of all series of a file, from those of one each.
    package init?(joining parts: [WorkoutAddition]) {
        guard let first = parts.first else { return nil }
        workout = first.workout
        content = ImportedSamples(joining: parts.map(\.content)) ?? first.content
        differences = parts.flatMap(\.differences).sorted { $0.type.name < $1.type.name }
        isLonger = first.isLonger
        mayLackWorkout = parts.contains(where: \.mayLackWorkout)
    }

    /// The totals of the workout with these samples and those that are stored.
    package func totals(with known: [KnownWorkout], subject: WorkoutSubject) -> [WorkoutTotal] {
        guard !known.isEmpty else {
            // A file counts each time once, so no earlier count changes with a later one.
            return workout.totals(of: content.byEnd(), subject: subject, countsOverlap: false)
        }
        var samples = PackedSamples()
        for known in known { samples.append(known.samples) }
        samples.append(content)
        samples.keep(WorkoutAssociation(of: samples, to: workout).includes)
        samples.sortByEnd()
        return workout.totals(of: samples, subject: subject)
    }
}

extension ImportedWorkout {
    /// The workout with the samples of one type each, so that each can be compared with the stored
    /// ones alone; the workout itself if it has none.
    package var ofEachType: [ImportedWorkout] {
        guard content.count > 0 else { return [self] }
        return content.ofEachType.map {
            ImportedWorkout(
                workout: workout, content: $0, skipped: skipped, hasLocalTimes: hasLocalTimes)
        }
    }

    /// A smaller difference between two records is one of the whole seconds in files.
    private static let toleranceSeconds = 2.0

    /// Returns what the file adds to stored records of the same workout.
    ///
    /// - Parameter known: The records that are the same workout, the one to complete first.
    package func adding(
        to known: [KnownWorkout]
    ) throws(WorkoutFileError) -> WorkoutAddition {
        guard let first = known.first else {
            return WorkoutAddition(
                workout: workout, content: content, differences: [], isLonger: true,
                mayLackWorkout: false)
        }
        var differences: [WorkoutAddition.Difference] = []
        var continues = false
        let knownSpan =
            known.reduce(first.workout.start) {
                min($0, $1.workout.start)
            }..<known.reduce(
                first.workout.end
            ) { max($0, $1.workout.end) }
        var added = content.replacing { series in
            let stored = known.lazy.flatMap { $0.samples.values(measuring: series.type) }
            let found = lacking(
                series, stored, during: span(with: first.workout), known: knownSpan)
            if let difference = found.difference { differences.append(difference) }
            if found.continues { continues = true }
            return found.series
        }
        added.nameWorkout(of: first)
        return WorkoutAddition(
            workout: try revised(first.workout), content: added,
            differences: differences.sorted { $0.type.name < $1.type.name },
            isLonger: isLonger(than: first.workout),
            mayLackWorkout: continues && !hasMade(first.workout))
    }

    /// Whether the workout begins before a stored one, or ends after it.
    func isLonger(than known: Workout) -> Bool {
        known.start.seconds(since: workout.start) > Self.toleranceSeconds
            || workout.end.seconds(since: known.end) > Self.toleranceSeconds
    }

    /// Whether a stored workout is that of an import of this file.
    private func hasMade(_ known: Workout) -> Bool {
        known.identifier == workout.id.description
            || known.id == id(of: known, version: known.version, start: known.start)
    }

    /// The id of a version of a stored workout that this file completes.
    private func id(of known: Workout, version: Double, start: Instant) -> RecordID {
        .make(
            start: start, device: known.identifier, stream: "workout version \(version)",
            key: workout.id.low)
    }

    private typealias Lacking = (
        series: ImportedSamples.Series, difference: WorkoutAddition.Difference?, continues: Bool
    )

    /// What the store lacks of a series, and whether an earlier import has stored a part of that.
    private func lacking(
        _ series: ImportedSamples.Series, _ stored: some Sequence<StoredValue>,
        during span: Range<Instant>, known knownSpan: Range<Instant>
    ) -> Lacking {
        func compare(
            _ stored: some Sequence<StoredValue>
        ) -> (series: ImportedSamples.Series, difference: WorkoutAddition.Difference?) {
            series.type.isCumulative
                ? StoredCounts(stored, during: span).lacking(series)
                : (StoredReadings(stored, during: knownSpan).lacking(series), nil)
        }
        let earlier = InterruptedImport(of: series, in: content, stored)
        if !earlier.isEmpty {
            let whole = compare(earlier.others)
            if let rest = earlier.rest(of: whole.series) { return (rest, whole.difference, true) }
        }
        let found = compare(stored)
        return (found.series, found.difference, false)
    }

    private func span(with other: Workout) -> Range<Instant> {
        min(workout.start, other.start)..<max(workout.end, other.end)
    }

    /// The next version of a stored workout; the events are those of the longer record.
    func revised(_ known: Workout) throws(WorkoutFileError) -> Workout {
        let isLonger = workout.seconds > known.seconds + Self.toleranceSeconds
        // A large version of another program is not changed by 1.
        let version = max(known.version + 1, known.version.nextUp)
        var metadata = known.metadata
        guard (try? metadata.setSync(identifier: known.identifier, version: version)) != nil else {
            throw .workout(.tooLong)
        }
        let span = span(with: known)
        do {
            return try Workout(
                id: id(of: known, version: version, start: span.lowerBound),
                activity: known.activity == WorkoutActivity(.other)
                    ? workout.activity : known.activity,
                location: known.location == .unknown ? workout.location : known.location,
                start: span.lowerBound, end: span.upperBound,
                events: isLonger || known.events.isEmpty ? workout.events : known.events,
                person: known.person, device: known.device ?? workout.device,
                source: known.source, metadata: metadata)
        } catch {
            throw .workout(error)
        }
    }
}

extension ImportedSamples {
    /// Makes the samples those of a stored workout, which they name if its own do.
    fileprivate mutating func nameWorkout(of known: KnownWorkout) {
        let name = MetadataValue.string(known.workout.identifier)
        let named = try? Metadata(known.isImported ? [MetadataKey.workout.name: name] : [:])
        metadata = named ?? metadata
    }
}

extension QuantityType {
    /// Types of one measurement, whose name depends on the activity.
    private static let kinds: [Set<QuantityType>] = [
        [.distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceRowing],
        [.runningSpeed, .walkingSpeed, .cyclingSpeed, .rowingSpeed],
        [.runningCadence, .cyclingCadence], [.runningPower, .cyclingPower],
    ]

    /// The types that measure the same, this one included.
    package var sameMeasures: Set<QuantityType> {
        Self.kinds.first { $0.contains(self) } ?? [self]
    }

    func measuresSame(as other: QuantityType) -> Bool {
        self == other || Self.kinds.contains { $0.isSuperset(of: [self, other]) }
    }
}
