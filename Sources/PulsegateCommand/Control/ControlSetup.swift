import GatewayCore
import Glibc

/// The control socket of a gateway, from before it runs until it has ended.
struct ControlSetup: Sendable {
    private let folder: DataFolder
    private let clock: any GatewayClock
    private let log: Logger
    private let socket: (path: SocketPath, listener: LocalSocket)?

    /// Makes the socket in a data folder whose lock this process has.
    ///
    /// Without a socket the gateway runs all the same: that is said once.
    init(folder: DataFolder, clock: any GatewayClock, log: Logger) {
        self.folder = folder
        self.clock = clock
        self.log = log.named("control")
        do throws(LocalSocket.Failure) {
            let path = try SocketPath(folder: folder.path, name: DataFiles.control)
            socket = (path, try LocalSocket.listen(at: path))
        } catch {
            socket = nil
            // A socket that nobody listens to would have been removed.
            let mend = error.code == EADDRINUSE ? "; move away what is there, and start again" : ""
            self.log.warning(
                "no command can reach this gateway, which runs all the same: not `status`, not `tap`, "
                    + "and `adopt` and `forget` count from its next start",
                ["socket": folder.resolve(DataFiles.control), "reason": "\(error)\(mend)"])
        }
    }

    /// Serves clients while `operation` runs; then the socket is removed and the clients are let go.
    func serve<Result: Sendable>(
        _ gateway: Gateway, live: LiveLane, workouts: WorkoutManager,
        reload: GatewayReload? = nil,
        while operation: () async -> Result
    ) async -> Result {
        guard let (path, listener) = socket else { return await operation() }
        let server = makeServer(listener, live, answers(of: gateway, workouts, reload))
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let result = await operation()
            // First, so that a client which looks for the gateway again does not find it.
            path.removeSocket()
            listener.shutDown()
            group.cancelAll()
            return result
        }
    }

    private func makeServer(
        _ listener: LocalSocket, _ live: LiveLane,
        _ makeAnswers: (ControlClients) -> ControlAnswers
    ) -> ControlServer {
        let clients = ControlClients(log: log)
        return ControlServer(
            listener: listener, clients: clients, live: live, clock: clock, log: log,
            answers: makeAnswers(clients))
    }

    private func answers(
        of gateway: Gateway, _ workouts: WorkoutManager, _ reload: GatewayReload?
    ) -> (ControlClients) -> ControlAnswers {
        let process = StatusReport.Process(
            version: Version.current, processID: Int64(getpid()), started: clock.now(),
            dataFolder: folder.path)
        return { [clock] clients in
            ControlAnswers(workouts: workouts) {
                StatusReport(
                    await gateway.status(), process: process, clients: clients.counts, clock: clock
                ).json
            } people: {
                await gateway.peopleNames()
            } types: {
                await gateway.types
            } reload: {
                await ControlAnswers.line(of: { () async throws(CommandFailure) in
                    guard let reload else {
                        throw CommandFailure(.failure, "a simulation has nothing to reload")
                    }
                    return try await reload.reload()
                })
            } add: { sample in
                ControlAnswers.line(of: await gateway.take([sample]), of: sample)
            } take: { records in
                ControlAnswers.line(of: await gateway.take(records), of: records)
            }
        }
    }
}
