import Glibc
import SQLite

/// Finds damage of a store that is open: SQLite reads a page again only when it has no copy of it.
struct StoreWatch {
    private let path: String
    /// The size of the file at the last look, in bytes.
    private var size: Int64 = 0
    /// The row after which the next ones are read.
    private var position = Int64.min
    /// The rows of samples that were saved and not verified; nil before the first verification.
    private var unverified: RowRanges?
    /// The last verified row of each table.
    private var verified: [String: Int64] = [:]
    /// The last row of each table that was found at opening, or was saved since.
    private(set) var saved = StoreRows()

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
            do {
                // The check takes an empty file for a new store.
                if found == 0 { throw damage("it is empty") }
                try StoreCheck(path: path).run()
            } catch let error as SQLiteError where error.isCorruption {
                let cut = "the file was cut from \(size) to \(found) bytes while in use"
                throw damage("\(cut): \(error.message)")
            }
        }
        size = found
    }

    private func damage(_ message: String) -> SQLiteError {
        SQLiteError(reason: .corrupt, operation: "check", message: message, path: path)
    }

    /// Reads the next samples from the file, all of their columns; after the last one the first.
    ///
    /// A connection of its own has no copies of pages, and leaves the log to the other one.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt.
    mutating func readNext(_ count: Int64) throws {
        let reader = try SQLiteStore.reader(path, access: .readOnly)
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
        position = found < count ? .min : last
    }
}

/// The highest number that a row of each table of a store ever had.
package struct StoreRows: Sendable {
    /// The random number of the store; nil when none was opened.
    fileprivate var store: UInt64?
    fileprivate var last: [String: Int64] = [:]

    /// No rows of no store.
    package init() {}

    /// Whether no table ever had a row.
    package var isEmpty: Bool { last.isEmpty }
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
        ("event", "sequence"), ("category", "sequence"),
        ("correlation", "sequence"), ("member", "correlation"), ("workout", "sequence"),
    ]

    /// Notes the last rows after a transaction.
    mutating func noteRows(of connection: SQLiteConnection) throws {
        if saved.store == nil { saved.store = try connection.storeIdentity() }
        saved.last.merge(try Self.lastRows(connection)) { max($0, $1) }
    }

    /// Notes the rows of samples of a transaction.
    mutating func note(samples rows: RowRanges) {
        guard unverified != nil else { return }
        for range in rows.ranges { unverified?.insert(range) }
    }

    /// Reads the newest rows from the file, which must have everything.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt, or an earlier state of it.
    mutating func readNewRows() throws {
        try StoreCheck(path: path, fullCheckBytes: Self.fullCheckBytes).run()
        let reader = try SQLiteStore.reader(path, access: .readOnly)
        try reader.pragma("cell_size_check", to: "ON")
        let last = try Self.lastRows(reader)
        if let (table, _) = saved.last.first(where: { last[$0.key] ?? 0 < $0.value }) {
            throw damage("the file lacks rows of \(table) that were stored")
        }
        try readSamples(reader)
        unverified = RowRanges()
        for (table, column) in Self.tables {
            let end = last[table == "member" ? "correlation" : table] ?? 0
            let start = max(verified[table] ?? 0, end - Self.newRowsLimit)
            let rows = try reader.prepare("SELECT * FROM \(table) WHERE \(column) > ?1")
            try rows.bind(integer: start, at: 1)
            while try rows.step() {}
            verified[table] = end
        }
    }

    /// Reads the samples that were saved, at first the newest ones.
    private func readSamples(_ reader: SQLiteConnection) throws {
        guard let unverified else {
            return try read("ORDER BY sequence DESC", [], reader)
        }
        for range in unverified.ranges {
            try read(
                "WHERE sequence BETWEEN ? AND ?", [range.lowerBound, range.upperBound], reader)
        }
    }

    private func read(
        _ selection: String, _ parameters: [Int64], _ reader: SQLiteConnection
    ) throws {
        let rows = try reader.prepare("SELECT * FROM sample \(selection) LIMIT ?")
        for (index, value) in zip(Int32(1)..., parameters + [Self.newRowsLimit]) {
            try rows.bind(integer: value, at: index)
        }
        while try rows.step() {}
    }

    /// Returns how many records of an earlier file are missing, at most, by the last rows of its tables:
    /// all of them when that was another store.
    ///
    /// A number of a row is also used up by a record that is skipped.
    func missing(since earlier: StoreRows) -> Int64 {
        let found = earlier.store == saved.store ? saved.last : [:]
        return (["sample"] + Self.tables.map(\.0)).reduce(0) { sum, table in
            sum + max((earlier.last[table] ?? 0) - (found[table] ?? 0), 0)
        }
    }

    /// The highest number that a row of each table ever had.
    private static func lastRows(_ connection: SQLiteConnection) throws -> [String: Int64] {
        let statement = try connection.prepare(
            """
            SELECT name, seq FROM sqlite_sequence
            UNION ALL SELECT 'sample', stored FROM tally WHERE stored > 0
            """)
        var last: [String: Int64] = [:]
        while try statement.step() {
            if let name = statement.text(at: 0) { last[name] = statement.integer(at: 1) }
        }
        return last
    }
}

extension SQLiteStore {
    /// The last row of each table.
    package var lastRows: StoreRows { watch.saved }

    /// Returns how many records are missing that a file with these last rows had, at most.
    package func missing(since earlier: StoreRows) -> Int64 { watch.missing(since: earlier) }

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
        try watch.readNewRows()
        return true
    }
}
