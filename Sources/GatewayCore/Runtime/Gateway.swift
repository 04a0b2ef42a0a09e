public import HealthModel

/// The whole way from the sources to the sinks, while it runs.
public struct Gateway: Sendable {
    /// A source under the user's name for it.
    public typealias NamedSource = (name: String, source: any Source)
    /// A sink under the user's name for it, with the types it wants.
    public typealias NamedSink = (name: String, sink: any Sink, types: Set<QuantityType>?)

    /// How long the sources may take to stop, in seconds.
    static let stopSeconds = 1.0
    /// How long the sinks may take to store what is left, in seconds.
    static let drainSeconds = 3.0

    private let sources: [NamedSource]
    private let sinks: [NamedSink]
    private let sourceHealth: [String: Health]
    private let sinkHealth: [String: Health]
    private let intake: Intake
    private let journal: Journal
    private let clock: any GatewayClock
    private let log: Logger

    /// Makes a gateway of its parts; nothing runs yet.
    public init(
        sources: [NamedSource], sinks: [NamedSink], intake: Intake, journal: Journal,
        clock: any GatewayClock, log: Logger
    ) {
        self.sources = sources
        self.sinks = sinks
        sourceHealth = Dictionary(
            sources.map { ($0.name, Health()) }, uniquingKeysWith: { first, _ in first })
        sinkHealth = Dictionary(
            sinks.map { ($0.name, Health()) }, uniquingKeysWith: { first, _ in first })
        self.intake = intake
        self.journal = journal
        self.clock = clock
        self.log = log
    }

    /// Runs until `stop` returns, then lets what was received reach the sinks, for 4 seconds at most.
    ///
    /// What a sink could not store in that time stays in the journal for the next run.
    ///
    /// - Returns: The ledger at the end.
    public func run(until stop: @Sendable () async -> Void) async -> Ledger {
        let delivery = Task { await deliver() }
        let production = Task { await produce() }
        await stop()
        production.cancel()
        await wait(for: production, seconds: Self.stopSeconds)
        await journal.close()
        await wait(for: delivery, seconds: Self.drainSeconds)
        delivery.cancel()
        await intake.logDrops()
        return await journal.ledger
    }

    /// How everything is doing right now.
    package func status() async -> GatewayStatus {
        let devices = await intake.deviceStatus()
        let journal = await journal.status
        let now = clock.now()
        return GatewayStatus(
            devices: devices,
            sources: sources.map { source in
                SourceStatus(
                    name: source.name, failure: sourceHealth[source.name]?.failure(at: now))
            },
            sinks: sinks.map { sink in
                SinkStatus(name: sink.name, failure: sinkHealth[sink.name]?.failure(at: now))
            },
            journal: journal)
    }

    private func produce() async {
        await withTaskGroup(of: Void.self) { group in
            for (name, source) in sources {
                let supervisor = Supervisor(
                    clock: clock, log: log.named(name), health: sourceHealth[name] ?? Health())
                let entrance = intake.entrance(for: name)
                group.addTask {
                    await supervisor.keepRunning { try await source.run(into: entrance) }
                }
            }
        }
    }

    private func deliver() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await journal.run() }
            for (name, sink, types) in sinks {
                let runner = SinkRunner(
                    name: name, sink: sink, types: types, journal: journal, clock: clock, log: log,
                    health: sinkHealth[name] ?? Health())
                group.addTask { try? await runner.run() }
            }
        }
    }

    /// Waits until a task has ended, but not longer than so many seconds.
    private func wait(for task: Task<Void, Never>, seconds: Double) async {
        let (ends, signal) = AsyncStream.makeStream(of: Void.self)
        let ending = Task {
            await task.value
            signal.finish()
        }
        let limit = Task { [clock] in
            try? await clock.sleep(seconds: seconds)
            signal.finish()
        }
        for await _ in ends {}
        ending.cancel()
        limit.cancel()
    }
}
