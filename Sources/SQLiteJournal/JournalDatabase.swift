import GatewayCore
import HealthModel
import SQLite

/// The tables of a journal and the statements on them: a row for each committed batch, the cursors, and
/// the ledger.
///
/// A batch is kept as the JSON lines that are spoken everywhere else. Its key is the number of records
/// published before it, so that a cursor is a number too.
final class JournalDatabase {
    /// How long opening waits for somebody who looks into the file.
    private static let busyTimeoutMilliseconds: Int32 = 500
    /// The log is written back into the file when it has so many bytes, and is cut to that.
    private static let logBytes = 16 << 20
    /// So much free room in the file is soon used again, and not worth giving back.
    private static let freeBytes: Int64 = 16 << 20
    /// So many pages are given back at once.
    private static let vacuumPages = 512
    /// No number in a sound journal is larger: sums of them stay within an Int64.
    static let numberLimit: Int64 = 1 << 58
    /// No batch is larger, in bytes.
    static let batchBytes = 16 << 20

    let connection: SQLiteConnection
    private let insertBatch: SQLiteStatement
    private let addIntake: SQLiteStatement
    let selectBatches: SQLiteStatement
    let selectPlaces: SQLiteStatement
    private let updateSink: SQLiteStatement
    private let prune: SQLiteStatement
    private let selectFree: SQLiteStatement
    private var isGivingBack = false

    /// Opens the journal at a path, or begins one.
    convenience init(path: String, durability: Durability) throws {
        try self.init(Self.open(path))
        try connection.pragma("journal_mode", to: "WAL")
        try connection.pragma("synchronous", to: durability == .powerLoss ? "FULL" : "NORMAL")
        let pageSize = try connection.pragma("page_size").flatMap { Int($0) } ?? 4_096
        try connection.pragma("wal_autocheckpoint", to: "\(Self.logBytes / max(pageSize, 512))")
        try connection.pragma("journal_size_limit", to: "\(Self.logBytes)")
    }

    /// Begins a journal that is written once and then moved: all of it is in one file.
    convenience init(draftAt path: String) throws {
        try self.init(Self.open(path))
    }

    private init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        insertBatch = try connection.prepare("INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        addIntake = try connection.prepare(
            """
            UPDATE intake SET converted = converted + ?1, implausible = implausible + ?2,
            duplicate = duplicate + ?3, published = published + ?4, unaccepted = unaccepted + ?5
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
        // One gateway owns the file: nobody else can hold up a commit, and no memory is shared.
        try connection.pragma("locking_mode", to: "EXCLUSIVE")
        // The version is looked up before anything is changed: a file of another program stays as it was.
        if try version(of: connection) == 0 {
            try connection.pragma("page_size", to: "\(JournalSchema.pageSize)")
            try connection.pragma("auto_vacuum", to: "INCREMENTAL")
        }
        // What was delivered is overwritten where that costs no write of its own.
        try connection.pragma("secure_delete", to: "FAST")
        try connection.migrate(
            applicationID: JournalSchema.applicationID, steps: JournalSchema.steps)
        return connection
    }

    /// A journal whose marks in the header were damaged is no foreign file.
    private static func version(of connection: SQLiteConnection) throws -> Int {
        do {
            return try connection.version(
                applicationID: JournalSchema.applicationID, newest: JournalSchema.steps.count)
        } catch {
            let isForeign = error.reason == .foreignFile || error.reason == .newerFile
            guard isForeign, JournalSchema.isShape(of: connection) else { throw error }
            throw SQLiteError(
                reason: .corrupt, operation: "open", message: "the marks in its header are damaged",
                path: connection.path)
        }
    }

    /// Removes what all sinks have dealt with, within a transaction.
    func removeDelivered() throws { try prune.run() }

    func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        var removed = 0
        try connection.transaction {
            // What is removed first makes room for what comes.
            removed = try update(sinks)
            if !batch.isEmpty { try insert(batch, at: place) }
            try addIntake.bind(integer: addition.converted, at: 1)
            try addIntake.bind(integer: addition.implausible, at: 2)
            try addIntake.bind(integer: addition.duplicate, at: 3)
            try addIntake.bind(integer: addition.published, at: 4)
            try addIntake.bind(integer: addition.unaccepted, at: 5)
            try addIntake.run()
        }
        if removed > 0 { giveBackRoom() }
    }

    /// Writes the row of a batch.
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

    /// Saves how far sinks have come.
    func save(_ sinks: [String: Ledger.Sink]) throws {
        var removed = 0
        try connection.transaction { removed = try update(sinks) }
        if removed > 0 { giveBackRoom() }
    }

    /// Writes the accounts of sinks and removes what all have dealt with, within a transaction.
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
            // Else it would seem to be saved; whoever is told so writes the whole account anew.
            guard connection.changes == 1 else { throw noRow }
        }
        try prune.run()
        return connection.changes
    }

    private var noRow: SQLiteError {
        SQLiteError(
            reason: .corrupt, operation: "save", message: "a sink has no row in it",
            path: connection.path)
    }

    /// Gives back to a full disk what can be given back: free pages, and the log.
    ///
    /// Pages that are given back are never written, unless they are pushed out of the cache before.
    func makeRoom() throws {
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

    /// After a backlog the file becomes small again, a piece at a time.
    private func giveBackRoom() {
        do {
            if try isMostlyFree() {
                isGivingBack = true
                try connection.execute("PRAGMA incremental_vacuum(\(Self.vacuumPages))")
            } else if isGivingBack {
                isGivingBack = false
                // The file itself gets shorter when the log is written back.
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch {
            // It is tried again with the next batch that is removed; a disk that is full says so there.
        }
    }

    /// What is free between batches that wait is used by the next ones.
    private func isMostlyFree() throws -> Bool {
        let (free, all, size) = try freePages()
        return free > all / 4 * 3 && free * size > Self.freeBytes
    }
}
