import HealthModel
import SQLite

/// The row ids of values that repeat in many records; a value without a row gets one.
///
/// What it remembers is bounded, and must be forgotten when a transaction is rolled back, because
/// the rows that the transaction made are then gone.
final class RowIdentifiers<Value: Hashable> {
    /// The most values that are remembered.
    ///
    /// They are few unless somebody makes them up.
    static var limit: Int { 1_024 }
    /// A device measures a few types side by side; comparing so many is faster than hashing one.
    private static var recentLimit: Int { 4 }

    private let connection: SQLiteConnection
    private let find: SQLiteStatement
    private let insert: SQLiteStatement
    private let bind: (Value, SQLiteStatement) throws -> Void
    private var known: [Value: Int64] = [:]
    /// The last few values that were met, which are compared before any is looked up.
    private var recent: [(value: Value, row: Int64)] = []
    private var oldest = 0

    /// Takes two statements with the same parameters: one finds the row id, one makes a row.
    init(
        on connection: SQLiteConnection, find: String, insert: String,
        bind: @escaping (Value, SQLiteStatement) throws -> Void
    ) throws {
        self.connection = connection
        self.find = try connection.prepare(find)
        self.insert = try connection.prepare(insert)
        self.bind = bind
    }

    /// Returns the row id of a value, within a write transaction.
    func row(of value: Value) throws -> Int64 {
        for index in recent.indices where recent[index].value == value { return recent[index].row }
        let row = try known[value] ?? existingRow(of: value) ?? newRow(of: value)
        if known.count >= Self.limit { known.removeAll() }
        known[value] = row
        noteRecent(value, row)
        return row
    }

    /// Forgets everything.
    func removeAll() {
        known.removeAll()
        recent.removeAll()
        oldest = 0
    }

    private func noteRecent(_ value: Value, _ row: Int64) {
        guard recent.count == Self.recentLimit else { return recent.append((value, row)) }
        recent[oldest] = (value, row)
        oldest = (oldest + 1) % Self.recentLimit
    }

    private func existingRow(of value: Value) throws -> Int64? {
        defer { find.reset() }
        try bind(value, find)
        return try find.step() ? find.integer(at: 0) : nil
    }

    private func newRow(of value: Value) throws -> Int64 {
        try bind(value, insert)
        try insert.run()
        return connection.lastInsertedRow
    }
}

extension RowIdentifiers {
    /// The rows of a table that has a name for each value.
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

extension RowIdentifiers<SourceRevision> {
    /// The rows of the table `source`.
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
    /// The rows of the table `device`.
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
