import GatewayCore
import HealthModel
package import JSON
import Platform

/// What the import of a workout did.
package struct WorkoutImportResult: CustomStringConvertible {
    /// What was done with the workout.
    enum Action: String {
        case imported, completed, alreadyStored
    }

    private let action: Action
    private let workout: Workout
    private let sampleCount: Int

    init(_ action: Action, _ workout: Workout, sampleCount: Int) {
        self.action = action
        self.workout = workout
        self.sampleCount = sampleCount
    }

    /// A sentence.
    package var description: String {
        let name = "\(LogFormat.escaped(workout.activity.name)) of \(LocalTime.text(workout.start))"
        return switch action {
        case .imported, .completed: "\(action.rawValue) \(name), \(sampleCount) samples"
        case .alreadyStored: "\(name) is already in the store"
        }
    }

    /// Writes the fields for programs.
    package func write(to json: inout JSONWriter) {
        json.field("result", action.rawValue)
        json.field("workout", "\(workout.id)")
        json.field("activity", workout.activity.name)
        json.field("start", "\(workout.start)")
        json.field("samples", Int64(sampleCount))
    }
}
