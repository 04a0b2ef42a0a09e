import Capture
package import GatewayCore
package import HealthModel
package import Platform
import Synchronization
import WorkoutService

/// Runs a gateway from a plan: makes its sources and sinks, the service and the transports.
package struct GatewayHost: Sendable {
    /// The number of ingested records that may wait for a sink before more are ingested.
    private static let maximumLag: Int64 = 10_000

    /// Options of a run.
    package struct Options: Sendable {
        /// Simulates sensors instead of reading the plan's sources; nil for a normal run.
        package var simulation: Simulation?
        /// Whether the sinks are those of the configuration.
        var usesConfiguredSinks: Bool { simulation == nil || simulation == .configuredSinks }
        /// Reads the configuration again; nil when it cannot change while the gateway runs.
        package var loadConfiguration: (@Sendable () throws(HostError) -> ConfigurationFile)?
        /// Records the raw traffic of the devices; nil for no capture.
        package var capture: CaptureOptions?
        /// The maximum duration of the run, in seconds.
        package var seconds: Double?
        /// The requests that the transports and services accept.
        package var router = RequestRouter()
        /// Makes the transports of the service, once the data directory is locked.
        package var transports: [@Sendable (DataDirectory) -> any ServiceTransport] = []
        /// Called when the plan is valid and the gateway is about to start.
        package var beforeStart: (@Sendable () -> Void)?
        /// Called when a stop is requested, before the gateway stops.
        package var beforeStop: (@Sendable (GatewayService) async -> Void)?

        /// Creates the options of a normal run.
        package init() {}
    }

    /// The destination of the samples of simulated sensors.
    package enum Simulation: Sendable {
        /// The store of the simulation.
        case store
        /// The store of the simulation and, as JSON lines, standard output.
        case storeAndLines
        /// The sinks of the plan.
        case configuredSinks
    }

    /// A capture of the raw traffic.
    package struct CaptureOptions: Sendable {
        /// The path of the file.
        package var path: String
        /// Whether to replace an existing file.
        package var replaces: Bool
        /// Whether to leave out the names, addresses and serial numbers of devices.
        package var isAnonymous: Bool

        package init(path: String, replaces: Bool, isAnonymous: Bool) {
            self.path = path
            self.replaces = replaces
            self.isAnonymous = isAnonymous
        }
    }

    package let maker: PartsMaker
    package let clock: any GatewayClock
    package let log: Logger
    /// The executor of the gateway's tasks; nil for the default executor.
    package let executor: (any TaskExecutor)?

    /// Creates a host for the built-in plugins.
    package init(
        plugins: Plugins, environment: Environment, clock: any GatewayClock, log: Logger,
        executor: (any TaskExecutor)?
    ) {
        maker = PartsMaker(plugins: plugins, environment: environment, clock: clock, log: log)
        self.clock = clock
        self.log = log
        self.executor = executor
    }

    /// Runs a gateway until a stop is requested or the maximum duration is over.
    ///
    /// - Throws: ``HostError`` if the plan is invalid or another gateway uses the data directory.
    package func run(
        _ plan: GatewayPlan, _ options: Options, until stop: StopSignal
    ) async throws(HostError) {
        try plan.folder.create()
        let lock = try DataDirectoryLock(plan.folder)
        defer { withExtendedLifetime(lock) {} }
        try await takeNotes(in: plan.folder)
        let serviceEnvironment = ServiceEnvironment(maker.environment)
        let reporter = ServiceReporter(serviceEnvironment)
        let live = LiveLane()
        let services = ServiceRunner(
            try maker.services(of: plan), live: live, clock: clock, log: log)
        let access = AccessControl(folder: plan.folder, log: log)
        let (gateway, sinks, recorder) = try makeGateway(
            plan, options, access, live: live, lock: lock)
        options.beforeStart?()
        let reload = makeReload(of: gateway, services, plan, options, access, reporter)
        let store = makeStore(of: gateway, plan, options, reload: reload)
        let service = GatewayService(
            gateway: gateway, services: services, live: live,
            workouts: makeWorkouts(of: gateway, plan, live: live, reload: reload, store: store),
            reload: reload,
            deletions: options.simulation == nil
                ? DeletionForwarder(
                    gateway, store, in: plan.folder,
                    isKept: !plan.configuration.isJournalInMemory, clock: clock, log: log) : nil,
            store: store, files: makeFiles(plan, options),
            access: access,
            quarantine: maker.quarantine, clock: clock,
            dataDirectory: plan.folder.path)
        let transports = options.transports.map { $0(plan.folder) }
        log.info("running", fields(of: plan, sinks: sinks))
        report(
            await run(gateway, services, service, transports, options, stop, lock, reporter) {
                GatewayWatchdog(serviceEnvironment, of: gateway, maker, in: plan.folder)
            })
        HangNote.remove(in: plan.folder)
        if let failure = await recorder?.failure { throw HostError(.failure, "\(failure)") }
    }

    private func fields(
        of plan: GatewayPlan, sinks: [String]
    ) -> KeyValuePairs<String, String> {
        let (version, data) = (Version.current, plan.folder.path)
        let sinks = sinks.joined(separator: ",")
        let services = plan.configuration.services.map(\.name).joined(separator: ",")
        guard services.isEmpty else {
            return ["version": version, "data": data, "sinks": sinks, "services": services]
        }
        return ["version": version, "data": data, "sinks": sinks]
    }

    private func run(
        _ gateway: Gateway, _ services: ServiceRunner, _ service: GatewayService,
        _ transports: [any ServiceTransport], _ options: Options, _ stop: StopSignal,
        _ lock: DataDirectoryLock, _ reporter: ServiceReporter,
        _ startWatchdog: @Sendable () -> GatewayWatchdog?
    ) async -> Ledger {
        await withTaskGroup(of: Void.self) { group in
            if let seconds = options.seconds {
                group.addTask {
                    // Cancelled only after the gateway has stopped.
                    try? await clock.sleep(seconds: seconds)
                    stop.stopWithinLimit()
                }
            }
            if let reload = service.reloads {
                group.addTask {
                    await reload.run(at: stop.reloads) { service.access.reload() }
                }
            }
            group.addTask { await service.workouts.run() }
            group.addTask { await service.deletions?.run() }
            group.addTask { await maker.radioProblems.run() }
            for transport in transports { group.addTask { await transport.run(service) } }
            group.addTask {
                await reporter.followStatus(on: clock) { await gateway.status().line }
            }
            await services.start(RoutedRequests(options.router, service))
            let ledger = await gateway.run {
                let watchdog = startWatchdog()
                reporter.ready(status: await gateway.status().line)
                await stop.wait()
                reporter.stopping()
                // From here on the time limit of the stop takes its place.
                withExtendedLifetime(watchdog) {}
                lock.noteStopping()
                await services.cancel()
                await options.beforeStop?(service)
            }
            await services.stop()
            for transport in transports { transport.close() }
            group.cancelAll()
            return ledger
        }
    }

    /// Delivers records to the sinks with a gateway that has no sources.
    ///
    /// A sink that writes to standard output receives them in the next run, because a command
    /// prints its result there.
    ///
    /// - Parameters:
    ///   - parts: The records in parts, each of which is accepted before the next one is taken.
    ///   - held: The lock of the data directory, if this process already holds it.
    package func ingest(
        _ parts: some Sequence<[Record]> & Sendable, by plan: GatewayPlan,
        holding held: DataDirectoryLock? = nil
    ) async throws(HostError) -> (Acceptance, Ledger) {
        let access = AccessControl(folder: plan.folder, log: log)
        let sinks = try maker.sinks(of: plan).limited(by: access)
        try plan.folder.create()
        let lock = if let held { held } else { try DataDirectoryLock(plan.folder) }
        defer { withExtendedLifetime(lock) {} }
        let running = sinks.filter { !plan.usesStandardOutput($0.name) }
        let (gateway, _) = try makeGateway(
            plan, Gateway.Parts(sources: [], sinks: running, types: plan.configuration.types),
            journalSinks: sinks.map(\.journalSink), readsSources: false, live: LiveLane(),
            lock: lock)
        let acceptance = Mutex(Acceptance.stopping)
        let ledger = await gateway.run {
            var result = Acceptance.accepted
            for part in parts {
                result = await gateway.ingest(part)
                guard result == .accepted else { break }
                // What waits at the end must fit in the time of the stop.
                await gateway.waitForDelivery(toAllBut: Self.maximumLag)
            }
            lock.noteStopping()
            acceptance.withLock { $0 = result }
        }
        return (acceptance.withLock { $0 }, ledger)
    }
}
