/// The durable lane: everything published waits here until every sink has dealt with it.
///
/// Records are committed in groups. What is committed is *accepted*: it survives the death of the
/// process and reaches each sink, in order, at least once. The journal owns its file and a queue, so
/// that a slow disk stops nobody but those who wait for it.
public actor Journal {
    /// How long a record waits for others before it is committed, in seconds.
    public static let commitDelaySeconds = 0.1
    /// So many records are committed at once.
    public static let commitCount = 1_000
    /// With so many records waiting for a disk that fails, sources wait too.
    static let waitingLimit = 100_000
    /// How long to wait before a commit that failed is tried again, in seconds.
    static let retrySeconds = 1.0

    private let file: any JournalFile
    private let clock: any GatewayClock
    private let log: Logger
    private let executor = QueueExecutor(label: "journal")
    private var account: Ledger
    private var waiting: [Group] = []
    private var waitingCount: Int64 = 0
    /// Why the last commit failed; nil when it did not.
    private var failure: String?
    private var isClosed = false
    private var sourcesWaiting: [CheckedContinuation<Void, Never>] = []
    private var sinkSignals: [AsyncStream<Void>.Continuation] = []
    private let work: AsyncStream<Void>
    private let workSignal: AsyncStream<Void>.Continuation

    /// What will be committed in one transaction.
    private struct Group {
        var lines: [UInt8] = []
        var addition = Ledger.Intake()
    }

    /// Opens the journal for the sinks with these names.
    public init(
        file: sending any JournalFile, sinks: [String], clock: any GatewayClock, log: Logger
    ) throws {
        self.clock = clock
        self.log = log.named("journal")
        let before = try file.ledger()
        for name in before.sinks.keys.sorted()
        where !sinks.contains(name) && before.pending(for: name) > 0 {
            self.log.warning(
                "a sink is not configured any more; what it had not stored is given up",
                ["sink": name, "records": "\(before.pending(for: name))"])
        }
        try file.register(sinks: sinks)
        account = try file.ledger()
        self.file = file
        (work, workSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The journal's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The ledger as committed.
    public var ledger: Ledger { account }

    /// How the journal is doing.
    var status: JournalStatus {
        JournalStatus(ledger: account, waiting: waitingCount, failure: failure)
    }

    /// Commits what waits, soon after it came, until the journal is closed.
    public func run() async throws {
        for await _ in work {
            try await clock.sleep(
                seconds: failure != nil ? Self.retrySeconds : Self.commitDelaySeconds)
            commit()
        }
    }

    /// Appends JSON lines, each with its newline, and what was counted with them.
    ///
    /// It returns before they are committed, and waits only while the disk fails and too much waits
    /// already. After ``close()`` nothing is taken any more.
    public func append(_ lines: [UInt8], addition: Ledger.Intake) async {
        while waitingCount >= Self.waitingLimit, !isClosed {
            await withCheckedContinuation { source in
                // The actor may have done other things before the continuation was there.
                if waitingCount >= Self.waitingLimit, !isClosed {
                    sourcesWaiting.append(source)
                } else {
                    source.resume()
                }
            }
        }
        guard !isClosed, addition != Ledger.Intake() else { return }
        wait(lines, addition)
        if waitingCount >= Self.commitCount, failure == nil { commit() }
        if !waiting.isEmpty { workSignal.yield() }
    }

    /// Commits what waits and lets everybody who waits for the journal go on.
    public func close() {
        commit()
        if waitingCount > 0 {
            log.error(
                "not accepted, because the journal could not be written",
                ["records": "\(waitingCount)"])
        }
        isClosed = true
        workSignal.finish()
        releaseSources()
        for signal in sinkSignals { signal.finish() }
    }

    /// A signal for a sink's runner: once now, after every commit, and its end when all is committed.
    public func arrivals() -> AsyncStream<Void> {
        let (stream, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signal.yield()
        if isClosed { signal.finish() } else { sinkSignals.append(signal) }
        return stream
    }

    /// The records that follow a sink's cursor; nil when the sink has dealt with all of them.
    public func read(for sink: String, limit: Int) throws -> JournalSlice? {
        guard let cursor = account.sinks[sink]?.cursor, cursor < account.intake.published
        else { return nil }
        return try file.read(after: cursor, limit: limit)
    }

    /// Notes what a sink did with the records up to a cursor.
    public func advance(
        _ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome
    ) throws {
        try file.advance(sink, to: cursor, adding: outcome)
        account.sinks[sink]?.cursor = cursor
        account.sinks[sink]?.outcome.add(outcome)
    }

    private func wait(_ lines: [UInt8], _ addition: Ledger.Intake) {
        if waiting.last.map({ $0.addition.published >= Self.commitCount }) ?? true {
            waiting.append(Group())
        }
        waiting[waiting.count - 1].lines += lines
        waiting[waiting.count - 1].addition.add(addition)
        waitingCount += addition.published
    }

    /// Commits what waits, group by group, as far as the disk takes it.
    private func commit() {
        var committed = 0
        defer { waiting.removeFirst(committed) }
        for group in waiting {
            do {
                try file.append(group.lines, addition: group.addition)
            } catch {
                if failure == nil {
                    log.error("cannot write; trying again", ["reason": "\(error)"])
                }
                failure = "\(error)"
                workSignal.yield()
                break
            }
            if failure != nil { log.info("writing again") }
            failure = nil
            committed += 1
            waitingCount -= group.addition.published
            account.intake.add(group.addition)
        }
        if committed > 0 { announceCommit() }
    }

    private func announceCommit() {
        releaseSources()
        sinkSignals.removeAll { signal in
            if case .terminated = signal.yield() { true } else { false }
        }
    }

    private func releaseSources() {
        let continuations = sourcesWaiting
        sourcesWaiting = []
        for continuation in continuations { continuation.resume() }
    }
}

extension Ledger.Intake {
    /// Adds another account to this one.
    package mutating func add(_ other: Self) {
        converted += other.converted
        implausible += other.implausible
        duplicate += other.duplicate
        published += other.published
    }
}

extension Ledger.Outcome {
    /// Adds another account to this one.
    package mutating func add(_ other: Self) {
        filtered += other.filtered
        delivered += other.delivered
        refused += other.refused
        dropped += other.dropped
        lost += other.lost
    }
}
