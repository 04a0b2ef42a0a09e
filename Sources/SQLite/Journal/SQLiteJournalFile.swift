package import GatewayCore

/// The journal's file on SQLite: a row for each committed batch, the cursors, and the ledger.
///
/// A batch is kept as the JSON lines that are spoken everywhere else. Its key is the number of records
/// published before it, so that a cursor is a number too.
package final class SQLiteJournalFile: JournalFile {
    /// `Plsj` in ASCII: marks the file as a Pulsegate journal.
    static let applicationID: Int32 = 0x506c_736a

    let connection: SQLiteConnection
    /// How long opening waits for somebody who looks into the file.
    private static let busyTimeoutMilliseconds: Int32 = 500

    private let insertBatch: SQLiteStatement
    private let addIntake: SQLiteStatement
    private let selectBatches: SQLiteStatement
    private let advanceSink: SQLiteStatement
    private let prune: SQLiteStatement

    /// Opens the journal at a path, or begins one.
    ///
    /// - Throws: ``SQLiteError`` when the file cannot be used, is not a journal, or is newer than this program.
    package init(path: String, durability: Durability) throws {
        connection = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: Self.busyTimeoutMilliseconds)
        // One gateway owns the file: nobody else can hold up a commit, and no memory is shared.
        try connection.pragma("locking_mode", to: "EXCLUSIVE")
        // The journal is begun before its version is looked up: a file of another program stays as it was.
        try connection.migrate(applicationID: Self.applicationID, steps: Self.schema)
        try connection.pragma("journal_mode", to: "WAL")
        try connection.pragma("synchronous", to: durability == .powerLoss ? "FULL" : "NORMAL")
        insertBatch = try connection.prepare(
            "INSERT INTO batch (first, count, lines) SELECT published, ?1, ?2 FROM intake")
        addIntake = try connection.prepare(
            """
            UPDATE intake SET converted = converted + ?1, implausible = implausible + ?2,
            duplicate = duplicate + ?3, published = published + ?4
            """)
        selectBatches = try connection.prepare(
            "SELECT first, count, lines FROM batch WHERE first >= ?1 ORDER BY first")
        advanceSink = try connection.prepare(
            """
            UPDATE sink SET cursor = ?2, filtered = filtered + ?3, delivered = delivered + ?4,
            refused = refused + ?5, dropped = dropped + ?6, lost = lost + ?7 WHERE name = ?1
            """)
        prune = try connection.prepare(
            "DELETE FROM batch WHERE first < (SELECT min(cursor) FROM sink)")
    }

    package func ledger() throws -> Ledger {
        var ledger = Ledger()
        let intake = try connection.prepare(
            "SELECT converted, implausible, duplicate, published FROM intake")
        try intake.forEachRow { row in
            ledger.intake.converted = row.integer(at: 0)
            ledger.intake.implausible = row.integer(at: 1)
            ledger.intake.duplicate = row.integer(at: 2)
            ledger.intake.published = row.integer(at: 3)
        }
        let sinks = try connection.prepare(
            """
            SELECT name, start, cursor, filtered, delivered, refused, dropped, lost FROM sink
            """)
        try sinks.forEachRow { row in
            var sink = Ledger.Sink(start: row.integer(at: 1), cursor: row.integer(at: 2))
            sink.outcome.filtered = row.integer(at: 3)
            sink.outcome.delivered = row.integer(at: 4)
            sink.outcome.refused = row.integer(at: 5)
            sink.outcome.dropped = row.integer(at: 6)
            sink.outcome.lost = row.integer(at: 7)
            ledger.sinks[row.text(at: 0) ?? ""] = sink
        }
        return ledger
    }

    package func register(sinks: [String]) throws {
        let known = Set(try ledger().sinks.keys)
        try connection.transaction {
            let insert = try connection.prepare(
                "INSERT INTO sink (name, start, cursor) SELECT ?1, published, published FROM intake"
            )
            for name in sinks where !known.contains(name) {
                try insert.bind(text: name, at: 1)
                try insert.run()
            }
            let delete = try connection.prepare("DELETE FROM sink WHERE name = ?1")
            for name in known where !sinks.contains(name) {
                try delete.bind(text: name, at: 1)
                try delete.run()
            }
            try prune.run()
        }
    }

    package func append(_ batch: [UInt8], addition: Ledger.Intake) throws {
        try connection.transaction {
            if addition.published > 0 {
                try insertBatch.bind(integer: addition.published, at: 1)
                try insertBatch.bind(blob: batch, at: 2)
                try insertBatch.run()
            }
            try addIntake.bind(integer: addition.converted, at: 1)
            try addIntake.bind(integer: addition.implausible, at: 2)
            try addIntake.bind(integer: addition.duplicate, at: 3)
            try addIntake.bind(integer: addition.published, at: 4)
            try addIntake.run()
        }
    }

    package func read(after cursor: Int64, limit: Int) throws -> JournalSlice? {
        var lines: [UInt8] = []
        var end = cursor
        defer { selectBatches.reset() }
        try selectBatches.bind(integer: cursor, at: 1)
        while end - cursor < Int64(limit), try selectBatches.step() {
            end = selectBatches.integer(at: 0) + selectBatches.integer(at: 1)
            selectBatches.withBlob(at: 2) { lines += $0 }
        }
        return end > cursor
            ? JournalSlice(start: cursor, end: end, lines: RecordLines(lines)) : nil
    }

    package func advance(
        _ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome
    ) throws {
        try connection.transaction {
            try advanceSink.bind(text: sink, at: 1)
            try advanceSink.bind(integer: cursor, at: 2)
            try advanceSink.bind(integer: outcome.filtered, at: 3)
            try advanceSink.bind(integer: outcome.delivered, at: 4)
            try advanceSink.bind(integer: outcome.refused, at: 5)
            try advanceSink.bind(integer: outcome.dropped, at: 6)
            try advanceSink.bind(integer: outcome.lost, at: 7)
            try advanceSink.run()
            try prune.run()
        }
    }

    private static let schema = [
        """
        CREATE TABLE batch (
            first INTEGER PRIMARY KEY,
            count INTEGER NOT NULL CHECK (count > 0),
            lines BLOB NOT NULL
        );
        CREATE TABLE intake (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            converted INTEGER NOT NULL DEFAULT 0,
            implausible INTEGER NOT NULL DEFAULT 0,
            duplicate INTEGER NOT NULL DEFAULT 0,
            published INTEGER NOT NULL DEFAULT 0
        );
        INSERT INTO intake (only) VALUES (1);
        CREATE TABLE sink (
            name TEXT PRIMARY KEY,
            start INTEGER NOT NULL,
            cursor INTEGER NOT NULL,
            filtered INTEGER NOT NULL DEFAULT 0,
            delivered INTEGER NOT NULL DEFAULT 0,
            refused INTEGER NOT NULL DEFAULT 0,
            dropped INTEGER NOT NULL DEFAULT 0,
            lost INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        """
    ]
}
