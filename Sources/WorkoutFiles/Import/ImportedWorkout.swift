package import HealthModel

/// A workout decoded from a file.
///
/// It has no totals: they are calculated from the samples, as for every workout.
package struct ImportedWorkout: Hashable, Sendable {
    /// The number of parts of the file that were skipped.
    package struct Skipped: Hashable, Sendable {
        /// Positions, which are not stored.
        package var positions = 0
        /// Further activities: one workout is read from a file.
        package var activities = 0
        /// Unknown fields, messages or elements.
        package var unknown = 0
        /// Values that are not plausible or have no sample type.
        package var values = 0

        /// Creates a value without skipped parts.
        package init() {}
    }

    /// The workout, with its pauses, laps and markers.
    package let workout: Workout
    /// The samples, in time order.
    package let content: ImportedSamples
    /// The skipped parts of the file.
    package let skipped: Skipped
    /// Whether the file has times without a time zone, which are local times then.
    package let hasLocalTimes: Bool
}
