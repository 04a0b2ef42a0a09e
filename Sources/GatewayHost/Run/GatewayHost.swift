package import GatewayCore
package import HealthModel
package import Platform
import Synchronization
import WorkoutService

/// The one way to run a gateway: from a plan to parts, from parts to a gateway that runs.
package struct GatewayHost: Sendable {
    /// What a run has beside its plan.
    package struct Options: Sendable {
        /// Whether simulated sensors take the place of the plan's sources.
        package var simulation: Simulation?
        /// Reads the configuration again; nil when it cannot change while the gateway runs.
        package var loadConfiguration: (@Sendable () throws(HostError) -> ConfigurationFile)?
        /// The longest time to run, in seconds.
        package var seconds: Double?
        /// Makes the transports of the service; the data directory is this process's by then.
        package var transports: [@Sendable (DataDirectory) -> any ServiceTransport] = []
        /// Called when nothing can be wrong with the plan any more.
        package var beforeStart: (@Sendable () -> Void)?
        /// Called when the gateway is asked to stop, before it does.
        package var beforeStop: (@Sendable (GatewayService) async -> Void)?

        /// Makes options without any of that.
        package init() {}
    }

    /// A run with simulated sensors.
    package struct Simulation: Sendable {
        /// Whether samples are written to standard output too.
        package var writesLines: Bool

        package init(writesLines: Bool) {
            self.writesLines = writesLines
        }
    }

    package let maker: PartsMaker
    package let clock: any GatewayClock
    package let log: Logger
    /// Where the gateway's tasks run; nil for Swift's usual threads.
    package let executor: (any TaskExecutor)?

    /// Makes a host of the plugins that are built in.
    package init(
        plugins: Plugins, environment: Environment, clock: any GatewayClock, log: Logger,
        executor: (any TaskExecutor)?
    ) {
        maker = PartsMaker(plugins: plugins, environment: environment, clock: clock, log: log)
        self.clock = clock
        self.log = log
        self.executor = executor
    }

    /// Runs a gateway until told to stop or until the time is over.
    ///
    /// - Throws: What is wrong with the plan, or that another gateway uses the data directory.
    package func run(
        _ plan: GatewayPlan, _ options: Options, until stop: StopSignal
    ) async throws(HostError) {
        try plan.folder.create()
        let lock = try DataDirectoryLock(plan.folder)
        defer { withExtendedLifetime(lock) {} }
        let live = LiveLane()
        // The parts are the gateway's alone: what a reload replaces must not live on elsewhere.
        let (gateway, sinks) = try makeGateway(
            plan, makeParts(of: plan, options), live: live, lock: lock)
        options.beforeStart?()
        let reload = makeReload(of: gateway, plan, options)
        let store = makeStore(of: gateway, plan, options, reload: reload)
        let service = GatewayService(
            gateway: gateway, live: live,
            workouts: makeWorkouts(of: gateway, plan, live: live, reload: reload, store: store),
            reload: reload, store: store, files: makeFiles(plan, options), clock: clock,
            dataDirectory: plan.folder.path)
        let transports = options.transports.map { $0(plan.folder) }
        log.info(
            "running",
            [
                "version": Version.current, "data": plan.folder.path,
                "sinks": sinks.joined(separator: ","),
            ])
        report(await run(gateway, service, transports, options, stop))
    }

    private func run(
        _ gateway: Gateway, _ service: GatewayService, _ transports: [any ServiceTransport],
        _ options: Options, _ stop: StopSignal
    ) async -> Ledger {
        await withTaskGroup(of: Void.self) { group in
            if let seconds = options.seconds {
                group.addTask {
                    // When it is cancelled the gateway has stopped already.
                    try? await clock.sleep(seconds: seconds)
                    stop.stopInTime()
                }
            }
            if let reload = service.reloads {
                group.addTask { await reload.run(at: stop.reloads) }
            }
            group.addTask { await service.workouts.run() }
            for transport in transports { group.addTask { await transport.run(service) } }
            let ledger = await gateway.run {
                await stop.wait()
                await options.beforeStop?(service)
            }
            for transport in transports { transport.close() }
            group.cancelAll()
            return ledger
        }
    }

    /// Runs without a source for as long as it takes to bring records to the sinks.
    ///
    /// A sink that writes to standard output gets it with the next run: there a command has its result.
    ///
    /// - Parameter held: The lock of the data directory, when this process has it already.
    package func ingest(
        _ records: [Record], by plan: GatewayPlan, holding held: DataDirectoryLock? = nil
    ) async throws(HostError) -> (Acceptance, Ledger) {
        let sinks = try maker.sinks(of: plan)
        try plan.folder.create()
        let lock = if let held { held } else { try DataDirectoryLock(plan.folder) }
        defer { withExtendedLifetime(lock) {} }
        let kinds = Dictionary(
            (plan.configuration.sinks ?? []).map { ($0.name, $0.use) }, uniquingKeysWith: { $1 })
        let running = sinks.filter { kinds[$0.name] != GatewayPlan.lineSink }
        let (gateway, _) = try makeGateway(
            plan, Gateway.Parts(sources: [], sinks: running, types: plan.configuration.types),
            journalSinks: sinks.map(\.journalSink), live: LiveLane(), lock: lock)
        let acceptance = Mutex(Acceptance.stopping)
        let ledger = await gateway.run {
            let result = await gateway.take(records)
            acceptance.withLock { $0 = result }
        }
        return (acceptance.withLock { $0 }, ledger)
    }
}
