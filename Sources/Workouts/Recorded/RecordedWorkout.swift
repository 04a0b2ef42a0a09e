package import HealthModel

/// A workout that has ended, with its samples and what they come to: what is shown and exported.
package struct RecordedWorkout: Hashable, Sendable {
    /// What it was, and what happened in it.
    package let workout: Workout
    /// The samples that count, in the order of time: of each type at each time those of one device.
    package let samples: [QuantitySample]
    /// What the whole came to.
    package let measures: WorkoutMeasures
    /// Its laps, one after the other from its start to its end; one where none was marked.
    package let laps: [WorkoutLap]
    /// The zones of the person; nil when they are not known.
    package let zones: HeartRateZones?

    package init(
        workout: Workout, samples: [QuantitySample], measures: WorkoutMeasures,
        laps: [WorkoutLap], zones: HeartRateZones?
    ) {
        self.workout = workout
        self.samples = samples
        self.measures = measures
        self.laps = laps
        self.zones = zones
    }
}
