import Glibc
import SQLite

/// Checks the integrity of a store's file without writing to it.
package struct StoreCheck: Sendable {
    /// The maximum size of a file that is checked completely.
    ///
    /// Measured: 420 MiB per second on a server core, from the page cache. On an SD card the check
    /// takes as long as reading the file.
    package static let fullCheckBytes: Int64 = 128 << 20

    let path: String
    private let fullCheckBytes: Int64

    /// Makes a check for the file at a path.
    package init(path: String, fullCheckBytes: Int64 = StoreCheck.fullCheckBytes) {
        self.path = path
        self.fullCheckBytes = fullCheckBytes
    }

    /// Throws `SQLiteError` when the file is corrupt or not a store; a missing file is not an
    /// error.
    ///
    /// The call blocks. In a large file only the parts that change are checked: header, schema,
    /// size, and both ends of the record tables and their indexes.
    package func run() throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // What is no file is refused when it is opened.
        guard status.st_size > 0 || status.st_mode & S_IFMT != S_IFREG else { return }
        guard let connection = try open() else { return }
        if Int64(status.st_size) <= fullCheckBytes {
            try checkEverything(connection)
        } else {
            try checkEnds(connection)
        }
    }

    /// Opens the file, which checks header, schema and size.
    ///
    /// - Returns: Nil when the file has no tables, or when an interrupted write must be recovered
    ///   by opening it for writing.
    private func open() throws -> SQLiteConnection? {
        do {
            return try SQLiteStore.reader(path, access: .readOnly)
        } catch SQLiteStoreError.noStore {
            return nil
        } catch let error as SQLiteError where error.needsRecovery {
            return nil
        }
    }

    private func checkEverything(_ connection: SQLiteConnection) throws {
        let finding = try connection.pragma("quick_check(1)") ?? "no result"
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
                if table != "sample" || version < SampleConversion.version {
                    try readAll("SELECT \(end)(id) FROM \(table)", connection)
                }
            }
        }
        if hasWorkouts { try readAll("SELECT * FROM session", connection) }
        if version >= SampleConversion.version {
            for table in ["origin", "tally"] { try readAll("SELECT * FROM \(table)", connection) }
        }
        if version >= Schema.deletionVersion {
            for end in ["min", "max"] {
                try readAll(
                    "SELECT * FROM deletion WHERE id = (SELECT \(end)(id) FROM deletion)",
                    connection)
            }
        }
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

    /// Steps through all rows with all columns, which may be on overflow pages.
    private func readAll(_ sql: String, _ connection: SQLiteConnection) throws {
        let statement = try connection.prepare(sql)
        while try statement.step() {}
    }

    private func damage(_ finding: String) -> SQLiteError {
        // The finding names pages and tables, never stored values.
        let words = finding.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return SQLiteError(
            reason: .corrupt, operation: "quick_check", message: String(words.prefix(200)),
            path: path)
    }
}
