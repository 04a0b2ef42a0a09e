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

    /// What the samples of each type came to, for the record.
    package let totals: [WorkoutTotal]
    /// The energy of each interval, where something says how much it was.
    package let energies: [IntervalEnergy]
    /// When a backup strap counted.
    package let backups: [BackupSpan]

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
