package import GatewayCore
import GatewayHost
package import Platform

/// Answers the requests on the control socket of a running gateway.
///
/// Clients are served concurrently; one thread waits for all their descriptors.
package struct ControlServer: Sendable {
    /// The delay after a failed accept, such as without free descriptors, in seconds.
    package static let pauseSeconds = 1.0

    package let listener: LocalSocket
    package let clients: ControlClients
    package let clock: any GatewayClock
    package let log: Logger
    let service: GatewayService
    var router = RequestRouter()
    /// Makes the client of a verified user.
    var makeClient: @Sendable (UInt32) -> ServiceClient = {
        ServiceClient(transport: ControlClient.transport, userID: $0)
    }

    /// Serves clients until the task is cancelled; then all are disconnected.
    package func run() async {
        let poller = DescriptorPoller()
        // Clients that are not accepted yet would wait until the listener is closed.
        defer { while case .client = listener.accept() {} }
        await withDiscardingTaskGroup { group in
            do {
                let waiting = try poller.watch(listener, .readable)
                defer { waiting.close() }
                try await accept(in: &group, waiting: waiting, poller: poller)
            } catch is CancellationError {
                return
            } catch {
                log.error("the control socket has failed", ["reason": "\(error)"])
            }
        }
    }

    private func accept(
        in group: inout DiscardingTaskGroup, waiting: DescriptorWatch, poller: DescriptorPoller
    ) async throws {
        var lastFailure: LocalSocket.Failure?
        while true {
            try Task.checkCancellation()
            switch listener.accept() {
            case .client(let socket):
                lastFailure = nil
                guard let user = socket.peerUser else { continue }
                let connection = makeConnection(socket, user, poller: poller)
                if let place = clients.add(connection.channel, at: clock.now()) {
                    group.addTask {
                        await connection.run()
                        clients.remove(place)
                    }
                } else {
                    reject(socket)
                }
            case .wouldBlock:
                try await waiting.wait()
            case .end:
                return
            case .failed(let failure):
                // The client has left already, or there are no free descriptors: the next one may
                // succeed.
                if failure != lastFailure {
                    log.warning(
                        "cannot accept a connection; trying again", ["reason": "\(failure)"])
                }
                lastFailure = failure
                try await clock.sleep(seconds: Self.pauseSeconds)
            }
        }
    }

    private func makeConnection(
        _ socket: LocalSocket, _ user: UInt32, poller: DescriptorPoller
    ) -> ControlConnection {
        let output = ControlOutput(socket, clients: clients)
        return ControlConnection(
            socket: socket, output: output, poller: poller,
            channel: ControlChannel(
                output, of: makeClient(user), poller: poller, clock: clock), router: router,
            service: service)
    }

    private func reject(_ socket: LocalSocket) {
        let problem = "too many clients, limit \(ControlClients.limit); close one of them"
        _ = socket.write(RequestRouter.errorLine(problem)[...])
    }
}
