package import HealthModel

extension [QuantitySample] {
    /// The samples that can belong to a workout.
    ///
    /// Samples that were imported with a workout name it and belong to no other; such a workout has
    /// no other samples. Any other workout has the samples of its person that belong to no workout.
    package func belonging(to workout: Workout) -> [QuantitySample] {
        let name = workout.identifier
        let isImported = contains { $0.metadata[.workout] == name && $0.metadata[.method] == nil }
        return filter { sample in
            guard sample.person == nil || sample.person == workout.person else { return false }
            guard let owner = sample.metadata[.workout] else { return !isImported }
            return owner == name
        }
    }
}
