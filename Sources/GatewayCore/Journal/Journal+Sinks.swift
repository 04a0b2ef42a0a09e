import Platform

extension Journal {
    /// The records that follow a sink's cursor; nil when there are none.
    ///
    /// - Parameters:
    ///   - sink: The sink's name.
    ///   - position: To read on behind what was read and not dealt with yet; else from the cursor.
    ///   - limit: How much is enough. Whole batches are read, so it may be more.
    public func read(
        for sink: String, after position: Int64? = nil, limit: JournalReadLimit
    ) throws -> JournalSlice? {
        guard let cursor = account.sinks[sink]?.cursor else { return nil }
        let start = max(cursor, position ?? cursor)
        guard start < account.ingest.published else { return nil }
        if let slice = tail.read(after: start, limit: limit) { return slice }
        let slice = try repairing { try file.read(after: start, limit: limit) }
        // What was published and is nowhere was lost with a damaged file; what is there beyond it was
        // never published.
        let published = account.ingest.published
        return slice?.prefix(to: published)
            ?? JournalSlice(start: start, end: published, lines: RecordLines([]))
    }

    /// Which account a sink has: another number when it has taken over another one since, or begun anew.
    func accountNumber(of sink: String) -> Int? { positions[sink]?.account }

    /// How far a sink has come.
    public func cursor(of sink: String) -> Int64 { account.sinks[sink]?.cursor ?? 0 }

    /// Waits until a sink has dealt with everything before a record; false when there is no such sink any
    /// more, when the journal ends before, or when the task is cancelled.
    func waitForDelivery(to sink: String, upTo record: Int64) async -> Bool {
        for await _ in deliveries.listen() {
            guard let cursor = account.sinks[sink]?.cursor else { return false }
            if cursor >= record { return true }
        }
        return false
    }

    /// Notes what a sink did with the records from one cursor to another.
    ///
    /// They may have been dropped while they were at the sink; then they are not counted so any more.
    /// When somebody else has noted them meanwhile nothing is counted: after a reload the former runner
    /// of a slow sink may come late. Nor when it worked for another account than the sink has by now.
    ///
    /// It counts at once, and is saved with the next commit, or ``saveDelaySeconds`` later: who dies
    /// before gives the sink these records once more.
    public func advance(
        _ sink: String, from start: Int64, to end: Int64, adding outcome: Ledger.Outcome,
        account number: Int? = nil
    ) {
        guard let before = account.sinks[sink]?.cursor, !isFinished else { return }
        guard number == nil || number == accountNumber(of: sink) else { return }
        guard before == start || before == positions[sink]?.droppedTo else { return }
        positions[sink]?.droppedTo = nil
        var outcome = outcome
        outcome.dropped -= max(min(before, end) - start, 0)
        move(sink, to: max(before, end), adding: outcome)
        endEpisode(of: sink)
        releaseSources()
    }

    func move(_ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome) {
        account.sinks[sink]?.cursor = cursor
        account.sinks[sink]?.outcome.add(outcome)
        if unsavedSinks.isEmpty { askForSave() }
        unsavedSinks.insert(sink)
        // At the end nothing else will be committed; in memory it costs nothing, and makes room.
        if isAtEnd || file.isVolatile { saveSinksAlone() }
        deliveries.tell()
        do {
            positions[sink]?.oldest = try place(after: cursor)
        } catch {
            // The cursor has moved all the same; until it does again the lag looks larger than it is.
            log.debug("cannot look up a lag", ["sink": sink, "reason": "\(error)"])
        }
    }

    private func place(after cursor: Int64) throws -> JournalPlace? {
        guard cursor < account.ingest.published else { return nil }
        return try tail.place(after: cursor)
            ?? repairing { try file.place(after: cursor, within: JournalBound()) }
    }

    /// Lets these sinks, and no others, take part from now on; who stays keeps its cursor.
    func register(_ sinks: [JournalSink]) throws {
        let isSame =
            Set(sinks.map(\.name)) == Set(account.sinks.keys)
            && sinks.allSatisfy { account.sinks[$0.name]?.previousName == $0.previousName }
        if !isSame { try replace(by: sinks) }
        for sink in sinks { positions[sink.name]?.limit = sink.limit(in: file) }
        dropWhatIsTooOld()
        releaseSources()
    }

    private func replace(by sinks: [JournalSink]) throws {
        try saveSinks()
        let before = account
        let start = try repairing { try JournalStart(file, sinks) }
        account = start.ledger
        positions = positions(in: start, after: before.moves(among: sinks))
        deliveries.tell()
        Self.announce(nil, before, sinks, to: log)
    }

    /// A sink that goes on with its own account keeps what is known of it.
    private func positions(
        in start: JournalStart, after moves: [String: String]
    ) -> [String: SinkPosition] {
        lastAccount += 1
        var positions = start.positions
        for (name, new) in start.positions {
            guard moves[name] == nil, var position = self.positions[name] else {
                positions[name]?.account = lastAccount
                continue
            }
            position.oldest = new.oldest
            positions[name] = position
        }
        return positions
    }

    /// Says what is not as it was left.
    static func announce(
        _ damage: JournalDamage?, _ before: Ledger, _ sinks: [JournalSink], to log: Logger
    ) {
        if let damage { log.error("the journal was damaged", ["what": "\(damage)"]) }
        for sink in sinks where before.sinks[sink.name] == nil && !before.sinks.isEmpty {
            guard let former = sink.previousName, before.sinks[former] == nil else { continue }
            log.warning(
                "the journal knows no sink of the former name, so that the new one begins anew",
                ["sink": sink.name, "previousName": former])
        }
        for name in before.left(by: sinks) where before.pending(for: name) > 0 {
            log.warning(
                "a sink is not configured any more; what it had not stored is given up",
                ["sink": name, "records": "\(before.pending(for: name))"])
        }
    }
}

/// What a journal finds in its file when it is opened.
struct JournalStart {
    let ledger: Ledger
    /// Where the next batch stands.
    let end: JournalPlace
    /// Where the batch with the newest record stands; nil when there is none.
    let newest: JournalPlace?
    let positions: [String: SinkPosition]

    /// Registers the sinks and looks where their oldest records stand.
    init(_ file: any JournalFile, _ sinks: [JournalSink]) throws {
        try file.register(sinks)
        ledger = try file.ledger()
        var end = try file.end()
        end.first = ledger.ingest.published
        self.end = end
        newest =
            end.first > 0 ? try file.place(after: end.first - 1, within: JournalBound()) : nil
        var positions: [String: SinkPosition] = [:]
        for sink in sinks {
            let cursor = ledger.sinks[sink.name]?.cursor ?? end.first
            let oldest =
                cursor < end.first ? try file.place(after: cursor, within: JournalBound()) : nil
            positions[sink.name] = SinkPosition(
                limit: sink.limit(in: file), oldest: oldest)
        }
        self.positions = positions
    }
}

extension JournalSink {
    /// How far it may lag in a file of this kind.
    fileprivate func limit(in file: any JournalFile) -> BufferLimit {
        var limit = buffer
        if file.isVolatile { limit.bytes = min(limit.bytes, MemoryJournalFile.byteLimit) }
        return limit
    }
}
