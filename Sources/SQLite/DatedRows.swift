/// Removes the oldest rows of a table that has an index by time.
package final class DatedRows {
    /// A table, and the column that dates its rows.
    package struct Table {
        package let name: String
        /// The first column of the index.
        let time: String
        /// The maximum number of rows, of all tables, that are removed with one row of this table;
        /// a correlation is removed with its members.
        let maximumRowCount: Int

        /// Names the table.
        package init(name: String, time: String, maximumRowCount: Int) {
            self.name = name
            self.time = time
            self.maximumRowCount = maximumRowCount
        }
    }

    private let connection: SQLiteConnection
    private let maximumRowCount: Int
    private let find: SQLiteStatement
    private let removeOld: SQLiteStatement
    private let removeFirst: SQLiteStatement

    /// Prepares the statements.
    package init(_ table: Table, on connection: SQLiteConnection) throws {
        self.connection = connection
        maximumRowCount = table.maximumRowCount
        find = try connection.prepare(Self.findSQL(table))
        removeOld = try connection.prepare(Self.removeOldSQL(table))
        removeFirst = try connection.prepare(Self.removeFirstSQL(table.name))
    }

    /// Whether a row is older than a time.
    package func hasAny(before start: Int64) throws -> Bool {
        defer { find.reset() }
        try find.bind(integer: start, at: 1)
        return try find.step()
    }

    /// Removes the oldest rows before a time and returns their number.
    package func remove(before start: Int64, limit: Int) throws -> Int {
        try removeOld.bind(integer: start, at: 1)
        return try run(removeOld, limit: limit, at: 2)
    }

    /// Removes the rows that were stored first and returns their number.
    package func removeFirst(limit: Int) throws -> Int {
        try run(removeFirst, limit: limit, at: 1)
    }

    private func run(_ statement: SQLiteStatement, limit: Int, at index: Int32) throws -> Int {
        let rows = limit > 0 ? max(limit / maximumRowCount, 1) : 0
        try statement.bind(integer: Int64(rows), at: index)
        try statement.run()
        // Rows removed by triggers do not count: a correlation with its members counts as one.
        return connection.changes
    }

    // MARK: Statements

    private static func findSQL(_ table: Table) -> String {
        "SELECT 1 FROM \(table.name) WHERE \(table.time) < ? LIMIT 1"
    }

    private static func removeOldSQL(_ table: Table) -> String {
        """
        DELETE FROM \(table.name) WHERE sequence IN (
            SELECT sequence FROM \(table.name) WHERE \(table.time) < ?1
            ORDER BY \(table.time) LIMIT ?2)
        """
    }

    /// The statement that removes the rows that were stored first, up to a limit.
    package static func removeFirstSQL(_ table: String) -> String {
        """
        DELETE FROM \(table) WHERE sequence IN (
            SELECT sequence FROM \(table) ORDER BY sequence LIMIT ?)
        """
    }

    /// All statements.
    package static func statements(_ table: Table) -> [String] {
        [findSQL(table), removeOldSQL(table), removeFirstSQL(table.name)]
    }
}
