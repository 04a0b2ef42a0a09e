import GatewayHost
import Platform

extension Interruption {
    /// Runs the body; after an interruption the process ends by the signal, as if it had not caught it, so that
    /// a shell knows.
    func run<Value>(
        _ body: () async throws(HostError) -> Value
    ) async throws(HostError) -> Value {
        do throws(HostError) {
            return try await body()
        } catch {
            guard let signal else { throw error }
            error.write()
            ProcessSignals.end(by: signal)
        }
    }
}
