package import HealthModel

/// The samples that can belong to a workout.
///
/// Samples that were imported with a workout name it and belong to no other; such a workout has no
/// other samples. Any other workout has the samples of its person that belong to no workout.
package struct WorkoutAssociation: Sendable {
    package let workout: Workout
    private let name: String
    /// Whether samples were imported with the workout.
    package let isImported: Bool

    /// Finds out from all samples of its person in its time whether a workout was imported.
    package init(of samples: some Sequence<QuantitySample>, to workout: Workout) {
        self.init(to: workout, isImported: samples.contains { Self.shows($0, importOf: workout) })
    }

    /// - Parameter isImported: Whether samples were imported with the workout.
    package init(to workout: Workout, isImported: Bool) {
        self.workout = workout
        name = workout.identifier
        self.isImported = isImported
    }

    /// Whether a sample was imported with a workout.
    package static func shows(_ sample: QuantitySample, importOf workout: Workout) -> Bool {
        sample.metadata[.workout] == workout.identifier && sample.metadata[.method] == nil
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
