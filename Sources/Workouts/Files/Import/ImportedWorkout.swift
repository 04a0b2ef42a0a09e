package import HealthModel

/// A workout that was read from a file.
///
/// It has no totals: they are reckoned from the samples, as for every workout.
package struct ImportedWorkout: Hashable, Sendable {
    /// How much of the file was not taken over.
    package struct LeftOut: Hashable, Sendable {
        /// Positions: where somebody was is not kept.
        package var positions = 0
        /// Further activities: a file is read as one workout.
        package var activities = 0
        /// Fields, messages or elements that are not known here.
        package var unknown = 0
        /// Values that are not plausible, or of a type that the model does not have.
        package var values = 0

        package init() {}
    }

    /// The workout, with its pauses, laps and markers.
    package let workout: Workout
    /// What was measured in it, in the order of time.
    package let samples: [QuantitySample]
    /// What is not here.
    package let leftOut: LeftOut
}
