import SQLite

/// All rows of all tables of a database, as text: two databases with the same text have the same content.
package enum StoreDump {
    /// Reads a file; the rows of each table are sorted.
    package static func rows(of path: String) throws -> [String: [String]] {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        var rows: [String: [String]] = [:]
        for table in try texts("SELECT name FROM sqlite_master WHERE type = 'table'", connection) {
            let columns = try texts("SELECT name FROM pragma_table_info('\(table)')", connection)
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
            rows[table] = try texts("SELECT \(values) FROM \"\(table)\"", connection).sorted()
        }
        rows["sqlite_master"] = try texts("SELECT quote(sql) FROM sqlite_master", connection)
        return rows
    }

    private static func texts(_ sql: String, _ connection: SQLiteConnection) throws -> [String] {
        let statement = try connection.prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(at: 0) ?? "NULL") }
        return texts
    }
}
