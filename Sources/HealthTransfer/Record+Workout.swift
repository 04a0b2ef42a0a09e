package import HealthModel
import Workouts

extension Record {
    /// The name of the workout that a sample was imported or exported with, or of a workout; nil for other
    /// records.
    package var nameOfWorkout: String? {
        switch self {
        case .workout(let workout): workout.identifier
        case .sample(let sample):
            sample.metadata[.method] == nil ? sample.metadata[.workout] : nil
        default: nil
        }
    }
}
