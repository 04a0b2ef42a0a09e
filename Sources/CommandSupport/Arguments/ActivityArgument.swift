package import GatewayCore
package import GatewayHost
package import HealthModel
import JSON
import Platform
package import SQLiteStore
import StoreRequests

extension ParsedArguments {
    /// The activity given with `--activity`; nil when it was not given.
    ///
    /// It is one of HealthKit, by its name or number, a custom one with settings, or that of a stored
    /// workout, whose settings may be gone.
    package func activity(
        among declared: Activities, in store: SQLiteStore
    ) async throws(HostError) -> WorkoutActivity? {
        guard let name = value(of: "--activity") else { return nil }
        do {
            return try await StoredActivity.named(name, among: declared, in: store)
        } catch let unknown as StoredActivity.Unknown {
            throw HostError(.usage, "--activity: \(LogFormat.escaped(unknown.description))")
        } catch {
            throw HostError(error)
        }
    }
}
