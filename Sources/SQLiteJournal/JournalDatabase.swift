import GatewayCore
import HealthModel
import Readings
import SQLite

/// The database of a journal: a row for each committed batch, the cursors, and the ledger.
///
/// A batch is stored as JSON lines. Its key is the number of records published before it, so a
/// cursor is a number too.
final class JournalDatabase {
    /// How long opening waits for another process that reads the file.
    private static let busyTimeoutMilliseconds: Int32 = 500
    /// The size at which the write-ahead log is checkpointed and to which it is truncated.
    private static let logBytes = 16 << 20
    /// Free space up to this size stays in the file for reuse.
    private static let minimumFreeBytes: Int64 = 16 << 20
    /// The number of pages that one incremental vacuum removes.
    private static let vacuumPages = 512
    /// The maximum number in a valid journal: sums of such numbers fit in an Int64.
    static let numberLimit: Int64 = 1 << 58
    /// The maximum size of a batch in bytes.
    static let batchBytes = 16 << 20

    let connection: SQLiteConnection
    private let insertBatch: SQLiteStatement
    private let addIntake: SQLiteStatement
    private let addFault: SQLiteStatement
    let selectBatches: SQLiteStatement
    let selectPlaces: SQLiteStatement
    private let updateSink: SQLiteStatement
    private let prune: SQLiteStatement
    private let selectFree: SQLiteStatement
    private var isReturningSpace = false

    /// Opens the journal at a path, or creates one.
    convenience init(path: String, durability: Durability) throws {
        try self.init(Self.open(path))
        try connection.pragma("journal_mode", to: "WAL")
        try connection.pragma("synchronous", to: durability == .powerLoss ? "FULL" : "NORMAL")
        let pageSize = try connection.pragma("page_size").flatMap { Int($0) } ?? 4_096
        try connection.pragma("wal_autocheckpoint", to: "\(Self.logBytes / max(pageSize, 512))")
        try connection.pragma("journal_size_limit", to: "\(Self.logBytes)")
    }

    /// Creates a journal that is written once and then moved: a single file without a write-ahead
    /// log.
    convenience init(draftAt path: String) throws {
        try self.init(Self.open(path))
    }

    private init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        insertBatch = try connection.prepare("INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        addIntake = try connection.prepare(
            """
            UPDATE intake SET converted = converted + ?1, published = published + ?2,
            unaccepted = unaccepted + ?3
            """)
        addFault = try connection.prepare(
            """
            INSERT INTO fault VALUES (?1, ?2)
            ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count
            """)
        selectBatches = try connection.prepare(
            """
            SELECT first, count, position, time, checksum,
                CASE WHEN length(lines) <= \(Self.batchBytes) THEN lines END
            FROM batch
            WHERE first >= coalesce((SELECT max(first) FROM batch WHERE first <= ?1), ?1)
            ORDER BY first
            """)
        selectPlaces = try connection.prepare(
            """
            SELECT first, position, time, count FROM batch
            WHERE first >= coalesce((SELECT max(first) FROM batch WHERE first <= ?1), ?1)
                AND first + count > ?1 AND position >= ?2 AND (time >= ?3 OR time < ?4)
            ORDER BY first
            """)
        updateSink = try connection.prepare(
            """
            UPDATE sink SET cursor = ?2, filtered = ?3, delivered = ?4, refused = ?5, dropped = ?6,
            lost = ?7 WHERE name = ?1
            """)
        prune = try connection.prepare(
            """
            DELETE FROM batch WHERE first < (SELECT min(cursor) FROM sink)
                AND first + count <= (SELECT min(cursor) FROM sink)
            """)
        selectFree = try connection.prepare(
            """
            SELECT free.freelist_count, all_pages.page_count, size.page_size
            FROM pragma_freelist_count free, pragma_page_count all_pages, pragma_page_size size
            """)
    }

    private static func open(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        // One gateway owns the file: no other process can delay a commit, and no -shm is needed.
        try connection.pragma("locking_mode", to: "EXCLUSIVE")
        // The version is checked first, so that a file of another program is not changed.
        if try version(of: connection) == 0 {
            try connection.pragma("page_size", to: "\(JournalSchema.pageSize)")
            try connection.pragma("auto_vacuum", to: "INCREMENTAL")
        }
        // Delivered records are overwritten with zeros where that needs no additional write.
        try connection.pragma("secure_delete", to: "FAST")
        try connection.migrate(
            applicationID: JournalSchema.applicationID,
            steps: JournalSchema.steps.map(MigrationStep.sql))
        return connection
    }

    /// Reads the schema version; a journal with corrupt header fields is not a foreign file.
    private static func version(of connection: SQLiteConnection) throws -> Int {
        do {
            return try connection.version(
                applicationID: JournalSchema.applicationID, newest: JournalSchema.steps.count)
        } catch {
            let isForeign = error.reason == .foreignFile || error.reason == .newerFile
            guard isForeign, JournalSchema.matches(connection) else { throw error }
            throw SQLiteError(
                reason: .corrupt, operation: "open", message: "the file header is corrupt",
                path: connection.path)
        }
    }

    /// Removes the batches that all sinks have processed, within a transaction.
    func removeDelivered() throws { try prune.run() }

    func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        var removed = 0
        try connection.transaction {
            // Removing batches first frees space for the new one.
            removed = try update(sinks)
            if !batch.isEmpty { try insert(batch, at: place) }
            try add(addition)
        }
        if removed > 0 { returnFreeSpace() }
    }

    /// Adds to the ingest counters.
    private func add(_ addition: Ledger.Ingest) throws {
        try addIntake.bind(integer: addition.converted, at: 1)
        try addIntake.bind(integer: addition.published, at: 2)
        try addIntake.bind(integer: addition.unaccepted, at: 3)
        try addIntake.run()
        for (fault, count) in addition.faults {
            try addFault.bind(text: fault.rawValue, at: 1)
            try addFault.bind(integer: count, at: 2)
            try addFault.run()
        }
    }

    /// Inserts a batch.
    func insert(_ batch: RecordLines, at place: JournalPlace) throws {
        try batch.bytes.withUnsafeBytes { bytes in
            let count = Int64(batch.count)
            try insertBatch.bind(integer: place.first, at: 1)
            try insertBatch.bind(integer: count, at: 2)
            try insertBatch.bind(integer: place.position, at: 3)
            try insertBatch.bind(integer: place.time.nanosecondsSince1970, at: 4)
            try insertBatch.bind(
                integer: BatchChecksum.checksum(bytes, count: count, at: place), at: 5)
            try insertBatch.run(lending: bytes, at: 6)
        }
    }

    /// Saves the cursors and counters of sinks.
    func save(_ sinks: [String: Ledger.Sink]) throws {
        var removed = 0
        try connection.transaction { removed = try update(sinks) }
        if removed > 0 { returnFreeSpace() }
    }

    /// Updates sinks and removes the batches that all have processed, within a transaction.
    ///
    /// - Returns: How many batches were removed.
    private func update(_ sinks: [String: Ledger.Sink]) throws -> Int {
        guard !sinks.isEmpty else { return 0 }
        for (name, sink) in sinks {
            try updateSink.bind(text: name, at: 1)
            try updateSink.bind(integer: sink.cursor, at: 2)
            try updateSink.bind(integer: sink.outcome.filtered, at: 3)
            try updateSink.bind(integer: sink.outcome.delivered, at: 4)
            try updateSink.bind(integer: sink.outcome.rejected, at: 5)
            try updateSink.bind(integer: sink.outcome.dropped, at: 6)
            try updateSink.bind(integer: sink.outcome.lost, at: 7)
            try updateSink.run()
            // Without this check the cursor would seem saved; the error makes the caller repair it.
            guard connection.changes == 1 else { throw missingRow }
        }
        try prune.run()
        return connection.changes
    }

    private var missingRow: SQLiteError {
        SQLiteError(
            reason: .corrupt, operation: "save", message: "the row of a sink is missing",
            path: connection.path)
    }

    /// Returns free pages and the write-ahead log to a full file system.
    ///
    /// Without cache spilling the vacuum itself needs no additional space.
    func reclaimSpace() throws {
        try connection.pragma("cache_spill", to: "OFF")
        defer { _ = try? connection.pragma("cache_spill", to: "ON") }
        var free = try freePages().free
        while free > 0 {
            try connection.execute("PRAGMA incremental_vacuum(\(Self.vacuumPages))")
            let rest = try freePages().free
            guard rest < free else { break }
            free = rest
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func freePages() throws -> (free: Int64, all: Int64, size: Int64) {
        defer { selectFree.reset() }
        guard try selectFree.step() else { return (0, 0, 0) }
        return (
            selectFree.integer(at: 0), selectFree.integer(at: 1), selectFree.integer(at: 2)
        )
    }

    /// Shrinks the file after a backlog, a part at a time.
    private func returnFreeSpace() {
        do {
            if try isMostlyFree() {
                isReturningSpace = true
                try connection.execute("PRAGMA incremental_vacuum(\(Self.vacuumPages))")
            } else if isReturningSpace {
                isReturningSpace = false
                // Only a checkpoint shortens the file itself.
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch {
            // Retried with the next removed batch; a full disk is reported there.
        }
    }

    /// Whether free pages dominate the file; fewer are reused by the next batches.
    private func isMostlyFree() throws -> Bool {
        let (free, all, size) = try freePages()
        return free > all / 4 * 3 && free * size > Self.minimumFreeBytes
    }
}
