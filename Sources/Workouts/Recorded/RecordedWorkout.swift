package import HealthModel

/// A finished workout with its samples and statistics, for display and export.
package struct RecordedWorkout: Hashable, Sendable {
    /// The workout and its events.
    package let workout: Workout
    /// The used samples in time order: at each time those of one device for each type.
    package let samples: [QuantitySample]
    /// The statistics of the whole workout.
    package let measures: WorkoutMeasures
    /// The laps, one after the other from the start to the end; a single lap when none was marked.
    package let laps: [WorkoutLap]
    /// The heart rate zones; nil when they are unknown.
    package let zones: HeartRateZones?

    /// The totals of each sample type, for the record.
    package let totals: [WorkoutTotal]
    /// The energy of each interval, where it is known.
    package let energies: [IntervalEnergy]
    /// The spans in which a backup strap was used.
    package let backups: [BackupSpan]

    /// Creates a value from its parts.
    package init(
        workout: Workout, samples: [QuantitySample], measures: WorkoutMeasures,
        laps: [WorkoutLap], zones: HeartRateZones?, totals: [WorkoutTotal] = [],
        energies: [IntervalEnergy] = [], backups: [BackupSpan] = []
    ) {
        self.workout = workout
        self.samples = samples
        self.measures = measures
        self.laps = laps
        self.zones = zones
        self.totals = totals
        self.energies = energies
        self.backups = backups
    }
}
