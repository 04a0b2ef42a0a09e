public import HealthModel
public import Platform

/// The whole way from the sources to the sinks, while it runs.
public actor Gateway {
    /// How long the sources may take to stop, in seconds.
    static let stopSeconds = 1.0
    /// How long the sinks may take to store what is left, in seconds.
    static let drainSeconds = 3.0
    /// How long they may at least, in seconds, where the journal took its time before: as much of it as is
    /// left.
    static let leastDrainSeconds = 1.0

    /// Something that runs, and how it is doing.
    struct Running {
        let task: OwnedTask
        let health: Health
        /// For a sink, which waits between its tries.
        var nudge: RetrySignal?
    }

    /// Where it is on its way.
    enum Phase {
        case notBegun
        case running
        /// It was told to stop, or has stopped.
        case stopping
    }

    var parts: Parts
    var sources: [String: Running] = [:]
    /// What was entered by hand last.
    var entries = RecentEntries()
    var sinks: [String: Running] = [:]
    private(set) var phase = Phase.notBegun
    /// Those who wait until it runs.
    private var waitingForBegin: [CheckedContinuation<Void, Never>] = []
    let pipeline: IngestPipeline
    let journal: Journal
    let clock: any GatewayClock
    let log: Logger
    private let executor: (any TaskExecutor)?

    /// Makes a gateway of its parts; nothing runs yet.
    ///
    /// Its tasks run on the executor; without one on Swift's usual threads.
    public init(
        sources: [NamedSource], sinks: [NamedSink], types: QuantityTypes = .standard,
        pipeline: IngestPipeline, journal: Journal, clock: any GatewayClock, log: Logger,
        executor: (any TaskExecutor)? = nil
    ) {
        parts = Parts(sources: sources, sinks: sinks, types: types)
        self.pipeline = pipeline
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
        let commits = OwnedTask(on: executor) { [journal] in try? await journal.run() }
        let clockWatch = OwnedTask(on: executor) { [pipeline] in await pipeline.followClock() }
        phase = .running
        for sink in parts.sinks { start(sink) }
        for source in parts.sources { start(source) }
        for continuation in waitingForBegin { continuation.resume() }
        waitingForBegin = []
        await stop()
        phase = .stopping
        let last = clock.now().adding(seconds: Self.stopSeconds + Self.drainSeconds)
        await end(sources.values.map(\.task) + [clockWatch], seconds: Self.stopSeconds)
        let end = clock.now().adding(seconds: Self.drainSeconds)
        await closeIntake()
        await journal.close()
        let least = min(clock.now().adding(seconds: Self.leastDrainSeconds), last)
        let delivery = sinks.values.map(\.task) + [commits]
        await OwnedTask.wait(for: delivery, until: max(end, least), on: clock)
        for task in delivery { task.cancel() }
        await journal.finish()
        await pipeline.logDrops()
        return await journal.ledger
    }

    /// Whether it runs and has not been told to stop.
    var isRunning: Bool { phase == .running }

    /// Waits until it runs, or has been told to stop.
    func waitForBegin() async {
        await withCheckedContinuation { continuation in
            if phase == .notBegun {
                waitingForBegin.append(continuation)
            } else {
                continuation.resume()
            }
        }
    }

    /// Lets what waits for the clock be accepted, in half of the time that the sinks have.
    private func closeIntake() async {
        guard await pipeline.hasUndated else { return }
        let closing = OwnedTask(on: executor) { [pipeline] in await pipeline.close() }
        let end = clock.now().adding(seconds: Self.drainSeconds / 2)
        await OwnedTask.wait(for: [closing], until: end, on: clock)
        await pipeline.giveUpUndated()
    }

    /// How everything is doing right now.
    package func status() async -> GatewayStatus {
        let devices = await pipeline.deviceStatus()
        var troubles: [String: LinkError] = [:]
        for source in parts.sources {
            troubles[source.name] = await pipeline.trouble(of: source.name)
        }
        let journal = await journal.status
        let now = clock.now()
        return GatewayStatus(
            devices: devices,
            sources: parts.sources.map { source in
                let failure = sources[source.name]?.health.failure(at: now)
                return SourceStatus(
                    name: source.name, failure: failure ?? troubles[source.name]?.description)
            },
            sinks: parts.sinks.map { sink in
                let health = sinks[sink.name]?.health
                return SinkStatus(
                    name: sink.name, failure: health?.failure(at: now),
                    failingSince: health?.failingSince(at: now),
                    writingSince: health?.writingSince, nextTry: health?.nextTry,
                    lag: journal.lags[sink.name] ?? SinkLag())
            },
            journal: journal, clock: await pipeline.clockStatus())
    }

    /// The names of those who may wear a device.
    package func peopleNames() async -> [String] { await pipeline.peopleNames }

    /// The types whose samples there may be.
    package var types: QuantityTypes { parts.types }

    func start(_ named: NamedSource) {
        let health = Health()
        let supervisor = Supervisor(clock: clock, log: log.named(named.name), health: health)
        let inlet = pipeline.inlet(for: named.name, canWait: named.source.canWait)
        let task = OwnedTask(on: executor) {
            await supervisor.keepRunning { try await named.source.run(into: inlet) }
        }
        sources[named.name] = Running(task: task, health: health)
    }

    func start(_ named: NamedSink) {
        let health = Health()
        let nudge = RetrySignal()
        let runner = SinkRunner(
            named, journal: journal, clock: clock, log: log, types: parts.types, health: health,
            nudge: nudge)
        let task = OwnedTask(on: executor) { try? await runner.run() }
        sinks[named.name] = Running(task: task, health: health, nudge: nudge)
    }

    /// Ends tasks, and waits until they have, but not longer than so many seconds.
    func end(_ tasks: [OwnedTask], seconds: Double) async {
        for task in tasks { task.cancel() }
        await OwnedTask.wait(for: tasks, until: clock.now().adding(seconds: seconds), on: clock)
    }
}
