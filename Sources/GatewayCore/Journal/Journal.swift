public import Platform
import Synchronization

/// The durable lane: everything published waits here until every sink has dealt with it.
///
/// Records are committed in groups. What is committed is *accepted*: it survives the death of the
/// process and reaches each sink, in order, at least once, unless the sink lags further than it may.
/// The journal owns its file and a queue, so that a slow disk stops nobody but those who wait for it.
public actor Journal {
    /// How long a record waits for others before it is committed, in seconds.
    public static let commitDelaySeconds = 0.1
    /// So many records are committed at once.
    public static let commitCount = WaitingRecords.groupCount
    /// With so many records waiting for their commit, who brings more waits as well.
    static let aheadLimit = 2 * commitCount
    /// How far sinks have come is saved after so many seconds, when nothing was committed meanwhile.
    public static let saveDelaySeconds = 1.0
    /// How long to wait before a commit that failed is tried again, in seconds.
    static let retrySeconds = 1.0

    let file: any JournalFile
    let clock: any GatewayClock
    let log: Logger
    private let executor = QueueExecutor(label: "journal")
    var account: Ledger
    let inbox = Mutex(Inbox())
    /// What is being committed, as long as that fails.
    var group: WaitingRecords.Group?
    var tail = JournalTail()
    /// What is known of each sink beside the ledger.
    var positions: [String: SinkPosition] = [:]
    /// The number of the account that was given out last, see ``accountNumber(of:)``.
    var lastAccount = 0
    /// The sinks that have come further than the file says.
    var unsavedSinks: Set<String> = []
    /// Where the next batch stands, but for its time.
    var end: JournalPlace
    /// Where the newest batch stands; nil when there is none.
    var lastPlace: JournalPlace?
    let time: JournalTime
    /// Why the last commit failed; nil when it did not.
    var failure: String?
    var fault: JournalFault?
    /// What was mended last.
    var damage: JournalDamage?
    /// There is no repair before this moment.
    var nextRepair: BootInstant?
    /// Why the last repair failed; nil when it did not.
    var repairFailure: (any Error)?
    /// Whether everything is committed that ever will be.
    private(set) var isAtEnd = false
    /// Whether the account is closed.
    var isFinished = false
    private var sourcesWaiting: [CheckedContinuation<Void, Never>] = []
    let signals = CommitSignals()
    /// Tells that a sink has come further, or has gone.
    let deliveries = CommitSignals()
    /// What those sinks wait for that gather a batch.
    private var waiting: [String: (cursor: Int64, signal: AsyncStream<Void>.Continuation)] = [:]
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
        let before = try file.ledger()
        var start: JournalStart
        do {
            damage = file.damageAtOpening
            start = try JournalStart(file, sinks)
        } catch {
            // The ledger could be read, but something else that is needed could not.
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

    /// Opens the journal for sinks with these names and the usual options.
    public init(
        file: sending any JournalFile, sinks: [String], clock: any GatewayClock, log: Logger
    ) throws {
        try self.init(file: file, sinks: sinks.map { JournalSink($0) }, clock: clock, log: log)
    }

    /// The journal's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The ledger: what is published is committed, how far sinks have come may still have to be saved.
    public var ledger: Ledger { account }

    /// Commits what waits, soon after it came, until the journal is closed.
    public func run() async throws {
        dropWhatIsTooOld()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.filling { await self.commitWhatIsFilled() } }
            group.addTask { try await self.saveNowAndThen() }
            defer { group.cancelAll() }
            try await commitWhatWaits()
        }
    }

    private func commitWhatWaits() async throws {
        for await _ in work {
            try await clock.sleep(
                seconds: failure != nil ? Self.retrySeconds : Self.commitDelaySeconds)
            commit(savingSinks: failure != nil)
        }
    }

    private func saveNowAndThen() async throws {
        for await _ in saving {
            try await clock.sleep(seconds: Self.saveDelaySeconds)
            if failure == nil { saveSinksAlone() }
        }
    }

    /// Appends lines and what was counted with them; it returns before they are committed.
    ///
    /// A group that is filled is committed at once, while the next one is filled; who is ahead by
    /// more than ``aheadLimit`` records waits for that. While too much waits for a disk that fails, the
    /// oldest of it is given up; who can wait calls ``waitForSpace()`` before. What comes after
    /// ``close()`` is not accepted, and counted so by ``finish()``.
    public nonisolated func append(_ lines: RecordLines, addition: Ledger.Ingest) async {
        guard addition != Ledger.Ingest() else { return }
        let next = inbox.withLock { $0.take(lines, addition) }
        if let lack = next.mustSay { sayGivenUp(lack) }
        if next.isWork { askForWork() }
        if next.isFilled { fillSignal.yield() }
        if next.isFarAhead { await commitWhatIsFilled() }
    }

    /// Waits while too much waits for a disk that fails, and while a sink with `block` lags too far.
    func waitForSpace() async {
        while mustWait {
            await withCheckedContinuation { source in
                // The actor may have done other things before the continuation was there.
                if mustWait { sourcesWaiting.append(source) } else { source.resume() }
            }
        }
    }

    /// How many sources wait right now.
    var waitingSources: Int { sourcesWaiting.count }

    private var mustWait: Bool {
        let (isFull, isClosed) = inbox.withLock { ($0.waiting.isFull, $0.isClosed) }
        return !isClosed && (isFull || isBlocked)
    }

    /// Commits what waits if that is enough for a group.
    func commitWhatIsFilled() {
        if failure == nil, waitingCount >= Self.commitCount { commit() }
    }

    /// Commits what waits and lets everybody who waits for the journal go on.
    public func close() {
        inbox.withLock { $0.isClosed = true }
        // What cannot be mended now is lost.
        nextRepair = nil
        commit(savingSinks: true)
        giveUpWaiting()
        isAtEnd = true
        for signal in [workSignal, fillSignal, saveSignal] { signal.finish() }
        releaseSources()
        signals.end()
        for arrival in waiting.values { arrival.signal.finish() }
    }

    /// A signal for a sink's runner: at once, after every commit, and its end when all is committed.
    public func arrivals() -> AsyncStream<Void> { signals.listen() }

    /// Waits until something is published behind a cursor, and does not wake for less.
    ///
    /// A sink has one such wait at a time.
    ///
    /// - Returns: Whether there is: all may be committed before, or the task cancelled.
    func waitForArrival(after cursor: Int64, for sink: String) async -> Bool {
        if account.ingest.published <= cursor, !isAtEnd {
            let (stream, signal) = AsyncStream.makeStream(of: Void.self)
            waiting.updateValue((cursor, signal), forKey: sink)?.signal.finish()
            for await _ in stream {}
        }
        return account.ingest.published > cursor
    }

    /// Looks at the work again, later.
    nonisolated func askForWork() { workSignal.yield() }

    /// Saves how far sinks have come, later.
    nonisolated func askForSave() { saveSignal.yield() }

    func announceCommit() {
        releaseSources()
        signals.tell()
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
