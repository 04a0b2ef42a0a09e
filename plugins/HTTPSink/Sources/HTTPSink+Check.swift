import GatewayCore
import HTTPClient

extension HTTPSink: ConnectionChecking {
    /// Posts an empty batch with the login of the sink.
    ///
    /// A server that rejects the batch because it is empty has accepted the login.
    package func checkConnection() async throws {
        let headers = try readHeaders()
        let body = settings.format.body(of: RecordLines([]), types: types)
        let response = try await send(body, headers)
        switch ResponseAction(status: response.status) {
        case .stored, .rejected: return
        case .later(let reason):
            throw SinkError.retry(reason: message(response, reason), after: nil)
        case .unauthorized(let reason):
            throw SinkError.blocked(reason: message(response, "\(reason); \(credentialsRemedy)"))
        case .blocked(let reason):
            throw SinkError.blocked(
                reason: message(response, reason + redirectTarget(of: response)))
        }
    }
}
