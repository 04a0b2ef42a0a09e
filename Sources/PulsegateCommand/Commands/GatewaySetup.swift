import GatewayCore
import SQLite

/// Puts a gateway together from a configuration, or from the simulation, and runs it.
struct GatewaySetup: Sendable {
    let plan: GatewayPlan
    let plugins: Plugins
    let environment: Environment
    let clock: any GatewayClock
    let log: Logger
    let isSimulation: Bool
    let writesLines: Bool
    /// Where the gateway's tasks run; nil for Swift's usual threads.
    let executor: (any TaskExecutor)?

    /// Runs until told to stop or until the time is over.
    func run(
        until stop: StopSignal, seconds: Double?, screen: TerminalScreen?
    ) async throws(CommandFailure) {
        let live = LiveLane()
        let (gateway, sinkNames) = try makeGateway(live: live)
        let control = ControlSetup(
            folder: plan.folder, people: plan.configuration.people.names, clock: clock, log: log)
        log.info(
            "running",
            ["version": Version.current, "data": plan.folder.path, "sinks": sinkNames])
        let ledger = await withTaskGroup(of: Void.self) { group in
            if let seconds {
                group.addTask {
                    // When it is cancelled the gateway has stopped already.
                    try? await clock.sleep(seconds: seconds)
                    stop.stop()
                }
            }
            let subscription = screen.map { screen in
                let subscription = live.subscribe()
                group.addTask {
                    await LiveDisplay.run(subscription, on: screen, clock: clock)
                }
                return subscription
            }
            let ledger = await control.serve(gateway, live: live) {
                await gateway.run { await stop.wait() }
            }
            if let subscription { live.cancel(subscription) }
            group.cancelAll()
            return ledger
        }
        report(ledger)
    }

    private func makeGateway(
        live: LiveLane
    ) throws(CommandFailure) -> (gateway: Gateway, sinkNames: String) {
        let assembly = Assembly(
            plugins: plugins, dataFolder: plan.folder, environment: environment, clock: clock,
            log: log, adopted: plan.devices)
        let sources: [Gateway.NamedSource]
        let sinks: [Gateway.NamedSink]
        if isSimulation {
            (sources, sinks) = try simulate(assembly)
        } else {
            sources = try plan.makeSources(assembly)
            sinks = try plan.makeSinks(assembly, besides: sources)
        }
        guard !sources.isEmpty else { throw noSource }
        let journal = try openJournal(sinks: sinks.map(\.journalSink))
        let intake = Intake(
            bus: Bus(journal: journal, live: live), clock: clock,
            people: plan.configuration.people, version: Version.current,
            earliest: Version.earliestTime, log: log)
        let gateway = Gateway(
            sources: sources, sinks: sinks, intake: intake, journal: journal, clock: clock,
            log: log, executor: executor)
        return (gateway, sinks.map(\.name).joined(separator: ","))
    }

    private func simulate(
        _ assembly: Assembly
    ) throws(CommandFailure) -> (sources: [Gateway.NamedSource], sinks: [Gateway.NamedSink]) {
        let simulation = SimulationSetup(
            plugins: plugins, clock: clock, log: log, folder: plan.folder)
        do {
            let sinks = simulation.configuration(writesLines: writesLines)
            return (try simulation.sources(), try assembly.sinks(sinks))
        } catch {
            throw plan.file.failure(error)
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
                durability: plan.configuration.durability, clock: clock)
            return try Journal(file: file, sinks: sinks, clock: clock, log: log)
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    private var noSource: CommandFailure {
        let place =
            plan.file.path ?? ConfigurationFile.usualPlaces(environment).first
            ?? "the configuration"
        let reason =
            plan.file.configuration.sources == nil
            ? "no source is configured and no device is adopted"
            : "`sources` in \(place) names none"
        return CommandFailure(
            .configuration,
            """
            nothing to read: \(reason).
              pulsegate devices                      shows the sensors and ports around
              pulsegate adopt ADDRESS                takes a Bluetooth sensor for yours
              pulsegate adopt PORT --protocol NAME   takes a serial port for yours
              pulsegate run --simulate               goes on without any device
            Or add a source to \(place), for example
              { sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" } } }
            """)
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
