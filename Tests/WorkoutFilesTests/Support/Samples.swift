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
        self.init(
            WorkoutAssociation(of: allSamples, to: workout), samples: PackedSamples(allSamples))
    }
}
