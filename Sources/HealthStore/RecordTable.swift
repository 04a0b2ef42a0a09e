import SQLite

/// A table of records: its columns, and which of them is the time that its rows are ordered by.
struct RecordTable {
    let name: String
    let columns: String
    var time = "start_ns"
    /// Where the time is among the columns.
    var timeIndex: Int32 = 2

    /// Reads the rows that match, at most `limit` of them; their first column is `sequence`.
    ///
    /// - Returns: Where the next page continues; nil when no row matches.
    func forEachRow(
        matching conditions: SampleConditions, order: SampleQuery.Order, limit: Int?,
        on connection: SQLiteConnection, _ body: (SQLiteStatement) throws -> Void
    ) throws -> SamplePosition? {
        let direction = order == .oldestFirst ? "ASC" : "DESC"
        let rows = try connection.prepare(
            """
            SELECT \(columns) FROM \(name) WHERE \(conditions.sql)
            ORDER BY \(time) \(direction), sequence \(direction) LIMIT ?
            """)
        // SQLite takes a negative limit as none.
        let parameters = conditions.parameters + [limit.map { Int64(max($0, 0)) } ?? -1]
        for (index, value) in zip(Int32(1)..., parameters) {
            try rows.bind(integer: value, at: index)
        }
        var last: SamplePosition?
        try rows.forEachRow { row in
            try body(row)
            last = SamplePosition(
                startNanoseconds: row.integer(at: timeIndex), row: row.integer(at: 0))
        }
        return last
    }
}
