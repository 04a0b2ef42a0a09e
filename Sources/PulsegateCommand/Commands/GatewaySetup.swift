import GatewayCore
import HealthModel
import SQLite
import Synchronization

/// Puts a gateway together from a configuration, or from the simulation, and runs it.
struct GatewaySetup: Sendable {
    let plan: GatewayPlan
    let maker: PartsMaker
    let clock: any GatewayClock
    let log: Logger
    /// Reads the configuration and the data folder again; nil when the plan holds to the end.
    let load: (@Sendable () throws(CommandFailure) -> GatewayPlan)?
    /// Finds where workouts are kept; it throws when no sink is a store.
    var findStore: (@Sendable (GatewayPlan) throws(CommandFailure) -> StoreFile)?
    /// Keeps every other gateway out of the data folder.
    let lock: DataFolderLock
    /// Where the gateway's tasks run; nil for Swift's usual threads.
    let executor: (any TaskExecutor)?

    /// Makes the parts and runs them until told to stop or until the time is over.
    ///
    /// The parts are the gateway's alone: what a reload replaces must not live on elsewhere. `beside` is
    /// called when clients are answered, or will be in a moment. At the end the workout of the person is
    /// stopped and saved for which the gateway runs; those of others go on with the next one.
    func run(
        until stop: StopSignal, seconds: Double?, screen: TerminalScreen?,
        finishing person: (@Sendable () -> String?)? = nil,
        beside: (@Sendable () -> Void)? = nil,
        _ makeParts: () throws(CommandFailure) -> Gateway.Parts
    ) async throws(CommandFailure) {
        let live = LiveLane()
        let (gateway, sinks) = try makeGateway(makeParts(), live: live)
        let reload = makeReload(of: gateway)
        let workouts = makeWorkouts(of: gateway, live: live, reload: reload)
        let control = ControlSetup(folder: plan.folder, clock: clock, log: log)
        beside?()
        log.info(
            "running",
            [
                "version": Version.current, "data": plan.folder.path,
                "sinks": sinks.joined(separator: ","),
            ])
        let ledger = await withTaskGroup(of: Void.self) { group in
            if let seconds {
                group.addTask {
                    // When it is cancelled the gateway has stopped already.
                    try? await clock.sleep(seconds: seconds)
                    stop.stopInTime()
                }
            }
            if let reload { group.addTask { await reload.run(at: stop.reloads) } }
            group.addTask { await workouts.run() }
            let subscription = screen.map { screen in
                let subscription = live.subscribe()
                group.addTask {
                    await LiveDisplay.run(subscription, on: screen, clock: clock)
                }
                return subscription
            }
            let ledger = await control.serve(
                gateway, live: live, workouts: workouts, reload: reload
            ) {
                await gateway.run {
                    await stop.wait()
                    if let person = person?() { await workouts.finish(person) }
                }
            }
            if let subscription { live.cancel(subscription) }
            group.cancelAll()
            return ledger
        }
        report(ledger)
    }

    /// Runs without a source for as long as it takes to bring records to the sinks.
    ///
    /// A sink that writes to standard output gets it with the next run: there a command has its result.
    func take(
        _ records: [Record], with sinks: [Gateway.NamedSink]
    ) async throws(CommandFailure) -> (Acceptance, Ledger) {
        let journalSinks = sinks.map(\.journalSink)
        let kinds = Dictionary(
            (plan.configuration.sinks ?? []).map { ($0.name, $0.use) }, uniquingKeysWith: { $1 })
        let running = sinks.filter { kinds[$0.name] != GatewayPlan.lineSink }
        let (gateway, _) = try makeGateway(
            Gateway.Parts(sources: [], sinks: running, types: plan.configuration.types),
            journalSinks: journalSinks,
            live: LiveLane())
        let acceptance = Mutex(Acceptance.stopping)
        let ledger = await gateway.run {
            let result = await gateway.take(records)
            acceptance.withLock { $0 = result }
        }
        return (acceptance.withLock { $0 }, ledger)
    }

    private func makeWorkouts(
        of gateway: Gateway, live: LiveLane, reload: GatewayReload?
    ) -> WorkoutManager {
        // A reload may bring another store.
        let place = { @Sendable [plan, findStore] () async -> WorkoutPlace? in
            let plan = await reload?.plan ?? plan
            guard let store = try? findStore?(plan) else { return nil }
            return WorkoutPlace(
                path: store.path, sink: store.sinkName,
                durability: plan.configuration.durability, takesWorkouts: store.takesWorkouts)
        }
        return WorkoutManager(
            WorkoutSurroundings(
                live: live, clock: clock, log: log.named("workout"),
                people: { await gateway.people() },
                activities: { [plan] in
                    (await reload?.plan ?? plan).configuration.activities
                },
                place: place, take: { await gateway.take($0) },
                settle: { [clock] in
                    guard let name = await place()?.sink else { return false }
                    let end = clock.now().adding(seconds: WorkoutManager.settleSeconds)
                    return await gateway.waitForDelivery(to: name, until: end)
                }))
    }

    /// Makes the gateway; the names are those of its sinks.
    private func makeGateway(
        _ parts: Gateway.Parts, journalSinks: [JournalSink]? = nil, live: LiveLane
    ) throws(CommandFailure) -> (Gateway, sinks: [String]) {
        let journal = try openJournal(sinks: journalSinks ?? parts.sinks.map(\.journalSink))
        let intake = Intake(
            bus: Bus(journal: journal, live: live), clock: clock,
            people: plan.configuration.people, version: Version.current,
            earliest: Version.earliestTime, log: log)
        let gateway = Gateway(
            sources: parts.sources, sinks: parts.sinks, types: parts.types, intake: intake,
            journal: journal, clock: clock, log: log, executor: executor)
        return (gateway, parts.sinks.map(\.name))
    }

    private func makeReload(of gateway: Gateway) -> GatewayReload? {
        load.map { load in
            GatewayReload(gateway, plan: plan, log: log, load: load) {
                [maker] plan throws(CommandFailure) in
                try maker.parts(of: plan, mayReadNothing: true)
            }
        }
    }

    private func openJournal(sinks: [JournalSink]) throws(CommandFailure) -> Journal {
        do {
            guard !plan.configuration.isJournalInMemory else {
                log.named("journal").warning(
                    "in memory: what no sink has taken is lost when this ends")
                return try Journal(
                    file: MemoryJournalFile(), sinks: sinks, clock: clock, log: log)
            }
            let file = try SQLiteJournalFile(
                path: plan.folder.resolve(DataFiles.journal),
                durability: plan.configuration.durability, clock: clock
            ) { [lock] in try lock.keep() }
            return try Journal(file: file, sinks: sinks, clock: clock, log: log)
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    private func report(_ ledger: Ledger) {
        let intake = ledger.intake
        log.info(
            "ledger",
            [
                "converted": "\(intake.converted)", "implausible": "\(intake.implausible)",
                "duplicate": "\(intake.duplicate)", "unaccepted": "\(intake.unaccepted)",
                "published": "\(intake.published)",
            ])
        for (name, sink) in ledger.sinks.sorted(by: { $0.key < $1.key }) {
            log.named(name).info(
                "ledger",
                [
                    "published": "\(intake.published - sink.start)",
                    "filtered": "\(sink.outcome.filtered)",
                    "delivered": "\(sink.outcome.delivered)",
                    "refused": "\(sink.outcome.refused)",
                    "dropped": "\(sink.outcome.dropped)", "lost": "\(sink.outcome.lost)",
                    "pending": "\(ledger.pending(for: name))",
                ])
        }
        for imbalance in ledger.imbalances {
            log.error("the ledger does not close", ["sum": imbalance])
        }
    }
}
