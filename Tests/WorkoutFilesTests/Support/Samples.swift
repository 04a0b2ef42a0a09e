import HealthModel
import WorkoutFiles
import Workouts

/// The samples of an import, all in memory.
extension ImportedWorkout {
    var samples: [QuantitySample] { Array(content) }
}

extension WorkoutAddition {
    var samples: [QuantitySample] { Array(content) }
}

extension KnownWorkout {
    init(workout: Workout, allSamples: [QuantitySample]) {
        self.init(workout: workout, allSamples: PackedSamples(allSamples))
    }
}
