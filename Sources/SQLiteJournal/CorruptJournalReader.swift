import GatewayCore
import SQLite

/// Reads the intact parts of a corrupt journal; corruption never makes it throw.
struct CorruptJournalReader {
    /// The maximum number of read errors before a scan is abandoned.
    private static let errorLimit = 10_000
    /// The maximum number of records of a batch.
    private static let maximumBatch: Int64 = 1 << 20

    private let connection: SQLiteConnection?

    /// Opens the file, or a copy with a rebuilt header when the header is corrupt.
    ///
    /// The caller removes the copy at `copyPath` and its -wal and -shm files.
    init(path: String, copyPath: String) {
        let isValid = JournalHeader.isValid(path)
        if isValid, let connection = Self.open(path), Self.hasBatchTable(connection) {
            self.connection = connection
            return
        }
        for pageSize in JournalHeader.pageSizes {
            guard JournalHeader.copy(path, to: copyPath, pageSize: pageSize),
                let connection = Self.open(copyPath), Self.hasBatchTable(connection)
            else { continue }
            self.connection = connection
            return
        }
        connection = Self.open(path)
    }

    private static func open(_ path: String) -> SQLiteConnection? {
        let connection = try? SQLiteConnection(path: path, access: .readWrite)
        // Both are optimizations for reading; the file can be read without them.
        _ = try? connection?.pragma("locking_mode", to: "EXCLUSIVE")
        _ = try? connection?.pragma("wal_autocheckpoint", to: "0")
        return connection
    }

    /// Whether the table `batch` exists.
    private static func hasBatchTable(_ connection: SQLiteConnection) -> Bool {
        (try? connection.prepare("SELECT first, count, lines FROM batch")) != nil
    }

    /// The ledger; nil when any part of it is implausible.
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

    /// Makes a balanced ledger of the plausible parts.
    ///
    /// A sink with an implausible cursor starts at the oldest batch: record ids prevent that a
    /// repeated record is stored twice.
    func partialLedger(published end: Int64, oldest: Int64) -> Ledger {
        var ledger = Ledger()
        if let ingest, ingest.isPlausible, ingest.published >= end {
            ledger.ingest = ingest
        } else {
            ledger.ingest.published = end
            ledger.ingest.converted = end
        }
        for (name, sink) in sinks ?? [:] where !name.isEmpty {
            let isValid = sink.isPlausible(published: ledger.ingest.published)
            ledger.sinks[name] = isValid ? sink : Ledger.Sink(start: oldest, cursor: oldest)
        }
        return ledger
    }

    /// Calls the body with every intact batch that has a record after a cursor.
    ///
    /// It scans forward and, after an error, backward from the end too; some batches may be
    /// repeated.
    func forEachBatch(
        after cursor: Int64, published: Int64?, _ body: (JournalRow) throws -> Void
    ) throws {
        let wanted = { (batch: JournalRow) in if batch.end > cursor { try body(batch) } }
        // The batch that contains the cursor may start before it.
        let start = max(cursor - Self.maximumBatch, 0)
        if try scan(from: start, isForward: true, wanted) { return }
        _ = try scan(
            from: published ?? JournalDatabase.numberLimit, isForward: false, wanted)
    }

    /// Scans in one direction; true when there was no error.
    private func scan(
        from start: Int64, isForward: Bool, _ body: (JournalRow) throws -> Void
    ) throws -> Bool {
        var key = start
        var step: Int64 = 1
        for errorCount in 0..<Self.errorLimit {
            guard let reader = reader(isForward: isForward) else { return false }
            var last: Int64?
            let isAtEnd = try read(reader, from: key) { batch in
                last = batch.place.first
                try body(batch)
            }
            if isAtEnd { return errorCount == 0 }
            // The same position would fail again: skip it, in increasing steps.
            if let last { (key, step) = (last, 1) }
            key += isForward ? step : -step
            step *= 2
            guard (0...JournalDatabase.numberLimit).contains(key) else { return false }
        }
        return false
    }

    /// Reads the batches from a key on; true when the end was reached.
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

    /// Prepares the query for batches in this schema version or the first one.
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
