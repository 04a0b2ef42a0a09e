package import GatewayCore
import Glibc
package import HealthModel
import Platform
import Synchronization
package import WorkoutService

/// What people and programs may ask of a running gateway.
///
/// The control socket, a web server and a command that runs its own gateway are transports of it.
package final class GatewayService: Sendable {
    /// What is measured, as it is published.
    package let live: LiveLane
    /// The workouts in progress.
    package let workouts: WorkoutManager
    let reloads: GatewayReload?
    private let gateway: Gateway
    private let clock: any GatewayClock
    private let process: StatusReport.Process
    private let clients = Mutex<(@Sendable () -> StatusReport.Clients)?>(nil)

    init(
        gateway: Gateway, live: LiveLane, workouts: WorkoutManager, reload: GatewayReload?,
        clock: any GatewayClock, dataDirectory: String
    ) {
        self.gateway = gateway
        self.live = live
        self.workouts = workouts
        reloads = reload
        self.clock = clock
        process = StatusReport.Process(
            version: Version.current, processID: Int64(getpid()), started: clock.now(),
            dataDirectory: dataDirectory)
    }

    /// The state of everything in the gateway, without health values.
    package func status() async -> StatusReport {
        let counts = clients.withLock { $0 }
        return StatusReport(
            await gateway.status(), process: process, clients: counts?() ?? .init(), clock: clock)
    }

    /// Lets a transport report its clients in the status.
    package func countClients(_ counts: @escaping @Sendable () -> StatusReport.Clients) {
        clients.withLock { $0 = counts }
    }

    /// The names of those whose records there may be.
    package func people() async -> [String] { await gateway.peopleNames() }

    /// The types whose samples there may be.
    package func types() async -> QuantityTypes { await gateway.types }

    /// Reads the configuration and the data directory again.
    ///
    /// - Throws: What is wrong with them; then nothing has changed.
    package func reload() async throws(HostError) -> Gateway.Changes {
        guard let reloads else {
            throw HostError(.failure, "a simulation has nothing to reload")
        }
        return try await reloads.reload()
    }

    /// Accepts records that no source has made: entered by hand, or read from a file.
    package func ingest(_ records: [Record]) async -> Acceptance {
        await gateway.ingest(records)
    }

    /// Waits until the store has what is accepted by now; false when that takes too long, or when no sink
    /// is a store.
    package func waitForStore() async -> Bool { await workouts.dependencies.waitForStore() }
}
