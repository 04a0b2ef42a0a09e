import SQLite

/// A cache of the values of rows that many records refer to.
final class RowValues<Value> {
    /// The maximum number of cached values.
    static var limit: Int { 1_024 }

    private let table: String
    private let path: String
    private let find: SQLiteStatement
    private let decode: (SQLiteStatement) -> Value?
    private var cached: [Int64: Value] = [:]

    /// Prepares to read columns of a table; `decode` returns nil for an invalid row.
    init(
        of table: String, columns: [String], on connection: SQLiteConnection,
        decode: @escaping (SQLiteStatement) -> Value?
    ) throws {
        self.table = table
        path = connection.path
        let list = columns.joined(separator: ", ")
        find = try connection.prepare("SELECT \(list) FROM \(table) WHERE id = ?")
        self.decode = decode
    }

    /// Returns the value of a row.
    func value(of row: Int64) throws -> Value {
        if let value = cached[row] { return value }
        defer { find.reset() }
        try find.bind(integer: row, at: 1)
        guard try find.step(), let value = decode(find) else {
            throw SQLiteStoreError.unreadable(table: table, row: row, column: "name", path: path)
        }
        if cached.count >= Self.limit { cached.removeAll() }
        cached[row] = value
        return value
    }

    /// Returns the value of the row that a column refers to; nil when the column is NULL.
    func value(at column: Int32, of row: SQLiteStatement) throws -> Value? {
        row.isNull(at: column) ? nil : try value(of: row.integer(at: column))
    }
}
