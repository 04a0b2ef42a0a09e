import Capture
import GatewayCore
import JournalLog
import Platform
import Readings
import WorkoutService

extension GatewayHost {
    func makeParts(
        of plan: GatewayPlan, _ options: Options, _ access: AccessControl
    ) throws(HostError) -> Gateway.Parts {
        let parts =
            if let simulation = options.simulation {
                try maker.simulation(simulation, of: plan)
            } else {
                try maker.parts(
                    of: plan, mayReadNothing: isService, mayServeOnly: options.capture == nil)
            }
        if parts.sources.isEmpty, plan.file.configuration.sources == nil {
            log.warning(
                "nothing to read yet; list devices with `pulsegate devices`, and adopt one with "
                    + "`pulsegate adopt`")
        }
        return parts.limited(by: access)
    }

    /// Whether a service manager runs the gateway: devices are adopted while it runs then.
    private var isService: Bool { ServiceEnvironment(maker.environment).socket != nil }

    /// Makes the gateway and, for a capture, its recorder.
    ///
    /// Only the gateway holds the parts, so that a reload releases those it replaces.
    func makeGateway(
        _ plan: GatewayPlan, _ options: Options, _ access: AccessControl, live: LiveLane,
        lock: DataDirectoryLock
    ) throws(HostError) -> (Gateway, sinks: [String], CaptureRecorder?) {
        let parts = try makeParts(of: plan, options, access)
        // The file is created when the plan is known to be valid.
        let recorder = try options.capture.map { capture throws(HostError) in
            try makeRecorder(capture, in: plan.folder)
        }
        let (gateway, sinks) = try makeGateway(
            plan, parts, forgetting: Self.endedSink(parts, options), live: live, lock: lock,
            recorder: recorder)
        return (gateway, sinks, recorder)
    }

    /// The sink for the lines of a simulation, which ends with its run, unless that is a configured one.
    private static func endedSink(_ parts: Gateway.Parts, _ options: Options) -> String? {
        let name = SimulationSetup.linesName
        let isConfigured =
            options.usesConfiguredSinks && parts.sinks.contains { $0.name == name }
        return options.simulation == nil || isConfigured ? nil : name
    }

    /// Makes the gateway and returns it with the names of its sinks.
    ///
    /// - Parameter ended: A sink that ended with the previous run: its pending records are dropped.
    func makeGateway(
        _ plan: GatewayPlan, _ parts: Gateway.Parts, journalSinks: [JournalSink]? = nil,
        forgetting ended: String? = nil, readsSources: Bool = true, live: LiveLane,
        lock: DataDirectoryLock, recorder: CaptureRecorder? = nil
    ) throws(HostError) -> (Gateway, sinks: [String]) {
        let journal = try openJournal(
            of: plan, sinks: journalSinks ?? parts.sinks.map(\.journalSink),
            forgetting: ended, lock)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock,
            people: plan.configuration.people, types: parts.types, calendar: .system,
            version: Version.current,
            earliest: Version.earliestTime, log: log, recorder: recorder)
        let threads =
            readsSources ? makeThreads(for: parts.sources.count + parts.sinks.count) : nil
        let gateway = Gateway(
            sources: parts.sources, sinks: parts.sinks, types: parts.types, pipeline: pipeline,
            journal: journal, clock: clock, log: log, executor: executor,
            pluginExecutor: threads,
            adapters: threads.map { AdapterWatch(maker.marks, pool: $0, log: log) })
        return (gateway, parts.sinks.map(\.name))
    }

    /// The maximum number of threads for plugins at the start.
    private static let maximumThreads = 16

    /// Makes the threads of the sources and sinks: one for each and one more, so that one that
    /// blocks delays no other.
    private func makeThreads(for count: Int) -> TaskPool {
        TaskPool(
            name: "plugins", count: min(count + 1, Self.maximumThreads), serving: maker.poller)
    }

    func makeReload(
        of gateway: Gateway, _ services: ServiceRunner, _ plan: GatewayPlan, _ options: Options,
        _ access: AccessControl, _ reporter: ServiceReporter
    ) -> GatewayReload? {
        let characteristics = CharacteristicsKeeper(log: log)
        return options.loadConfiguration.map { [maker] loadConfiguration in
            let load = { @Sendable () throws(HostError) -> GatewayPlan in
                let file = try loadConfiguration()
                let folder = try DataDirectory.locate(
                    file, environment: maker.environment, isSimulation: false)
                return try GatewayPlan(file: file, folder: folder, plugins: maker.plugins)
            }
            return GatewayReload(
                gateway, services, plan: plan, log: log, load: load,
                makeParts: { plan throws(HostError) in
                    try maker.parts(of: plan, mayReadNothing: true).limited(by: access)
                }, makeServices: { plan throws(HostError) in try maker.services(of: plan) },
                applied: { await characteristics.keep($0) },
                reloading: { reporter.reload(begins: $0) })
        }
    }

    /// Makes the files that requests can change; nil when the configuration cannot change.
    func makeFiles(_ plan: GatewayPlan, _ options: Options) -> GatewayFiles? {
        options.loadConfiguration.map { load in
            GatewayFiles(
                folder: plan.folder, plugins: maker.plugins,
                radio: RadioDevices(maker.plugins, maker.environment, clock: clock), load: load)
        }
    }

    /// Makes the store of the plan in force: a reload may bring another one.
    func makeStore(
        of gateway: Gateway, _ plan: GatewayPlan, _ options: Options, reload: GatewayReload?
    ) -> GatewayStore {
        let locate = { @Sendable () async throws(HostError) -> StoreFile in
            let plan = await reload?.plan ?? plan
            return try StoreFile(
                plan.file, plan.folder, usesConfiguredSinks: options.usesConfiguredSinks)
        }
        return GatewayStore(locate: locate) { [clock] in
            guard let name = try? await locate().sinkName else { return false }
            let end = clock.now().adding(seconds: WorkoutManager.storeWaitSeconds)
            return await gateway.waitForDelivery(to: name, until: end)
        } refresh: {
            guard let name = try? await locate().sinkName else { return .failing }
            return await gateway.refresh(name)
        }
    }

    func makeWorkouts(
        of gateway: Gateway, _ plan: GatewayPlan, live: LiveLane, reload: GatewayReload?,
        store: GatewayStore
    ) -> WorkoutManager {
        WorkoutManager(
            WorkoutDependencies(
                live: live, clock: clock, version: Version.current,
                earliest: Version.earliestTime, log: log.named("workout"),
                people: { await gateway.people() },
                activities: { (await reload?.plan ?? plan).configuration.activities },
                storeLocation: {
                    guard let file = try? await store.file() else { return nil }
                    let plan = await reload?.plan ?? plan
                    return WorkoutStoreLocation(
                        path: file.path, sink: file.sinkName,
                        durability: plan.configuration.durability,
                        acceptsWorkouts: file.acceptsWorkouts)
                }, publish: { await gateway.ingest($0) },
                waitForStore: { await store.waitForRecords() }))
    }

    /// Opens the journal of a plan.
    private func openJournal(
        of plan: GatewayPlan, sinks: [JournalSink], forgetting ended: String?,
        _ lock: DataDirectoryLock
    ) throws(HostError) -> Journal {
        do {
            guard !plan.configuration.isJournalInMemory else {
                log.named("journal").warning(
                    "the journal is in memory; undelivered records are lost at exit")
                return try Journal(
                    file: MemoryJournalFile(), sinks: sinks, clock: clock, log: log)
            }
            try takeOverJournal(in: plan.folder)
            let file = try LogJournalFile(
                path: plan.folder.resolve(DataFiles.journal),
                durability: plan.configuration.durability, clock: clock
            ) { try lock.reacquireIfRemoved() }
            // A corrupt file is repaired below, with all its sinks.
            if let ended { try? Self.forget(ended, in: file) }
            return try Journal(file: file, sinks: sinks, clock: clock, log: log)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    /// Takes over the journal of an earlier version.
    private func takeOverJournal(in folder: DataDirectory) throws {
        guard let taken = try EarlierJournal(in: folder, clock: clock).takeOver() else { return }
        let log = log.named("journal")
        if let damage = taken.damage {
            log.error("repaired the corrupt journal", ["details": "\(damage)"])
        }
        log.info(
            "the journal of an earlier version was taken over; its file can be removed",
            ["pending": "\(taken.pending)", "movedTo": taken.movedTo])
    }

    /// Removes a sink from the journal without a word; the other ones stay, whether configured or not.
    private static func forget(_ ended: String, in file: LogJournalFile) throws {
        let names = try file.ledger().sinks.keys
        guard names.contains(ended) else { return }
        try file.register(names.filter { $0 != ended }.map { JournalSink($0) })
    }

    /// Logs the ledger at the end of a run.
    func report(_ ledger: Ledger) {
        let ingest = ledger.ingest
        log.info(
            "ledger",
            [
                "converted": "\(ingest.converted)",
                "discarded": "\(ingest.faults.values.reduce(0, +))",
                "unaccepted": "\(ingest.unaccepted)", "published": "\(ingest.published)",
            ])
        for fault in ReadingFault.allCases where ingest[fault] > 0 {
            log.info("ledger", ["discarded": "\(ingest[fault])", "reason": fault.rawValue])
        }
        for (name, sink) in ledger.sinks.sorted(by: { $0.key < $1.key }) {
            log.named(name).info(
                "ledger",
                [
                    "published": "\(ingest.published - sink.start)",
                    "filtered": "\(sink.outcome.filtered)",
                    "delivered": "\(sink.outcome.delivered)",
                    "rejected": "\(sink.outcome.rejected)",
                    "dropped": "\(sink.outcome.dropped)", "lost": "\(sink.outcome.lost)",
                    "pending": "\(ledger.pending(for: name))",
                ])
        }
        for imbalance in ledger.imbalances {
            log.error("the ledger does not balance", ["sum": imbalance])
        }
    }
}
