/// A transport that carries requests of clients to the service: a socket, a web server, a screen.
///
/// It contains no logic of its own.
package protocol ServiceTransport: Sendable {
    /// Serves clients until the task is cancelled.
    func run(_ service: GatewayService) async

    /// Rejects further clients: the gateway has stopped.
    func close()
}

extension ServiceTransport {
    /// Does nothing: most transports end with their task.
    package func close() {}
}
