import Platform
import Synchronization

extension Journal {
    /// Reads records after a sink's cursor; nil if there are none.
    ///
    /// - Parameters:
    ///   - sink: The sink's name.
    ///   - position: The position to read after, if some records were read already.
    ///   - limit: The limit of the read. Whole batches are read, so it may be exceeded.
    public func read(
        for sink: String, after position: Int64? = nil, limit: JournalReadLimit
    ) throws -> JournalSlice? {
        guard let cursor = account.sinks[sink]?.cursor else { return nil }
        let start = max(cursor, position ?? cursor)
        guard start < account.ingest.published else { return nil }
        if let slice = tail.read(after: start, limit: limit) { return slice }
        let slice = try repairing { try file.read(after: start, limit: limit) }
        // Published records that are missing were lost with a corrupt file; records beyond the
        // published ones are ignored.
        let published = account.ingest.published
        return slice?.prefix(to: published)
            ?? JournalSlice(start: start, end: published, lines: RecordLines([]))
    }

    /// Returns the number of a sink's account; it changes when the sink adopts another account or
    /// resets.
    package func accountNumber(of sink: String) -> Int? { positions[sink]?.account }

    /// Returns a sink's cursor.
    public func cursor(of sink: String) -> Int64 { account.sinks[sink]?.cursor ?? 0 }

    /// Waits until a sink's cursor reaches a record; false if the sink is removed, the journal ends
    /// or the task is cancelled before.
    ///
    /// A sink that collects a batch gets it at once.
    package func waitForDelivery(to sink: String, upTo record: Int64) async -> Bool {
        hasten(sink, upTo: record)
        for await _ in deliveries.listen() {
            guard let cursor = account.sinks[sink]?.cursor else { return false }
            if cursor >= record { return true }
        }
        return false
    }

    /// Advances a sink's cursor and adds the outcome of its records to the ledger.
    ///
    /// Records that were dropped while the sink wrote them are corrected. A late call of the
    /// previous runner after a reload, or for another account than the sink's present one, is
    /// ignored.
    ///
    /// The cursor is saved with the next commit, or after ``saveDelaySeconds``: after a crash
    /// before that the sink gets these records again.
    ///
    /// - Parameter isVerifying: Whether the sink verifies later what it has stored.
    public func advance(
        _ sink: String, from start: Int64, to end: Int64, adding outcome: Ledger.Outcome,
        isVerifying: Bool = false, account number: Int? = nil
    ) {
        guard let before = account.sinks[sink]?.cursor, !isFinished else { return }
        guard number == nil || number == accountNumber(of: sink) else { return }
        guard before == start || before == positions[sink]?.droppedTo else { return }
        positions[sink]?.droppedTo = nil
        var outcome = outcome
        outcome.dropped -= max(min(before, end) - start, 0)
        if isVerifying { keep(for: sink) } else { stopKeeping(for: sink) }
        move(sink, to: max(before, end), adding: outcome)
        limitUnverified(of: sink)
        endEpisode(of: sink)
        releaseSources()
    }

    func move(_ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome) {
        account.sinks[sink]?.cursor = cursor
        account.sinks[sink]?.outcome.add(outcome)
        noteMove(of: sink)
    }

    /// Saves a sink's cursor that was moved, and finds its oldest pending record.
    func noteMove(of sink: String) {
        discardDelivered()
        noteUnsaved(sink)
        deliveries.notify()
        guard let cursor = account.sinks[sink]?.cursor else { return }
        do {
            positions[sink]?.oldest = try place(after: cursor)
        } catch {
            // Until the cursor moves again the lag appears larger than it is.
            log.debug("cannot determine lag", ["sink": sink, "reason": "\(error)"])
        }
    }

    /// Saves a sink's account with the next commit, or after ``saveDelaySeconds``.
    func noteUnsaved(_ sink: String) {
        if unsavedSinks.isEmpty { requestSave() }
        unsavedSinks.insert(sink)
        // At the end no commit follows; in memory saving is cheap and frees space.
        if isAtEnd || isVolatile { saveSinksAlone() }
    }

    /// Discards from memory what every sink has.
    func discardDelivered() {
        let first = account.sinks.values.lazy.map(\.cursor).min()
        tail.discard(upTo: first ?? account.ingest.published)
    }

    /// Gives up the records that are kept in memory: sinks decode them from their lines.
    package func forgetRecords() {
        tail.forgetRecords()
        group?.lines.forgetRecords()
        inbox.withLock { $0.waiting.forgetRecords() }
    }

    func place(after cursor: Int64) throws -> JournalPlace? {
        guard cursor < account.ingest.published else { return nil }
        return try tail.place(after: cursor)
            ?? repairing { try file.place(after: cursor, within: JournalBound()) }
    }

    /// Replaces the registered sinks; a sink that stays keeps its cursor.
    package func register(_ sinks: [JournalSink]) throws {
        let isSame =
            Set(sinks.map(\.name)) == Set(account.sinks.keys)
            && sinks.allSatisfy { account.sinks[$0.name]?.previousName == $0.previousName }
        if !isSame { try replace(by: sinks) }
        for sink in sinks { positions[sink.name]?.limit = sink.limit(in: file) }
        let readsRecords = sinks.contains(where: \.readsRecords)
        inbox.withLock { $0.keepsRecords = readsRecords }
        enforceBufferLimits()
        releaseSources()
    }

    private func replace(by sinks: [JournalSink]) throws {
        try saveSinks()
        let before = account
        let start = try repairing { try JournalStart(file, sinks) }
        account = start.ledger
        positions = positions(in: start, after: before.moves(among: sinks))
        deliveries.notify()
        Self.announce(nil, before, sinks, to: log)
    }

    /// Merges the new positions with those of sinks that continue with their own account.
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

    /// Logs corruption, unknown previous names and removed sinks.
    static func announce(
        _ damage: JournalDamage?, _ before: Ledger, _ sinks: [JournalSink], to log: Logger
    ) {
        if let damage { log.error("repaired the corrupt journal", ["details": "\(damage)"]) }
        for sink in sinks where before.sinks[sink.name] == nil && !before.sinks.isEmpty {
            guard let former = sink.previousName, before.sinks[former] == nil else { continue }
            log.warning(
                "previous sink name not found in the journal; starting the sink as new",
                ["sink": sink.name, "previousName": former])
        }
        for name in before.left(by: sinks) where before.pending(for: name) > 0 {
            log.warning(
                "sink removed from the configuration; discarding its pending records",
                ["sink": name, "records": "\(before.pending(for: name))"])
        }
    }
}

/// The state that a journal finds in its file when it is opened.
struct JournalStart {
    let ledger: Ledger
    /// The place of the next batch.
    let end: JournalPlace
    /// The place of the batch with the newest record; nil if there is none.
    let newest: JournalPlace?
    let positions: [String: SinkPosition]

    /// Registers the sinks and finds their oldest records.
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
    /// Returns its buffer limit in a file of this kind.
    fileprivate func limit(in file: any JournalFile) -> BufferLimit {
        var limit = buffer
        if file.isVolatile { limit.bytes = min(limit.bytes, MemoryJournalFile.byteLimit) }
        return limit
    }
}
