import Glibc
import SQLite

/// Looks whether a store's file is damaged, without writing to it.
package struct StoreCheck: Sendable {
    /// Files up to this size are read as a whole.
    ///
    /// Measured: 420 MiB in a second on a server's core, from memory. A card takes as long as it takes to
    /// read so much.
    package static let thoroughBytes: Int64 = 128 << 20

    private let path: String
    private let thoroughBytes: Int64

    /// Makes a check of the file at a path.
    package init(path: String, thoroughBytes: Int64 = StoreCheck.thoroughBytes) {
        self.path = path
        self.thoroughBytes = thoroughBytes
    }

    /// Throws `SQLiteError` when the file is damaged, or is no store; a missing one is no error.
    ///
    /// It blocks. A large file is only looked at where it is written: header, schema, size, and both
    /// ends of the tables of records and of their indexes.
    package func run() throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return }
        guard let connection = try open() else { return }
        if Int64(status.st_size) <= thoroughBytes {
            try checkEverything(connection)
        } else {
            try checkEnds(connection)
        }
    }

    /// Opens the file, which reads header and schema and compares the size.
    ///
    /// - Returns: Nil when nothing was ever stored, or when the program was killed while it made the
    ///   file: who opens it to write takes that back.
    private func open() throws -> SQLiteConnection? {
        do {
            return try HealthStore.reader(path, access: .readOnly)
        } catch HealthStoreError.noStore {
            return nil
        } catch let error as SQLiteError where error.isOfUnfinishedWrite {
            return nil
        }
    }

    private func checkEverything(_ connection: SQLiteConnection) throws {
        let finding = try connection.pragma("quick_check(1)") ?? "no answer"
        guard finding == "ok" else { throw damage(finding) }
    }

    private func checkEnds(_ connection: SQLiteConnection) throws {
        let version = try connection.userVersion
        let hasCorrelations = version >= Schema.correlationVersion
        let hasWorkouts = version >= Schema.workoutVersion
        let further =
            (hasCorrelations ? ["category", "correlation"] : [])
            + (hasWorkouts ? ["workout"] : [])
        for table in ["sample", "event"] + further {
            for end in ["min", "max"] {
                try readAll(
                    """
                    SELECT * FROM \(table)
                    WHERE sequence = (SELECT \(end)(sequence) FROM \(table))
                    """, connection)
                try readAll("SELECT \(end)(id) FROM \(table)", connection)
            }
        }
        if hasWorkouts { try readAll("SELECT * FROM session", connection) }
        for end in ["min", "max"] {
            try readAll("SELECT \(end)(at_ns) FROM event", connection)
            if hasWorkouts { try readAll("SELECT \(end)(end_ns) FROM workout", connection) }
            for table in further {
                try readAll("SELECT \(end)(start_ns) FROM \(table)", connection)
            }
            if hasCorrelations {
                try readAll("SELECT \(end)(correlation) FROM member", connection)
            }
            try readAll(
                "SELECT (SELECT \(end)(start_ns) FROM sample WHERE type = type.id) FROM type",
                connection)
        }
    }

    /// Reads the columns too, which may lie on pages of their own.
    private func readAll(_ sql: String, _ connection: SQLiteConnection) throws {
        let statement = try connection.prepare(sql)
        while try statement.step() {}
    }

    private func damage(_ finding: String) -> SQLiteError {
        // It tells of pages and names of tables, never of what is in them.
        let words = finding.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return SQLiteError(
            reason: .corrupt, operation: "quick_check", message: String(words.prefix(200)),
            path: path)
    }
}
