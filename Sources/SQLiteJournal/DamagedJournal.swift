import GatewayCore
import SQLite

/// Reads what can be read of a damaged journal; it never throws because of the damage.
struct DamagedJournal {
    /// So many times a reader stumbles before it gives up.
    private static let stumbleLimit = 10_000
    /// No batch has more records.
    private static let maximumBatch: Int64 = 1 << 20

    private let connection: SQLiteConnection?

    /// Opens the file, or, when its header is damaged, a copy that gets a new one.
    ///
    /// The copy is made at `copyPath`, with its log beside, for the caller to remove.
    init(path: String, copyPath: String) {
        let isSound = JournalHeader.isSound(path)
        if isSound, let connection = Self.open(path), Self.hasBatches(connection) {
            self.connection = connection
            return
        }
        for pageSize in JournalHeader.pageSizes {
            guard JournalHeader.copy(path, to: copyPath, pageSize: pageSize),
                let connection = Self.open(copyPath), Self.hasBatches(connection)
            else { continue }
            self.connection = connection
            return
        }
        connection = Self.open(path)
    }

    private static func open(_ path: String) -> SQLiteConnection? {
        let connection = try? SQLiteConnection(path: path, access: .readWrite)
        // Both only concern how it is read; without them it is read all the same.
        _ = try? connection?.pragma("locking_mode", to: "EXCLUSIVE")
        _ = try? connection?.pragma("wal_autocheckpoint", to: "0")
        return connection
    }

    /// Whether the table can be found, whatever is in it.
    private static func hasBatches(_ connection: SQLiteConnection) -> Bool {
        (try? connection.prepare("SELECT first, count, lines FROM batch")) != nil
    }

    /// The ledger, when all of it makes sense.
    func ledger() -> Ledger? {
        guard let ingest, let sinks else { return nil }
        let ledger = Ledger(ingest: ingest, sinks: sinks)
        return ledger.isPlausible && !sinks.isEmpty ? ledger : nil
    }

    private var ingest: Ledger.Ingest? {
        guard let connection else { return nil }
        return try? JournalDatabase.ingest(connection)
    }

    private var sinks: [String: Ledger.Sink]? {
        guard let connection else { return nil }
        return try? JournalDatabase.sinks(connection)
    }

    /// A ledger that closes, of the parts that make sense; a sink whose cursor does not begins at the
    /// oldest batch there is, for ids keep what comes again from being stored twice.
    func remains(published end: Int64, oldest: Int64) -> Ledger {
        var ledger = Ledger()
        if let ingest, ingest.isPlausible, ingest.published >= end {
            ledger.ingest = ingest
        } else {
            ledger.ingest.published = end
            ledger.ingest.converted = end
        }
        for (name, sink) in sinks ?? [:] where !name.isEmpty {
            let isSound = sink.isPlausible(published: ledger.ingest.published)
            ledger.sinks[name] = isSound ? sink : Ledger.Sink(start: oldest, cursor: oldest)
        }
        return ledger
    }

    /// Hands out every sound batch with a record after a cursor.
    ///
    /// It goes from the front as far as it can, and past what is damaged from both sides; some batches may
    /// come twice.
    func forEachBatch(
        after cursor: Int64, published: Int64?, _ body: (JournalRow) throws -> Void
    ) throws {
        let wanted = { (batch: JournalRow) in if batch.end > cursor { try body(batch) } }
        // The batch that the cursor is in may begin before it.
        let start = max(cursor - Self.maximumBatch, 0)
        if try walk(from: start, isForward: true, wanted) { return }
        _ = try walk(
            from: published ?? JournalDatabase.numberLimit, isForward: false, wanted)
    }

    /// Reads in one direction; whether nothing was in the way.
    private func walk(
        from start: Int64, isForward: Bool, _ body: (JournalRow) throws -> Void
    ) throws -> Bool {
        var key = start
        var step: Int64 = 1
        for stumbles in 0..<Self.stumbleLimit {
            guard let reader = reader(isForward: isForward) else { return false }
            var last: Int64?
            let isAtEnd = try read(reader, from: key) { batch in
                last = batch.place.first
                try body(batch)
            }
            if isAtEnd { return stumbles == 0 }
            // Where it stumbled once it would do so again: on beyond that, by ever larger steps.
            if let last { (key, step) = (last, 1) }
            key += isForward ? step : -step
            step *= 2
            guard (0...JournalDatabase.numberLimit).contains(key) else { return false }
        }
        return false
    }

    /// Reads from a key on; whether it came to the end.
    private func read(
        _ statement: SQLiteStatement, from key: Int64, _ body: (JournalRow) throws -> Void
    ) throws -> Bool {
        defer { statement.reset() }
        do { try statement.bind(integer: key, at: 1) } catch { return true }
        while true {
            do { guard try statement.step() else { return true } } catch { return false }
            if let batch = JournalRow(statement) { try body(batch) }
        }
    }

    /// The batches of this version of the journal, or of the one before.
    private func reader(isForward: Bool) -> SQLiteStatement? {
        let limit = JournalDatabase.batchBytes
        let rest = """
            CASE WHEN length(lines) <= \(limit) THEN lines END FROM batch
            WHERE first \(isForward ? ">=" : "<=") ?1 ORDER BY first \(isForward ? "ASC" : "DESC")
            """
        return (try? connection?.prepare("SELECT first, count, position, time, checksum, \(rest)"))
            ?? (try? connection?.prepare("SELECT first, count, 0, 0, NULL, \(rest)"))
    }
}
