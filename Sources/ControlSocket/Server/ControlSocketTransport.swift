package import GatewayCore
package import GatewayHost
import Glibc
package import Platform

/// The control socket of a gateway, from before it runs until it has ended.
package struct ControlSocketTransport: ServiceTransport {
    private let clock: any GatewayClock
    private let log: Logger
    private let socket: (path: SocketPath, listener: LocalSocket)?

    /// Makes the socket in a data directory whose lock this process has.
    ///
    /// Without a socket the gateway runs all the same: that is logged once.
    package init(folder: DataDirectory, clock: any GatewayClock, log: Logger) {
        self.clock = clock
        self.log = log.named("control")
        do throws(LocalSocket.Failure) {
            let path = try SocketPath(folder: folder.path, name: DataFiles.control)
            socket = (path, try LocalSocket.listen(at: path))
        } catch {
            socket = nil
            // A socket that nobody listens to would have been removed.
            let remedy =
                error.code == EADDRINUSE ? "; move away what is there, and start again" : ""
            self.log.warning(
                "no command can reach this gateway, which runs all the same: not `status`, not `tap`, "
                    + "and `adopt` and `forget` count from its next start",
                ["socket": folder.resolve(DataFiles.control), "reason": "\(error)\(remedy)"])
        }
    }

    /// Serves clients until the task is cancelled.
    package func run(_ service: GatewayService) async {
        guard let (_, listener) = socket else { return }
        let clients = ControlClients(log: log)
        service.countClients { clients.counts }
        await ControlServer(
            listener: listener, clients: clients, clock: clock, log: log, service: service
        ).run()
    }

    /// Removes the socket: a client that looks for the gateway again does not find it.
    package func close() {
        guard let (path, listener) = socket else { return }
        path.removeSocket()
        listener.shutDown()
    }
}
