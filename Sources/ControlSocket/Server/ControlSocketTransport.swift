package import GatewayCore
package import GatewayHost
import Glibc
package import Platform

/// The control socket of a gateway: created before the gateway runs, removed when it stops.
package struct ControlSocketTransport: ServiceTransport {
    private let router: RequestRouter
    private let clock: any GatewayClock
    private let log: Logger
    private let socket: (paths: [SocketPath], listener: LocalSocket)?

    /// Creates the socket of a data directory that this process has locked.
    ///
    /// With a runtime directory of systemd it is there, for the group of the gateway, and the data directory has
    /// a link to it; otherwise it is in the data directory, for the gateway's user.
    ///
    /// If that fails, it logs a warning, and the gateway runs without a control socket.
    package init(
        folder: DataDirectory, router: RequestRouter = RequestRouter(),
        clock: any GatewayClock, log: Logger
    ) {
        self.router = router
        self.clock = clock
        self.log = log.named("control")
        do throws(LocalSocket.Failure) {
            socket = try Self.listen(folder)
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

    private static func listen(
        _ folder: DataDirectory
    ) throws(LocalSocket.Failure) -> ([SocketPath], LocalSocket) {
        let own = try SocketPath(folder: folder.path, name: DataFiles.control)
        guard let runtime = folder.runtimeFolder else { return ([own], try .listen(at: own)) }
        let path = try SocketPath(folder: runtime, name: DataFiles.control)
        let listener = try LocalSocket.listen(at: path, mode: LocalSocket.groupMode)
        // Commands of the gateway's user find it from the data directory, which they watch.
        try own.link(to: "\(runtime)/\(DataFiles.control)")
        return ([path, own], listener)
    }

    /// Serves clients until the task is cancelled.
    package func run(_ service: GatewayService) async {
        guard let (_, listener) = socket else { return }
        let clients = ControlClients(log: log)
        service.countClients { clients.counts }
        await ControlServer(
            listener: listener, clients: clients, clock: clock, log: log, service: service,
            router: router
        ).run()
    }

    /// Removes the socket, so that new clients find no gateway.
    package func close() {
        guard let (paths, listener) = socket else { return }
        for path in paths { path.removeSocket() }
        listener.shutDown()
    }
}
