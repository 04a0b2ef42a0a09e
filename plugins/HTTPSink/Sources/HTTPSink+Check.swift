import GatewayCore
import HTTPClient

extension HTTPSink: ConnectionChecking {
    /// Posts an empty batch with the login of the sink.
    ///
    /// A server that rejects the batch may do so because it is empty, or with every batch.
    package func checkConnection() async throws {
        let headers = try readHeaders()
        let body = settings.format.body(of: RecordLines([]), types: types)
        let response = try await send(body, headers)
        switch ResponseAction(status: response.status) {
        case .stored: return
        case .rejected:
            throw SinkError.rejected(
                [], reason: message(response, "a request without a record is not accepted"))
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
