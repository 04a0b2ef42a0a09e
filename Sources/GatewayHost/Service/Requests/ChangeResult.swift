import GatewayCore
import JSON

/// The result of a request that changes a file in the data directory.
protocol ChangeResult: Sendable {
    /// Writes the result as fields of an answer.
    func write(to json: inout JSONWriter)
}

extension PersonEditor.Result: ChangeResult {}
extension DefaultPersonResult: ChangeResult {}
extension PersonRemovalResult: ChangeResult {}
extension AdoptionResult: ChangeResult {}
extension ForgetResult: ChangeResult {}

extension RequestHandler {
    /// Makes a handler for a change, which is answered when the gateway has applied it.
    init<Result: ChangeResult>(
        changing name: String, of area: ManagedArea,
        _ change:
            @escaping @Sendable (GatewayService, ConfigurationNode, ServiceClient) async throws
            -> (Result, ReloadOutcome)
    ) {
        self.init(name, for: .managers(of: area)) { request, service, channel in
            let (result, outcome) = try await change(
                service, request.parameters, channel.client)
            channel.send(
                JSONLine.make { json in
                    result.write(to: &json)
                    outcome.write(to: &json)
                })
            return nil
        }
    }
}
