import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// Calculates summaries from samples, some hours at a time.
struct SummaryBuilder {
    /// The maximum number of hours in a step: six weeks.
    static let stepHours: Int64 = 1_024
    /// The number of samples that are read at a time.
    private static let pageSize = 16_384

    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    /// Calculates the next hours of a type, in a write transaction, and returns the number of samples that
    /// were read.
    func run(_ work: SummaryWork) throws -> Int {
        let (samples, end) = try read(work)
        let first = work.hours.lowerBound
        try remove(first..<end, of: work.row)
        let insert = try connection.prepare(SummaryRow.insertSQL)
        // A step that is longer has no samples.
        let hours = first..<min(end, first + Self.stepHours)
        for row in SummaryRows(work.type, hours: hours).rows(of: samples) {
            try row.insert(type: work.row, isCumulative: work.type.isCumulative, with: insert)
        }
        try noteProgress(of: work, until: end)
        return samples.count
    }

    // MARK: Samples

    /// Reads the samples of the first hours, and returns the end of these hours.
    private func read(_ work: SummaryWork) throws -> ([SummarySample], end: Int64) {
        let reader = StatisticsReader(connection, lookup, work.type)
        let wanted = SummaryHours.span(of: work.hours)
        let query = SampleQuery(
            type: work.type, from: wanted.lowerBound.adding(nanoseconds: -SummaryHours.gap),
            to: wanted.upperBound.adding(nanoseconds: SummaryHours.gap))
        var rows: [StatisticsRow] = []
        while true {
            let page = try reader.page(of: query, after: rows.last, size: Self.pageSize)
            rows += page
            let isLast = page.count < Self.pageSize
            let end = end(of: work.hours, rows, isLast: isLast)
            guard end <= work.hours.lowerBound else {
                return (try samples(rows, reader, work.type), end)
            }
        }
    }

    /// The end of the hours of which all samples are read.
    private func end(of hours: Range<Int64>, _ rows: [StatisticsRow], isLast: Bool) -> Int64 {
        let next = hours.lowerBound + Self.stepHours
        guard let first = rows.first, let last = rows.last else { return hours.upperBound }
        let empty = SummaryHours.hour(
            of: first.span.lowerBound.adding(nanoseconds: -SummaryHours.gap))
        let end = min(hours.upperBound, max(next, empty))
        guard !isLast else { return end }
        return min(
            end,
            SummaryHours.hour(of: last.span.lowerBound.adding(nanoseconds: -SummaryHours.gap)))
    }

    private func samples(
        _ rows: [StatisticsRow], _ reader: StatisticsReader, _ type: QuantityType
    ) throws -> [SummarySample] {
        var origins = SummaryOrigins(connection, reader)
        return try rows.compactMap { row in
            let origin = try origins.origin(of: row)
            guard let value = row.value(from: origin.unit, in: type.canonicalUnit) else {
                return nil
            }
            return SummarySample(
                number: row.number, span: row.span, value: value, origin: origin.row,
                person: origin.person)
        }
    }

    // MARK: Rows

    private func remove(_ hours: Range<Int64>, of type: Int64) throws {
        for sql in [
            "DELETE FROM summary WHERE type = ?1 AND hour >= ?2 AND hour < ?3",
            "DELETE FROM summary_mark WHERE type = ?1 AND first_hour >= ?2 AND last_hour < ?3",
            """
            UPDATE OR REPLACE summary_mark SET first_hour = ?3
            WHERE type = ?1 AND first_hour >= ?2 AND first_hour < ?3
            """,
        ] {
            let statement = try connection.prepare(sql)
            try statement.bind(integer: type, at: 1)
            try statement.bind(integer: hours.lowerBound, at: 2)
            try statement.bind(integer: hours.upperBound, at: 3)
            try statement.run()
        }
    }

    private func noteProgress(of work: SummaryWork, until end: Int64) throws {
        let note = try connection.prepare(
            """
            INSERT INTO summary_progress (type, until_hour, unit, style) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (type) DO UPDATE SET until_hour = max(until_hour, excluded.until_hour)
            """)
        try note.bind(integer: work.row, at: 1)
        try note.bind(integer: end, at: 2)
        try note.bind(text: work.type.canonicalUnit.string, at: 3)
        try note.bind(text: work.type.aggregationStyle.rawValue, at: 4)
        try note.run()
    }
}
