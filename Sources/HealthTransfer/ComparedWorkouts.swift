package import HealthModel
import Workouts

/// The records of a file that its import compares with stored workouts, and does not store as they are.
package struct ComparedWorkouts: Hashable, Sendable {
    /// The names of workouts that the store has under another name, with all their samples.
    package var names: Set<String> = []
    /// The types of samples that the store has with other ids, by the names of their workouts.
    package var types: [String: Set<QuantityType>] = [:]

    /// Makes a value without workouts.
    package init() {}

    /// Whether every record is stored as it is.
    package var isEmpty: Bool { names.isEmpty && types.isEmpty }

    /// Whether a record is one of these.
    package func contains(_ record: Record) -> Bool {
        guard let name = record.nameOfWorkout else { return false }
        if names.contains(name) { return true }
        guard case .sample(let sample) = record else { return false }
        return types[name]?.contains(sample.type) ?? false
    }
}
