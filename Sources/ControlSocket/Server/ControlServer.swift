package import GatewayCore
import GatewayHost
package import Platform

/// Answers the requests on the control socket of a running gateway.
///
/// Clients are served side by side, and one that does nothing costs nothing: everything waits for
/// descriptors on one thread.
package struct ControlServer: Sendable {
    /// How long to wait when the system has no descriptor for another client, in seconds.
    package static let pauseSeconds = 1.0

    package let listener: LocalSocket
    package let clients: ControlClients
    package let clock: any GatewayClock
    package let log: Logger
    let service: GatewayService
    var router = RequestRouter()

    /// Serves clients until the task is cancelled; then all of them are let go.
    package func run() async {
        let poller = DescriptorPoller()
        // Those who still wait to be taken would wait as long as the listener is open.
        defer { while case .client = listener.accept() {} }
        await withDiscardingTaskGroup { group in
            do {
                let waiting = try poller.watch(listener, .readable)
                defer { waiting.close() }
                try await accept(in: &group, waiting: waiting, poller: poller)
            } catch is CancellationError {
                return
            } catch {
                log.error("no client is answered any more", ["reason": "\(error)"])
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
                if clients.enter() {
                    let connection = makeConnection(socket, poller: poller)
                    group.addTask {
                        await connection.run()
                        clients.leave()
                    }
                } else {
                    sendAway(socket)
                }
            case .wouldBlock:
                try await waiting.wait()
            case .end:
                return
            case .failed(let failure):
                // A client that has left already, or no descriptor for it: the next one may do better.
                if failure != lastFailure {
                    log.warning("cannot take a client; trying again", ["reason": "\(failure)"])
                }
                lastFailure = failure
                try await clock.sleep(seconds: Self.pauseSeconds)
            }
        }
    }

    private func makeConnection(
        _ socket: LocalSocket, poller: DescriptorPoller
    ) -> ControlConnection {
        ControlConnection(
            socket: socket, output: ControlOutput(socket, clients: clients), poller: poller,
            router: router, service: service)
    }

    private func sendAway(_ socket: LocalSocket) {
        let problem = "there are \(ControlClients.limit) clients already; close one of them"
        _ = socket.write(RequestRouter.errorLine(problem)[...])
    }
}
