import HealthModel

extension [QuantitySample] {
    /// Those that can have a part in a workout.
    ///
    /// What came with a workout, as from a file, names it and belongs to no other: then nothing else is of
    /// that one. Of any other workout is what was measured on its person and belongs to none.
    func belonging(to workout: Workout) -> [QuantitySample] {
        let name = workout.id.description
        let cameAlong = contains { $0.metadata[.workout] == name && $0.metadata[.method] == nil }
        return filter { sample in
            guard sample.person == nil || sample.person == workout.person else { return false }
            guard let owner = sample.metadata[.workout] else { return !cameAlong }
            return owner == name
        }
    }
}
