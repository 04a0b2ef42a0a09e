import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import SQLiteStore

extension ParsedArguments {
    /// The activity given with `--activity`; nil when it was not given.
    ///
    /// It is one of HealthKit, by its name or number, a custom one with settings, or that of a stored
    /// workout, whose settings may be gone.
    func activity(
        among declared: Activities, in store: SQLiteStore
    ) async throws(HostError) -> WorkoutActivity? {
        guard let name = value(of: "--activity") else { return nil }
        if let type = WorkoutActivityType.named(name) { return WorkoutActivity(type) }
        if let activity = UInt(name).flatMap({ WorkoutActivity(number: $0) }) { return activity }
        let custom: [WorkoutActivity]
        do {
            custom = declared.own + (try await store.customActivities())
        } catch {
            throw HostError(.failure, "\(error)")
        }
        if let activity = custom.first(where: { $0.name == name }) { return activity }
        let known = Set(custom.map(\.name) + WorkoutActivityType.allCases.map(\.name)).sorted()
        let problem = Suggestion.unknown("activity", name, known: known)
        throw HostError(.usage, "--activity: \(LogFormat.escaped(problem))")
    }
}
