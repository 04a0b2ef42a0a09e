import GatewayCore
import SQLite

/// Puts a gateway together from a configuration, or from the simulation, and runs it.
struct GatewaySetup: Sendable {
    let file: ConfigurationFile
    let folder: DataFolder
    let plugins: Plugins
    let environment: Environment
    let clock: any GatewayClock
    let log: Logger
    let isSimulation: Bool
    let writesLines: Bool

    /// Runs until told to stop or until the time is over.
    func run(
        until stop: StopSignal, seconds: Double?, screen: TerminalScreen?
    ) async throws(CommandFailure) {
        let live = LiveLane()
        let (gateway, sinkNames) = try makeGateway(live: live)
        let control = ControlSetup(folder: folder, clock: clock, log: log)
        log.info(
            "running",
            ["version": Version.current, "data": folder.path, "sinks": sinkNames])
        let timer = seconds.map { seconds in
            Task { [clock] in
                try? await clock.sleep(seconds: seconds)
                stop.stop()
            }
        }
        let subscription = live.subscribe()
        let display = screen.map { screen in
            Task { [clock] in await LiveDisplay.run(subscription, on: screen, clock: clock) }
        }
        if display == nil { live.cancel(subscription) }
        let ledger = await control.serve(gateway, live: live) {
            await gateway.run { await stop.wait() }
        }
        timer?.cancel()
        live.cancel(subscription)
        display?.cancel()
        await display?.value
        report(ledger)
    }

    private func makeGateway(
        live: LiveLane
    ) throws(CommandFailure) -> (gateway: Gateway, sinkNames: String) {
        let assembly = Assembly(plugins: plugins, dataFolder: folder, clock: clock, log: log)
        let sources: [Gateway.NamedSource]
        let sinks: [Gateway.NamedSink]
        do {
            if isSimulation {
                let simulation = SimulationSetup(
                    plugins: plugins, clock: clock, log: log, folder: folder)
                sources = try simulation.sources()
                sinks = try assembly.sinks(simulation.configuration(writesLines: writesLines))
            } else {
                sources = try assembly.sources(file.configuration)
                sinks = try assembly.sinks(file.configuration)
            }
        } catch {
            throw file.failure(error)
        }
        guard !sources.isEmpty else { throw noSource }
        let journal = try openJournal(sinks: sinks.map(\.name))
        let intake = Intake(
            bus: Bus(journal: journal, live: live), clock: clock,
            people: file.configuration.people, version: Version.current, log: log)
        let gateway = Gateway(
            sources: sources, sinks: sinks, intake: intake, journal: journal, clock: clock,
            log: log)
        return (gateway, sinks.map(\.name).joined(separator: ","))
    }

    private func openJournal(sinks: [String]) throws(CommandFailure) -> Journal {
        let path = folder.resolve(DataFiles.journal)
        do {
            let file = try SQLiteJournalFile(path: path, durability: file.configuration.durability)
            return try Journal(file: file, sinks: sinks, clock: clock, log: log)
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    private var noSource: CommandFailure {
        let place =
            file.path ?? ConfigurationFile.usualPlaces(environment).first ?? "the configuration"
        return CommandFailure(
            .configuration,
            """
            nothing to read: no source is configured. Add one to \(place), for example
              { sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" } } }
            or try `pulsegate run --simulate`
            """)
    }

    private func report(_ ledger: Ledger) {
        let intake = ledger.intake
        log.info(
            "ledger",
            [
                "converted": "\(intake.converted)", "implausible": "\(intake.implausible)",
                "duplicate": "\(intake.duplicate)", "published": "\(intake.published)",
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
