public import Platform
import Synchronization

/// The write-ahead journal of the gateway: buffers published records until every sink has handled
/// them.
///
/// Records are committed in groups. A committed record is *accepted*: it survives a crash of the
/// process and is delivered to each sink in order, at least once, unless the sink exceeds its
/// buffer limit. The journal owns its file and a queue, so that a slow disk blocks only its own
/// callers.
public actor Journal {
    /// The maximum delay of a commit, in seconds, to collect records for a group.
    public static let commitDelaySeconds = 0.1
    /// The number of records that triggers an immediate commit.
    public static let commitCount = WaitingRecords.groupCount
    /// The number of pending records at which appending sources must wait.
    static let backpressureLimit = 2 * commitCount
    /// The delay after which cursors are saved without a commit, in seconds.
    public static let saveDelaySeconds = 5.0
    /// The delay before a failed commit is retried, in seconds.
    static let retrySeconds = 1.0

    let file: any JournalFile
    /// Whether a crash loses what no sink has.
    package nonisolated let isVolatile: Bool
    let clock: any GatewayClock
    let log: Logger
    private let executor = CallerRunsExecutor(label: "journal")
    var account: Ledger
    let inbox: Mutex<Inbox>
    /// The group being committed; kept while the commit fails.
    var group: WaitingRecords.Group?
    var tail = JournalTail()
    /// The state of each sink in addition to the ledger.
    var positions: [String: SinkPosition] = [:]
    /// The last assigned account number, see ``accountNumber(of:)``.
    var lastAccount = 0
    /// The sinks whose cursors are not saved yet.
    var unsavedSinks: Set<String> = []
    /// The place of the next batch, except for its time.
    var end: JournalPlace
    /// The place of the newest batch; nil if there is none.
    var lastPlace: JournalPlace?
    let time: JournalTime
    /// The error of the last commit; nil if it succeeded.
    package var failure: String?
    var fault: JournalFault?
    /// The last repaired corruption.
    var damage: JournalDamage?
    /// The earliest time of the next repair.
    var nextRepair: BootInstant?
    /// The error of the last repair; nil if it succeeded.
    var repairFailure: (any Error)?
    /// Whether the last commit is done.
    package private(set) var isAtEnd = false
    /// Whether the ledger is final.
    var isFinished = false
    private var sourcesWaiting: [CheckedContinuation<Void, Never>] = []
    /// The callers that wait for the next attempt to commit.
    private var attemptsWaiting: [CheckedContinuation<Void, Never>] = []
    let signals = CommitSignals()
    /// Signals that a cursor moved or a sink was removed.
    let deliveries = CommitSignals()
    /// The cursors for which sinks that collect a batch are waiting.
    private var waiting: [String: (cursor: Int64, signal: AsyncStream<Void>.Continuation)] = [:]
    /// The records that somebody waits for, by sink, which collects no others until it has them.
    private var wanted: [String: Int64] = [:]
    private let work: AsyncStream<Void>
    private let workSignal: AsyncStream<Void>.Continuation
    private let filling: AsyncStream<Void>
    private let fillSignal: AsyncStream<Void>.Continuation
    private let saving: AsyncStream<Void>
    private let saveSignal: AsyncStream<Void>.Continuation

    /// Opens the journal for these sinks.
    public init(
        file: sending any JournalFile, sinks: [JournalSink], clock: any GatewayClock, log: Logger
    ) throws {
        self.clock = clock
        self.log = log.named("journal")
        isVolatile = file.isVolatile
        inbox = Mutex(
            Inbox(
                pace: CommitPace(waitsForDisk: file.waitsForDisk, at: clock.now()),
                keepsRecords: sinks.contains(where: \.readsRecords)))
        let before = try file.ledger()
        var start: JournalStart
        do {
            damage = file.damageAtOpening
            start = try JournalStart(file, sinks)
        } catch {
            // The ledger is readable, but other parts of the file are corrupt.
            guard file.fault(of: error) == .damaged, let repair = try file.repair(keeping: before)
            else { throw error }
            damage = repair
            start = try JournalStart(file, sinks)
        }
        account = start.ledger
        end = start.end
        lastPlace = start.newest
        positions = start.positions
        time = JournalTime(clock: clock, notBefore: end.time)
        self.file = file
        (work, workSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (filling, fillSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (saving, saveSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        Self.announce(damage, before, sinks, to: self.log)
    }

    /// Opens the journal for sinks with these names and default options.
    public init(
        file: sending any JournalFile, sinks: [String], clock: any GatewayClock, log: Logger
    ) throws {
        try self.init(file: file, sinks: sinks.map { JournalSink($0) }, clock: clock, log: log)
    }

    /// The journal's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The ledger; published records are committed, cursors may still be unsaved.
    public var ledger: Ledger { account }

    /// Commits pending records after a short delay until the journal is closed.
    public func run() async throws {
        enforceBufferLimits()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.filling { await self.commitFullGroup() } }
            group.addTask { try await self.savePeriodically() }
            defer { group.cancelAll() }
            try await commitPending()
        }
    }

    private func commitPending() async throws {
        for await _ in work {
            try await clock.sleep(
                seconds: failure != nil ? Self.retrySeconds : Self.commitDelaySeconds)
            commit(savingSinks: failure != nil)
        }
    }

    private func savePeriodically() async throws {
        for await _ in saving {
            try await clock.sleep(seconds: Self.saveDelaySeconds)
            if failure == nil { saveSinksAlone() }
        }
    }

    /// Appends lines with their counts; returns before they are committed.
    ///
    /// A full group is committed immediately while the next one fills; above ``backpressureLimit``
    /// records the caller waits for the commit. If the disk fails and the memory buffer is full,
    /// the oldest records are discarded; a source that can wait calls ``waitForSpace()`` first.
    /// Records after ``close()`` are not accepted; ``finish()`` counts them.
    public nonisolated func append(_ lines: RecordLines, addition: Ledger.Ingest) async {
        await append(lines, addition: addition, for: [])
    }

    /// Appends lines with their counts; the receipts get the outcome.
    package nonisolated func append(
        _ lines: RecordLines, addition: Ledger.Ingest, for receipts: [ReportReceipt]
    ) async {
        guard addition != Ledger.Ingest() else { return }
        let now = clock.now()
        let next = inbox.withLock { $0.append(lines, addition, receipts, at: now) }
        if let cause = next.overflow { logOverflow(cause) }
        switch next.commit {
        case .later: requestCommit()
        case .now: executor.async { self.assumeIsolated { $0.commitPendingNow() } }
        case nil: break
        }
        if next.isGroupFull { fillSignal.yield() }
        if next.needsBackpressure { await commitFullGroup() }
    }

    /// Waits while the memory buffer is full, or a sink with the policy `block` exceeds its limit.
    ///
    /// - Returns: False if the task was cancelled before there was space.
    @discardableResult
    package func waitForSpace() async -> Bool {
        while mustWait {
            guard !Task.isCancelled else { return false }
            await withTaskCancellationHandler {
                await withCheckedContinuation { source in
                    // The state may have changed before the continuation was created.
                    if mustWait, !Task.isCancelled {
                        sourcesWaiting.append(source)
                    } else {
                        source.resume()
                    }
                }
            } onCancel: {
                executor.async { self.assumeIsolated { $0.releaseSources() } }
            }
        }
        return true
    }

    /// The number of blocked sources.
    var waitingSources: Int { sourcesWaiting.count }

    private var mustWait: Bool {
        let (isFull, isClosed) = inbox.withLock { ($0.waiting.isFull, $0.isClosed) }
        return !isClosed && (isFull || isBlocked)
    }

    /// Commits unless the last commit has failed, which is retried in time.
    private func commitPendingNow() {
        if failure == nil { commit() }
    }

    /// Commits if there are enough records for a group.
    func commitFullGroup() {
        if failure == nil, waitingCount >= Self.commitCount { commit() }
    }

    /// Commits the pending records and resumes all waiting tasks.
    public func close() {
        inbox.withLock { $0.isClosed = true }
        // The last chance for a repair.
        nextRepair = nil
        commit(savingSinks: true)
        discardPending()
        isAtEnd = true
        noteAttempt()
        for signal in [workSignal, fillSignal, saveSignal] { signal.finish() }
        releaseSources()
        signals.end()
        for arrival in waiting.values { arrival.signal.finish() }
    }

    /// Returns a stream that yields immediately and after every commit, and ends after the last
    /// one.
    public func arrivals() -> AsyncStream<Void> { signals.listen() }

    /// Waits until a record after a cursor is published.
    ///
    /// Only one such wait per sink is allowed.
    ///
    /// - Returns: Whether there is one; false if the journal ends, the task is cancelled or somebody waits
    ///   for the delivery of what the sink has collected.
    package func waitForArrival(after cursor: Int64, for sink: String) async -> Bool {
        if account.ingest.published <= cursor, !isAtEnd, !isHastened(sink) {
            let (stream, signal) = AsyncStream.makeStream(of: Void.self)
            waiting.updateValue((cursor, signal), forKey: sink)?.signal.finish()
            for await _ in stream {}
        }
        return account.ingest.published > cursor
    }

    /// Ends the wait of a sink that collects a batch, and lets it have none until it has a record.
    func hasten(_ sink: String, upTo record: Int64) {
        wanted[sink] = max(record, wanted[sink] ?? 0)
        guard isHastened(sink) else { return }
        waiting.removeValue(forKey: sink)?.signal.finish()
    }

    /// Whether somebody waits for a record that a sink does not have yet.
    func isHastened(_ sink: String) -> Bool {
        wanted[sink].map { $0 > cursor(of: sink) } ?? false
    }

    /// Returns when the journal makes progress: at once if nothing waits for a commit, or after the next
    /// attempt, even a failed one.
    package func answer() async {
        await withCheckedContinuation { caller in
            // Only here: a commit may come between the call of this function and the continuation.
            let mustWait = waitingCount > 0 && !isAtEnd
            if mustWait { attemptsWaiting.append(caller) } else { caller.resume() }
        }
    }

    /// Notes an attempt to commit.
    func noteAttempt() {
        let continuations = attemptsWaiting
        attemptsWaiting = []
        for continuation in continuations { continuation.resume() }
    }

    /// Schedules a commit.
    nonisolated func requestCommit() { workSignal.yield() }

    /// Schedules a save of the cursors.
    nonisolated func requestSave() { saveSignal.yield() }

    func announceCommit() {
        releaseSources()
        signals.notify()
        for (sink, arrival) in waiting where account.ingest.published > arrival.cursor {
            arrival.signal.finish()
            waiting[sink] = nil
        }
    }

    func releaseSources() {
        let continuations = sourcesWaiting
        sourcesWaiting = []
        for continuation in continuations { continuation.resume() }
    }
}
