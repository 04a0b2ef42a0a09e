package import HealthModel
import Workouts

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
    package let samples: [QuantitySample]
    package let differences: [Difference]
    /// Whether the file adds nothing.
    package let isEmpty: Bool
}

extension ImportedWorkout {
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
                workout: workout, samples: samples, differences: [], isEmpty: false)
        }
        let stored = known.flatMap(\.samples)
        var added: [QuantitySample] = []
        var differences: [WorkoutAddition.Difference] = []
        for (type, samples) in Dictionary(grouping: samples, by: \.type) {
            let same = stored.filter { type.measuresSame(as: $0.type) }
            guard type.isCumulative else {
                added += StoredReadings(same).lacking(samples)
                continue
            }
            let counts = StoredCounts(same, type: type, during: span(with: first.workout))
            let lacking = counts.lacking(samples)
            added += lacking.samples
            if let difference = lacking.difference { differences.append(difference) }
        }
        let isLonger =
            first.workout.start.seconds(since: workout.start) > Self.toleranceSeconds
            || workout.end.seconds(since: first.workout.end) > Self.toleranceSeconds
        return WorkoutAddition(
            workout: try revised(first.workout),
            samples: added.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
                .map { $0.belonging(to: first) },
            differences: differences.sorted { $0.type.name < $1.type.name },
            isEmpty: added.isEmpty && !isLonger)
    }

    private func span(with other: Workout) -> Range<Instant> {
        min(workout.start, other.start)..<max(workout.end, other.end)
    }

    /// The next version of a stored workout; the events are those of the longer record.
    private func revised(_ known: Workout) throws(WorkoutFileError) -> Workout {
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
                id: .make(
                    start: span.lowerBound, device: known.identifier,
                    stream: "workout version \(version)", key: workout.id.low),
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

extension QuantitySample {
    /// The sample as one of a stored workout, which it names if the others do.
    fileprivate func belonging(to known: KnownWorkout) -> QuantitySample {
        let name = MetadataValue.string(known.workout.identifier)
        let named = try? Metadata(known.isImported ? [MetadataKey.workout.name: name] : [:])
        let sample = try? QuantitySample(
            id: id, type: type, start: start, end: end, quantity: quantity, person: person,
            device: device, source: source, metadata: named ?? metadata)
        return sample ?? self
    }
}

extension QuantityType {
    /// Types of one measurement, whose name depends on the activity.
    private static let kinds: [Set<QuantityType>] = [
        [.distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceRowing],
        [.runningSpeed, .walkingSpeed, .cyclingSpeed, .rowingSpeed],
        [.runningCadence, .cyclingCadence], [.runningPower, .cyclingPower],
    ]

    fileprivate func measuresSame(as other: QuantityType) -> Bool {
        self == other || Self.kinds.contains { $0.isSuperset(of: [self, other]) }
    }
}
