/// A way in which clients reach the service of a running gateway: a socket, a web server, a screen.
///
/// It holds no logic of its own: what a request means is the service's to know.
package protocol ServiceTransport: Sendable {
    /// Serves clients until the task is cancelled.
    func run(_ service: GatewayService) async

    /// Lets no further client in: the gateway has ended.
    func close()
}

extension ServiceTransport {
    /// Most transports end with their task.
    package func close() {}
}
