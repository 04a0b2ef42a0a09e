package import GatewayCore
package import GatewayHost
import Glibc
package import Platform

/// The control socket of a gateway: created before the gateway runs, removed when it stops.
package struct ControlSocketTransport: ServiceTransport {
    private let clock: any GatewayClock
    private let log: Logger
    private let socket: (path: SocketPath, listener: LocalSocket)?

    /// Creates the socket in a data directory that this process has locked.
    ///
    /// If that fails, it logs a warning, and the gateway runs without a control socket.
    package init(folder: DataDirectory, clock: any GatewayClock, log: Logger) {
        self.clock = clock
        self.log = log.named("control")
        do throws(LocalSocket.Failure) {
            let path = try SocketPath(folder: folder.path, name: DataFiles.control)
            socket = (path, try LocalSocket.listen(at: path))
        } catch {
            socket = nil
            // A stale socket has been removed, so this is a file of another kind.
            let remedy =
                error.code == EADDRINUSE ? "; remove that file and restart the gateway" : ""
            self.log.warning(
                "running without a control socket: `status` and `tap` do not work, and `adopt` and "
                    + "`forget` take effect at the next start",
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

    /// Removes the socket, so that new clients find no gateway.
    package func close() {
        guard let (path, listener) = socket else { return }
        path.removeSocket()
        listener.shutDown()
    }
}
