public import HealthModel
public import Platform
import Readings

/// The running gateway: sources, ingest pipeline, journal and sinks.
public actor Gateway {
    /// The timeout of the sources at a stop, in seconds.
    static let stopSeconds = 1.0
    /// The timeout of the sinks to store the remaining records, in seconds.
    static let drainSeconds = 3.0
    /// The minimum time for the sinks if closing the journal was slow, in seconds.
    static let minimumDrainSeconds = 1.0

    /// A running task with its health.
    struct Running {
        let task: OwnedTask
        let health: Health
        /// The signal that ends a sink's wait before a retry.
        var retrySignal: RetrySignal?
    }

    /// The phases of the life cycle.
    enum Phase {
        case notStarted
        case running
        /// It is stopping or has stopped.
        case stopping
    }

    var parts: Parts
    var sources: [String: Running] = [:]
    /// The most recent ingested records.
    var entries = RecentEntries()
    /// The ids of ingested records that the journal does not have yet.
    var publishing: Set<RecordID> = []
    var sinks: [String: Running] = [:]
    private(set) var phase = Phase.notStarted
    /// The turn of who ends and starts sources and sinks: two of them would start one twice.
    let changes = Turn()
    /// The callers that wait until it runs.
    private var waitingForStart: [CheckedContinuation<Void, Never>] = []
    let pipeline: IngestPipeline
    package let journal: Journal
    let clock: any GatewayClock
    let log: Logger
    let executor: (any TaskExecutor)?
    let pluginExecutor: (any TaskExecutor)?
    private let adapters: AdapterWatch?

    /// Makes a gateway from its parts without starting it.
    ///
    /// Its tasks run on `executor`, or on the default executor; sources and sinks run on
    /// `pluginExecutor`, so that one that blocks does not take a thread from the rest.
    public init(
        sources: [NamedSource], sinks: [NamedSink], types: QuantityTypes = .standard,
        pipeline: IngestPipeline, journal: Journal, clock: any GatewayClock, log: Logger,
        executor: (any TaskExecutor)? = nil, pluginExecutor: (any TaskExecutor)? = nil,
        adapters: AdapterWatch? = nil
    ) {
        parts = Parts(sources: sources, sinks: sinks, types: types)
        self.pipeline = pipeline
        self.journal = journal
        self.clock = clock
        self.log = log
        self.executor = executor
        self.pluginExecutor = pluginExecutor ?? executor
        self.adapters = adapters
    }

    /// Runs until `stop` returns, then delivers received records to the sinks for up to 4 seconds.
    ///
    /// Undelivered records stay in the journal for the next run.
    ///
    /// - Returns: The ledger at the end.
    public func run(until stop: @Sendable () async -> Void) async -> Ledger {
        let commits = OwnedTask(on: executor) { [journal] in try? await journal.run() }
        let clockWatch = OwnedTask(on: executor) { [pipeline] in await pipeline.followClock() }
        let adapterWatch = OwnedTask(on: executor) { [adapters, weak self] in
            guard let adapters else { return }
            for await source in adapters.restarts { await self?.restart(source) }
        }
        phase = .running
        for sink in parts.sinks { start(sink) }
        for source in parts.sources { start(source) }
        for continuation in waitingForStart { continuation.resume() }
        waitingForStart = []
        await stop()
        phase = .stopping
        let last = clock.now().adding(seconds: Self.stopSeconds + Self.drainSeconds)
        await end(
            sources.values.map(\.task) + [clockWatch, adapterWatch], seconds: Self.stopSeconds)
        let end = clock.now().adding(seconds: Self.drainSeconds)
        await closePipeline()
        await journal.close()
        let least = min(clock.now().adding(seconds: Self.minimumDrainSeconds), last)
        let delivery = sinks.values.map(\.task) + [commits]
        await OwnedTask.wait(for: delivery, until: max(end, least), on: clock)
        for task in delivery { task.cancel() }
        await journal.finish()
        await close(parts.sources.map(\.source) + parts.sinks.map(\.sink))
        await pipeline.logDrops()
        return await journal.ledger
    }

    /// Ends a source, which releases its adapters, and starts it again.
    func restart(_ name: String) async {
        await changes.begin()
        defer { changes.end() }
        guard isRunning, let task = sources[name]?.task else { return }
        await end([task], seconds: Self.stopSeconds)
        guard isRunning, let named = parts.sources.first(where: { $0.name == name }) else { return }
        start(named)
    }

    /// Whether it runs and is not stopping.
    var isRunning: Bool { phase == .running }

    /// Waits until it runs or is stopping.
    func waitUntilRunning() async {
        await withCheckedContinuation { continuation in
            if phase == .notStarted {
                waitingForStart.append(continuation)
            } else {
                continuation.resume()
            }
        }
    }

    /// Closes the sources and sinks that have something to close, at once.
    func close(_ components: [any Sendable]) async {
        await withTaskGroup(of: Void.self) { group in
            for component in components {
                guard let closable = component as? any Closable else { continue }
                group.addTask { await closable.close() }
            }
        }
    }

    /// Publishes readings that wait for the clock, within half of the sinks' timeout.
    private func closePipeline() async {
        guard await pipeline.hasUndated else { return }
        let closing = OwnedTask(on: executor) { [pipeline] in await pipeline.close() }
        let end = clock.now().adding(seconds: Self.drainSeconds / 2)
        await OwnedTask.wait(for: [closing], until: end, on: clock)
        await pipeline.discardUndated()
    }

    /// Returns the current status.
    package func status() async -> GatewayStatus {
        let devices = await pipeline.deviceStatus()
        var problems: [String: String] = [:]
        for device in devices where device.hasOnlyUnusableInput && problems[device.source] == nil {
            let problem = DeviceStatus.onlyUnusableInput
            problems[device.source] = "\(device.identifier): \(problem)"
        }
        for source in parts.sources {
            guard let problem = await pipeline.problem(of: source.name) else { continue }
            problems[source.name] = problem.description
        }
        var discarded: [String: [DropReason: Int]] = [:]
        for source in parts.sources {
            discarded[source.name] = await pipeline.discarded(of: source.name)
        }
        let journal = await journal.status
        let now = clock.now()
        return GatewayStatus(
            devices: devices,
            sources: parts.sources.map { source in
                let failure =
                    adapters?.failure(of: source.name, at: now)
                    ?? sources[source.name]?.health.failure(at: now)
                return SourceStatus(
                    name: source.name, failure: failure ?? problems[source.name],
                    discarded: discarded[source.name] ?? [:])
            },
            sinks: parts.sinks.map { sink in
                let health = sinks[sink.name]?.health
                return SinkStatus(
                    name: sink.name, failure: health?.failure(at: now),
                    failingSince: health?.failingSince(at: now),
                    writingSince: health?.writingSince, nextRetry: health?.nextRetry,
                    lag: journal.lags[sink.name] ?? SinkLag(),
                    restored: journal.restored[sink.name])
            },
            journal: journal, clock: await pipeline.clockStatus())
    }

    /// Returns the names of the people who may wear a device.
    package func peopleNames() async -> [String] { await pipeline.peopleNames }

    /// The known types.
    package var types: QuantityTypes { parts.types }

    func start(_ named: NamedSource) {
        let health = Health()
        let supervisor = Supervisor(clock: clock, log: log.named(named.name), health: health)
        let inlet = pipeline.inlet(for: named.name, canWait: named.source.canWait)
        let task = OwnedTask(on: pluginExecutor) {
            await supervisor.keepRunning { try await named.source.run(into: inlet) }
        }
        sources[named.name] = Running(task: task, health: health)
    }

    func start(_ named: NamedSink) {
        let health = Health()
        let retrySignal = RetrySignal()
        let runner = SinkRunner(
            named, journal: journal, clock: clock, log: log, types: parts.types, health: health,
            retrySignal: retrySignal)
        let task = OwnedTask(on: pluginExecutor) { try? await runner.run() }
        sinks[named.name] = Running(task: task, health: health, retrySignal: retrySignal)
    }

    /// Cancels tasks and waits for their end, up to a timeout.
    func end(_ tasks: [OwnedTask], seconds: Double) async {
        for task in tasks { task.cancel() }
        await OwnedTask.wait(for: tasks, until: clock.now().adding(seconds: seconds), on: clock)
    }
}
