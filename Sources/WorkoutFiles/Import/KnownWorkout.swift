package import HealthModel
package import Workouts

/// A stored workout with its samples, which an import of the same workout completes.
package struct KnownWorkout: Hashable, Sendable {
    /// The share of the shorter of two workouts that the longer one must contain: a part of a
    /// recording is the same workout, and the next recording is not.
    private static let minimumSharedTime = 0.9

    package let workout: Workout
    /// The samples that belong to the workout, of all devices and of some types at least.
    package private(set) var samples: PackedSamples
    /// Whether its samples name it: those of a workout that was imported.
    let isImported: Bool

    /// Creates a value from a workout and samples of its person in its time.
    package init(_ association: WorkoutAssociation, samples: PackedSamples) {
        workout = association.workout
        isImported = association.isImported
        self.samples = samples
        self.samples.keep(association.includes)
    }

    /// Whether two records are of the same workout.
    ///
    /// It is of the same person, at the same time, and of the same activity, which some formats do
    /// not have.
    package static func isSame(_ one: Workout, _ other: Workout) -> Bool {
        let activities = [one.activity, other.activity]
        guard one.person == other.person,
            one.activity == other.activity || activities.contains(WorkoutActivity(.other))
        else { return false }
        let shared = min(one.end, other.end).seconds(since: max(one.start, other.start))
        let shorter = min(one.end.seconds(since: one.start), other.end.seconds(since: other.start))
        return shared >= 0 && shared >= shorter * minimumSharedTime
    }
}
