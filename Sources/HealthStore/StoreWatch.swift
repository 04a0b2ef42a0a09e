import Glibc
import SQLite

/// Finds damage of a store that is open: SQLite reads a page again only when it has no copy of it.
struct StoreWatch {
    private let path: String
    /// The size of the file at the last look, in bytes.
    private var size: Int64 = 0
    /// The row after which the next ones are read.
    private var position: Int64 = 0
    /// The last verified row of each table.
    private var verified: [String: Int64] = [:]

    /// Watches the file at a path.
    init(path: String) { self.path = path }

    /// Checks that the file was not cut.
    ///
    /// A file shrinks when another program vacuums it; then it is whole.
    ///
    /// - Throws: `SQLiteError` with the reason `corrupt`.
    mutating func checkSize() throws {
        var status = stat()
        // What is not there was moved, which is found elsewhere.
        guard stat(path, &status) == 0 else { return }
        let found = Int64(status.st_size)
        if found < size {
            do { try StoreCheck(path: path).run() } catch let error as SQLiteError
                where error.isCorruption
            {
                throw SQLiteError(
                    reason: .corrupt, operation: "check",
                    message: "the file was cut from \(size) to \(found) bytes while in use: "
                        + error.message,
                    path: path)
            }
        }
        size = found
    }

    /// Reads the next samples from the file, all of their columns; after the last one the first.
    ///
    /// A connection of its own has no copies of pages, and leaves the log to the other one.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt.
    mutating func readNext(_ count: Int64) throws {
        let reader = try HealthStore.reader(path, access: .readOnly)
        try reader.pragma("cell_size_check", to: "ON")
        let rows = try reader.prepare("SELECT * FROM sample WHERE sequence > ?1 LIMIT ?2")
        try rows.bind(integer: position, at: 1)
        try rows.bind(integer: count, at: 2)
        var found: Int64 = 0
        var last = position
        while try rows.step() {
            found += 1
            last = rows.integer(at: 0)
        }
        position = found < count ? 0 : last
    }
}

/// Reading new rows again.
extension StoreWatch {
    /// The maximum number of rows of a table that are read at once: the newest.
    private static let newRowsLimit: Int64 = 100_000
    /// The maximum size of a file that is checked completely.
    ///
    /// Measured: 4 MiB take 10 ms on a server core.
    private static let fullCheckBytes: Int64 = 4 << 20
    /// The tables of records, with the ascending column that says which rows are new.
    private static let tables = [
        ("sample", "sequence"), ("event", "sequence"), ("category", "sequence"),
        ("correlation", "sequence"), ("member", "correlation"), ("workout", "sequence"),
    ]

    /// Rows of a table by their number and the last one.
    private struct Rows: Equatable {
        var count: Int64
        var last: Int64
    }

    /// Reads new rows from the file, which must have all that `connection` has.
    ///
    /// - Returns: Whether they were there; false while another program writes.
    /// - Throws: `SQLiteError` when the file is corrupt.
    mutating func readNewRows(of connection: SQLiteConnection) throws -> Bool {
        try StoreCheck(path: path, fullCheckBytes: Self.fullCheckBytes).run()
        let reader = try HealthStore.reader(path, access: .readOnly)
        try reader.pragma("cell_size_check", to: "ON")
        for (table, key) in Self.tables {
            let last = try Self.rows(of: table, key, after: .max, connection).last
            let start = max(verified[table] ?? 0, last - Self.newRowsLimit)
            let wanted = try Self.rows(of: table, key, after: start, connection)
            let found = try Self.read(table, key, after: start, upTo: wanted.last, reader)
            guard found == wanted else {
                guard try Self.rows(of: table, key, after: start, connection) == wanted else {
                    return false
                }
                throw SQLiteError(
                    reason: .corrupt, operation: "check",
                    message: "the file lacks rows of \(table) that were stored", path: path)
            }
            verified[table] = wanted.last
        }
        return true
    }

    /// Counts rows; the last one of the table when there are none.
    private static func rows(
        of table: String, _ key: String, after start: Int64, _ connection: SQLiteConnection
    ) throws -> Rows {
        let statement = try connection.prepare(
            """
            SELECT (SELECT count(*) FROM \(table) WHERE \(key) > ?1),
                coalesce((SELECT max(\(key)) FROM \(table)), 0)
            """)
        try statement.bind(integer: start, at: 1)
        guard try statement.step() else { return Rows(count: 0, last: 0) }
        return Rows(count: statement.integer(at: 0), last: statement.integer(at: 1))
    }

    /// Reads all columns of rows.
    private static func read(
        _ table: String, _ key: String, after start: Int64, upTo end: Int64,
        _ reader: SQLiteConnection
    ) throws -> Rows {
        let statement = try reader.prepare(
            """
            SELECT \(key), * FROM \(table) WHERE \(key) > ?1 AND \(key) <= ?2 ORDER BY \(key)
            """)
        try statement.bind(integer: start, at: 1)
        try statement.bind(integer: end, at: 2)
        var rows = Rows(count: 0, last: end)
        while try statement.step() { rows.count += 1 }
        return rows
    }
}

extension HealthStore {
    /// Checks that the file was not cut while it is open.
    ///
    /// - Throws: `SQLiteError` with the reason `corrupt` when it was.
    package func checkSize() throws { try watch.checkSize() }

    /// Reads a number of samples again from the file, to find damage: with every call the next ones.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt.
    package func readAgain(samples count: Int64) throws { try watch.readNext(count) }

    /// Reads what was saved since the last call from the file, after all of it is there and on the
    /// disk.
    ///
    /// - Returns: Whether it was there; false while another connection prevents that.
    /// - Throws: `SQLiteError` when the file is corrupt.
    package func verifyNewRows() throws -> Bool {
        guard try checkpointLog("FULL") else { return false }
        return try watch.readNewRows(of: connection)
    }
}
