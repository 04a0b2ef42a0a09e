package import HealthModel

/// The samples that can belong to a workout.
///
/// Samples that were imported with a workout name it and belong to no other; such a workout has no
/// other samples. Any other workout has the samples of its person that belong to no workout.
package struct WorkoutAssociation: Sendable {
    private let workout: Workout
    private let name: String
    private let isImported: Bool

    /// Finds out from all samples of its person in its time whether a workout was imported.
    package init(of samples: some Sequence<QuantitySample>, to workout: Workout) {
        self.workout = workout
        let name = workout.identifier
        self.name = name
        isImported = samples.contains {
            $0.metadata[.workout] == name && $0.metadata[.method] == nil
        }
    }

    /// Whether a sample can belong to the workout.
    package func includes(_ sample: QuantitySample) -> Bool {
        guard sample.person == nil || sample.person == workout.person else { return false }
        guard let owner = sample.metadata[.workout] else { return !isImported }
        return owner == name
    }
}

extension [QuantitySample] {
    /// The samples that can belong to a workout.
    package func belonging(to workout: Workout) -> [QuantitySample] {
        filter(WorkoutAssociation(of: self, to: workout).includes)
    }
}
