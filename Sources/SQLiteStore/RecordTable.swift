import SQLite

/// A table of records, with its columns and the time column that orders its rows.
struct RecordTable {
    let name: String
    let columns: String
    /// The expression of the time at which a record ends.
    var end = "end_ns"
    var time = "start_ns"
    /// The index of the time column.
    var timeIndex: Int32 = 2

    /// Calls the body with up to `limit` matching rows; their first column is `sequence`.
    ///
    /// - Returns: The position after which the next page starts; nil when no row matches.
    func forEachRow(
        matching conditions: SampleConditions, order: QueryOrder, limit: Int?,
        on connection: SQLiteConnection, _ body: (SQLiteStatement) throws -> Void
    ) throws -> SamplePosition? {
        let direction = order == .oldestFirst ? "ASC" : "DESC"
        let rows = try connection.prepare(
            """
            SELECT \(columns) FROM \(name) WHERE \(conditions.sql)
            ORDER BY \(time) \(direction), sequence \(direction) LIMIT ?
            """)
        // In SQLite a negative limit means no limit.
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
