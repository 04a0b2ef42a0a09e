import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// Reads of the summaries what statistics of spans need.
struct SummaryReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup
    private let query: SampleQuery
    private let mode: SummaryMode

    init(
        _ connection: SQLiteConnection, _ lookup: RowLookup, _ query: SampleQuery,
        _ mode: SummaryMode
    ) {
        self.connection = connection
        self.lookup = lookup
        self.query = query
        self.mode = mode
    }

    /// Divides spans into pieces, and reads those that have a summary; in a read transaction.
    func parts(of spans: [Range<Instant>]) throws -> [SummaryPart] {
        guard query.device == nil, try connection.userVersion >= Schema.summaryVersion,
            let (type, until) = try progress(), try isOfOnePerson
        else { return Self.samples(of: spans) }
        var person: Int64?
        if let name = query.person {
            person = try lookup.person(named: name)
            guard person != nil else { return Self.samples(of: spans) }
        }
        let pieces = StatisticsPiece.pieces(of: spans, until: until, marks: try marks(of: type))
        let rows = try SummaryRowReader(connection, type: type, person: person)
        let origins = StatisticsReader(connection, lookup, query.type)
        var combiner = SummaryCombiner(query.type, mode) {
            try origins.origin($0, ofSample: 0).origin
        }
        return try pieces.flatMap { piece in
            guard let hours = piece.hours else { return [SummaryPart(piece: piece)] }
            return try combiner.parts(of: piece, hours) { try rows.forEachRow(in: hours, $0) }
        }
    }

    /// Spans whose statistics are calculated from samples.
    static func samples(of spans: [Range<Instant>]) -> [SummaryPart] {
        spans.enumerated().map { index, span in
            SummaryPart(piece: StatisticsPiece(index: index, span: span, hours: nil))
        }
    }

    /// The row of the type, and its first hour without a summary; nil when it has none.
    private func progress() throws -> (type: Int64, until: Int64)? {
        let find = try connection.prepare(
            """
            SELECT type.id, until_hour, unit, style FROM type
            JOIN summary_progress ON summary_progress.type = type.id
            WHERE name = ? AND longest_ns BETWEEN 0 AND \(SummaryHours.longestSample)
            """)
        try find.bind(text: query.type.name, at: 1)
        guard try find.step(),
            query.type.hasSummaries(unit: find.text(at: 2), style: find.text(at: 3))
        else { return nil }
        return (find.integer(at: 0), SummaryHours.stored(find.integer(at: 1)))
    }

    /// Whether the origins of the query are those of one person: one device may be used by several.
    private var isOfOnePerson: Bool {
        get throws {
            guard mode == .byOrigin, query.person == nil else { return true }
            let count = try connection.prepare(
                "SELECT count(DISTINCT coalesce(person, 0)) FROM origin")
            return try count.step() && count.integer(at: 0) <= 1
        }
    }

    private func marks(of type: Int64) throws -> [ClosedRange<Int64>] {
        let find = try connection.prepare(
            """
            SELECT first_hour, last_hour FROM summary_mark WHERE type = ? ORDER BY first_hour
            """)
        try find.bind(integer: type, at: 1)
        var marks: [ClosedRange<Int64>] = []
        try find.forEachRow { row in
            let first = SummaryHours.stored(row.integer(at: 0))
            marks.append(first...max(first, SummaryHours.stored(row.integer(at: 1))))
        }
        return marks
    }
}
