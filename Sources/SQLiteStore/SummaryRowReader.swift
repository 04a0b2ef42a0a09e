import HourSummaries
import SQLite

/// Reads the rows of one type from the summaries.
struct SummaryRowReader {
    private let find: SQLiteStatement
    private let type: Int64
    private let person: Int64?

    /// - Parameter person: The row of a person; nil for all people.
    init(_ connection: SQLiteConnection, type: Int64, person: Int64?) throws {
        self.type = type
        self.person = person
        find = try connection.prepare(
            """
            SELECT \(SummaryRow.columns) FROM summary WHERE type = ? AND hour >= ? AND hour < ?
            \(person == nil ? "" : "AND person = ?") ORDER BY hour
            """)
    }

    func forEachRow(in hours: Range<Int64>, _ body: (SummaryRow) throws -> Void) throws {
        try find.bind(integer: type, at: 1)
        try find.bind(integer: hours.lowerBound, at: 2)
        try find.bind(integer: hours.upperBound, at: 3)
        if let person { try find.bind(integer: person, at: 4) }
        try find.forEachRow { try body(SummaryRow($0)) }
    }
}
