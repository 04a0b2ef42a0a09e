package import GatewayCore
package import HealthModel
import JSON
package import SQLiteStore

/// The activity of stored workouts, by its name.
package enum StoredActivity {
    /// The error about a name that no activity has.
    package struct Unknown: Error, CustomStringConvertible {
        /// The message, with the nearest names.
        package let description: String
    }

    /// Finds an activity: one of HealthKit, by its name or number, a custom one with settings, or that of
    /// a stored workout, whose settings may be gone.
    ///
    /// - Parameter declared: The activities with settings.
    /// - Throws: ``Unknown``, and the errors of the store.
    package static func named(
        _ name: String, among declared: Activities, in store: SQLiteStore
    ) async throws -> WorkoutActivity {
        if let type = WorkoutActivityType.named(name) { return WorkoutActivity(type) }
        if let activity = UInt(name).flatMap({ WorkoutActivity(number: $0) }) { return activity }
        let custom = declared.own + (try await store.customActivities())
        if let activity = custom.first(where: { $0.name == name }) { return activity }
        let known = Set(custom.map(\.name) + WorkoutActivityType.allCases.map(\.name)).sorted()
        throw Unknown(description: Suggestion.unknown("activity", name, known: known))
    }
}
