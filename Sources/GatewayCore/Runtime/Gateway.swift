/// The whole way from the sources to the sinks, while it runs.
public struct Gateway: Sendable {
    /// A source under the user's name for it.
    public typealias NamedSource = (name: String, source: any Source)
    /// A sink under the user's name for it, with what every sink may have.
    public struct NamedSink: Sendable {
        /// The user's name for it.
        public let name: String
        /// The sink.
        public let sink: any Sink
        /// What it gets, and how far it may lag.
        public let options: SinkOptions

        /// Names a sink.
        public init(name: String, sink: any Sink, options: SinkOptions = SinkOptions()) {
            self.name = name
            self.sink = sink
            self.options = options
        }

        /// What the journal has to know of it.
        public var journalSink: JournalSink { JournalSink(name, options: options) }
    }

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
    private let executor: (any TaskExecutor)?

    /// Makes a gateway of its parts; nothing runs yet.
    ///
    /// Its tasks run on the executor; without one on Swift's usual threads.
    public init(
        sources: [NamedSource], sinks: [NamedSink], intake: Intake, journal: Journal,
        clock: any GatewayClock, log: Logger, executor: (any TaskExecutor)? = nil
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
        self.executor = executor
    }

    /// Runs until `stop` returns, then lets what was received reach the sinks, for 4 seconds at most.
    ///
    /// What a sink could not store in that time stays in the journal for the next run.
    ///
    /// - Returns: The ledger at the end.
    public func run(until stop: @Sendable () async -> Void) async -> Ledger {
        let delivery = start(deliver)
        let production = start(produce)
        await stop()
        production.task.cancel()
        await wait(for: production.end, seconds: Self.stopSeconds)
        let end = clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: Self.drainSeconds))
        await closeIntake()
        await journal.close()
        await wait(for: delivery.end, until: end)
        delivery.task.cancel()
        await journal.finish()
        await intake.logDrops()
        return await journal.ledger
    }

    /// Lets what waits for the clock be accepted, in half of the time that the sinks have.
    private func closeIntake() async {
        guard await intake.hasUndated else { return }
        let closing = start { await intake.close() }
        await wait(for: closing.end, seconds: Self.drainSeconds / 2)
        await intake.giveUpUndated()
    }

    /// How everything is doing right now.
    package func status() async -> GatewayStatus {
        let devices = await intake.deviceStatus()
        var troubles: [String: LinkError] = [:]
        for source in sources { troubles[source.name] = await intake.trouble(of: source.name) }
        let journal = await journal.status
        let now = clock.now()
        return GatewayStatus(
            devices: devices,
            sources: sources.map { source in
                let failure = sourceHealth[source.name]?.failure(at: now)
                return SourceStatus(
                    name: source.name, failure: failure ?? troubles[source.name]?.description)
            },
            sinks: sinks.map { sink in
                let health = sinkHealth[sink.name]
                return SinkStatus(
                    name: sink.name, failure: health?.failure(at: now),
                    failingSince: health?.failingSince(at: now),
                    writingSince: health?.writingSince,
                    lag: journal.lags[sink.name] ?? SinkLag())
            },
            journal: journal, clock: await intake.clockStatus())
    }

    private func produce() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await intake.followClock() }
            for (name, source) in sources {
                let supervisor = Supervisor(
                    clock: clock, log: log.named(name), health: sourceHealth[name] ?? Health())
                let entrance = intake.entrance(for: name, canWait: source.canWait)
                group.addTask {
                    await supervisor.keepRunning { try await source.run(into: entrance) }
                }
            }
        }
    }

    private func deliver() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await journal.run() }
            for sink in sinks {
                let runner = SinkRunner(
                    sink, journal: journal, clock: clock, log: log,
                    health: sinkHealth[sink.name] ?? Health())
                group.addTask { try? await runner.run() }
            }
        }
    }

    /// Starts something that is not waited for longer than it may take, and says when it has ended.
    private func start(
        _ operation: @escaping @Sendable () async -> Void
    ) -> (task: Task<Void, Never>, end: AsyncStream<Void>) {
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task(executorPreference: executor) {
            await operation()
            signal.finish()
        }
        return (task, end)
    }

    /// Waits until something has ended, but not longer than so many seconds.
    private func wait(for end: AsyncStream<Void>, seconds: Double) async {
        let deadline = clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        await wait(for: end, until: deadline)
    }

    /// Waits until something has ended, but not longer than until this moment.
    private func wait(for end: AsyncStream<Void>, until deadline: BootInstant) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
