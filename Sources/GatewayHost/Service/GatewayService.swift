package import GatewayCore
import Glibc
package import HealthModel
import Platform
import Readings
package import SQLiteStore
import Synchronization
package import WorkoutService

/// The interface of a running gateway for people and programs.
///
/// The control socket, a web server and a command that runs its own gateway are transports of it.
package final class GatewayService: Sendable {
    /// The live lane of published records.
    package let live: LiveLane
    /// The workouts in progress.
    package let workouts: WorkoutManager
    let reloads: GatewayReload?
    /// Forwards deletions to the sinks; nil for a simulation.
    let deletions: DeletionForwarder?
    /// The configuration and the data directory; nil for a simulation.
    let files: GatewayFiles?
    /// What clients may read and store.
    package let access: AccessControl
    /// The devices that must not be read.
    let quarantine: Quarantine
    let gateway: Gateway
    private let services: ServiceRunner?
    let store: GatewayStore
    private let clock: any GatewayClock
    private let process: StatusReport.Process
    private let clients = Mutex<(@Sendable () -> StatusReport.Clients)?>(nil)

    init(
        gateway: Gateway, services: ServiceRunner? = nil, live: LiveLane, workouts: WorkoutManager,
        reload: GatewayReload?, deletions: DeletionForwarder? = nil,
        store: GatewayStore, files: GatewayFiles?, access: AccessControl,
        quarantine: Quarantine = Quarantine(),
        clock: any GatewayClock, dataDirectory: String
    ) {
        self.gateway = gateway
        self.services = services
        self.live = live
        self.workouts = workouts
        self.deletions = deletions
        self.store = store
        self.files = files
        self.access = access
        self.quarantine = quarantine
        reloads = reload
        self.clock = clock
        process = StatusReport.Process(
            version: Version.current, processID: Int64(getpid()), started: clock.now(),
            dataDirectory: dataDirectory)
    }

    /// The state of everything in the gateway, without health values.
    package func status() async -> StatusReport {
        let counts = clients.withLock { $0 }
        var report = StatusReport(
            await gateway.status(), process: process, clients: counts?() ?? .init(), clock: clock)
        report.services = await services?.status() ?? []
        report.usage = .current()
        return report
    }

    /// Lets a transport report its clients in the status.
    package func countClients(_ counts: @escaping @Sendable () -> StatusReport.Clients) {
        clients.withLock { $0 = counts }
    }

    /// The names of the people who may have records.
    package func peopleNames() async -> [String] { await gateway.peopleNames() }

    /// The people who may have records, with the facts about them.
    package func people() async -> [Person] {
        let people = await gateway.people()
        return people.names.compactMap { people.person(named: $0) }
    }

    /// The default person; nil when none is set, or when the person no longer exists.
    package func defaultPerson() async -> String? {
        let people = await gateway.people()
        return people.defaultName.flatMap { people.names.contains($0) ? $0 : nil }
    }

    /// The bounds of the times of records that no source reports; nil while the clock is not set.
    func timeBounds() -> RecordTimeBounds? {
        let epoch = clock.epoch()
        return epoch.isUnset ? nil : RecordTimeBounds(at: epoch.instant(at: clock.now()))
    }

    /// The current time.
    func now() -> Instant { clock.epoch().instant(at: clock.now()) }

    /// All quantity types: standard ones, those of plugins and those of the configuration.
    package func types() async -> QuantityTypes { await gateway.types }

    /// Reads the configuration and the data directory again.
    ///
    /// - Throws: ``HostError`` when one of them is invalid; nothing has changed then.
    package func reload() async throws(HostError) -> ReloadChanges {
        guard let reloads else {
            throw HostError(.failure, "cannot reload a simulation")
        }
        let changes = try await reloads.reload()
        access.reload()
        return changes
    }

    /// Forwards deletions from the store to the sinks, and accepts the deleted records again.
    ///
    /// - Returns: False for a simulation, which forwards nothing.
    func noteDeletions() async -> Bool {
        await gateway.forgetEntries()
        deletions?.request()
        return deletions != nil
    }

    /// Accepts records without a source: manually entered, or imported from a file.
    package func ingest(
        _ records: [Record], mayKnow: @Sendable (Record) -> Bool = { _ in true }
    ) async -> Acceptance {
        await gateway.ingest(records, mayKnow: mayKnow)
    }

    /// Reads the stored records of a query, oldest first, in pages.
    ///
    /// - Parameter select: Selects the records of a page that count; nil for all of them.
    /// - Throws: ``HostError`` when there is no store, and the errors of `receive`.
    package func records(
        matching query: RecordQuery, selecting select: (([Record]) -> [Record])? = nil,
        _ receive: ([Record]) async throws -> Void
    ) async throws {
        let store = try await openStore()
        try await StoredRecords(query, in: store, types: await types())
            .read(selecting: select, receive)
    }

    /// Opens the store for reading, with what was accepted so far; before its sink has stored anything it is
    /// created.
    ///
    /// - Throws: ``HostError`` when no sink is a store, or when it cannot be opened.
    package func openStore() async throws(HostError) -> SQLiteStore {
        let file = try await store.file()
        await refreshStore()
        if let store = try file.openIfCreated() { return store }
        return try file.create()
    }

    /// Lets the store have the records accepted so far, and waits a few seconds for that.
    @discardableResult
    func refreshStore() async -> SinkProgress { await store.refresh() }

    /// Waits until the store has all records accepted so far.
    ///
    /// - Returns: Whether the store has these; false after a timeout, when no sink is a store, and for
    ///   records that the store leaves out, because they were deleted before.
    package func waitForStore(of records: [Record]) async -> Bool {
        guard await store.waitForRecords() else { return false }
        guard !records.isEmpty else { return true }
        guard let store = try? await store.file().open() else { return false }
        for record in records {
            guard (try? await store.kind(of: record.id)) != nil else { return false }
        }
        return true
    }
}
