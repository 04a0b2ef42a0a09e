import HealthModel
import SQLite

/// A cache of the row ids of values that repeat in many records; new values are inserted.
///
/// The cache is bounded. It must be cleared when a transaction is rolled back, because rows that
/// the transaction inserted no longer exist.
final class RowIdentifiers<Value: Hashable> {
    /// The maximum number of cached values, more than real devices need.
    static var limit: Int { 1_024 }
    /// The number of values that are compared before one is hashed, which is slower.
    private static var recentLimit: Int { 4 }

    private let connection: SQLiteConnection
    private let find: (Value) throws -> Int64?
    private let insert: SQLiteStatement
    private let bind: (Value, SQLiteStatement) throws -> Void
    private var cached: [Value: Int64] = [:]
    /// The most recent values, which are compared before the dictionary is used.
    private var recent: [(value: Value, row: Int64)] = []
    private var oldest = 0

    /// Prepares two statements with the same parameters: `find` selects the row id, `insert` adds a
    /// row.
    convenience init(
        on connection: SQLiteConnection, find: String, insert: String,
        bind: @escaping (Value, SQLiteStatement) throws -> Void
    ) throws {
        let statement = try connection.prepare(find)
        try self.init(on: connection, insert: insert, bind: bind) { value in
            defer { statement.reset() }
            try bind(value, statement)
            return try statement.step() ? statement.integer(at: 0) : nil
        }
    }

    /// Prepares the statement that adds a row, for a search of its own.
    init(
        on connection: SQLiteConnection, insert: String,
        bind: @escaping (Value, SQLiteStatement) throws -> Void,
        find: @escaping (Value) throws -> Int64?
    ) throws {
        self.connection = connection
        self.find = find
        self.insert = try connection.prepare(insert)
        self.bind = bind
    }

    /// Returns the row id of a value, which is inserted if new, within a write transaction.
    func row(of value: Value) throws -> Int64 {
        for index in recent.indices where recent[index].value == value { return recent[index].row }
        let row = try cached[value] ?? find(value) ?? newRow(of: value)
        if cached.count >= Self.limit { cached.removeAll() }
        cached[value] = row
        addRecent(value, row)
        return row
    }

    /// Clears the cache.
    func removeAll() {
        cached.removeAll()
        recent.removeAll()
        oldest = 0
    }

    private func addRecent(_ value: Value, _ row: Int64) {
        guard recent.count == Self.recentLimit else { return recent.append((value, row)) }
        recent[oldest] = (value, row)
        oldest = (oldest + 1) % Self.recentLimit
    }

    private func newRow(of value: Value) throws -> Int64 {
        try bind(value, insert)
        try insert.run()
        return connection.lastInsertedRow
    }
}

extension RowIdentifiers {
    /// Makes a cache for a table that has a name for each value.
    convenience init(
        of table: String, on connection: SQLiteConnection, name: @escaping (Value) -> String
    ) throws {
        try self.init(
            on: connection,
            find: "SELECT id FROM \(table) WHERE name = ?",
            insert: "INSERT INTO \(table) (name) VALUES (?)",
            bind: { try $1.bind(text: name($0), at: 1) })
    }
}

extension RowIdentifiers<String> {
    /// Makes a cache for the table `person`.
    convenience init(peopleOn connection: SQLiteConnection) throws {
        let rows = try PersonRows(connection)
        try self.init(
            on: connection, insert: "INSERT INTO person (name) VALUES (?)",
            bind: { try $1.bind(text: $0, at: 1) }, find: rows.row)
    }
}

extension RowIdentifiers<SourceRevision> {
    /// Makes a cache for the table `source`.
    convenience init(sourcesOn connection: SQLiteConnection) throws {
        try self.init(
            on: connection,
            find: """
                SELECT id FROM source
                WHERE name = ?1 AND coalesce(version, X'') = coalesce(?2, X'')
                """,
            insert: "INSERT INTO source (name, version) VALUES (?1, ?2)",
            bind: { source, statement in
                try statement.bind(text: source.name, at: 1)
                try statement.bind(text: source.version, at: 2)
            })
    }
}

extension RowIdentifiers<Device> {
    /// Makes a cache for the table `device`.
    convenience init(devicesOn connection: SQLiteConnection) throws {
        let columns = DeviceColumns.names
        let comparisons = columns.enumerated().map { index, name in
            "coalesce(\(name), X'') = coalesce(?\(index + 1), X'')"
        }
        let parameters = columns.map { _ in "?" }
        try self.init(
            on: connection,
            find: "SELECT id FROM device WHERE \(comparisons.joined(separator: " AND "))",
            insert: """
                INSERT INTO device (\(columns.joined(separator: ", ")))
                VALUES (\(parameters.joined(separator: ", ")))
                """,
            bind: DeviceColumns.bind)
    }
}
