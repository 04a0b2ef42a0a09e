import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// Reads of samples only what statistics need, from an index that has all of it.
struct StatisticsReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup
    private let type: QuantityType
    private let whole: SampleReader

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, _ type: QuantityType) {
        self.connection = connection
        self.lookup = lookup
        self.type = type
        whole = SampleReader(connection, lookup)
    }

    /// Returns the rows after a row, oldest first, in the order of the index.
    func page(
        of query: SampleQuery, after last: StatisticsRow?, size: Int
    ) throws -> [StatisticsRow] {
        var rows: [StatisticsRow] = []
        rows.reserveCapacity(size)
        try forEachRow(of: query, after: last, limit: size) { rows.append($0) }
        return rows
    }

    /// Adds the rows after a row, and returns the last one when there may be more.
    func add(
        _ query: SampleQuery, after last: StatisticsRow? = nil, limit: Int? = nil,
        to totals: inout StatisticsTotals
    ) throws -> StatisticsRow? {
        var (last, count) = (last, 0)
        try forEachRow(of: query, after: last, limit: limit) { row in
            try totals.select(row.origin) { try origin(row.origin, ofSample: row.number) }
            totals.add(row)
            last = row
            count += 1
        }
        return count == limit ? last : nil
    }

    private func forEachRow(
        of query: SampleQuery, after last: StatisticsRow?, limit: Int?,
        _ body: (StatisticsRow) throws -> Void
    ) throws {
        var query = query
        // A row that starts at a time or later needs no comparison of its end with the time.
        if let last, let from = query.from, last.span.lowerBound >= from { query.from = nil }
        guard
            let conditions = try SampleConditions(
                query.selecting(RecordType?.some(.quantity(type))), isContinued: last != nil,
                lookup)
        else { return }
        let isAfter = last == nil ? "" : " AND (\(Self.order)) > (?, ?, ?, ?, ?)"
        let statement = try connection.prepare(
            """
            SELECT \(Self.order) FROM sample WHERE \(conditions.sql)\(isAfter)
            ORDER BY \(Self.order) LIMIT ?
            """)
        var index: Int32 = 0
        func next() -> Int32 {
            index += 1
            return index
        }
        for value in conditions.parameters { try statement.bind(integer: value, at: next()) }
        if let last {
            let duration = last.span.upperBound.nanoseconds(since: last.span.lowerBound)
            try statement.bind(integer: last.span.lowerBound.nanosecondsSince1970, at: next())
            try statement.bind(integer: duration, at: next())
            try statement.bind(real: last.value, at: next())
            try statement.bind(integer: last.origin, at: next())
            try statement.bind(integer: last.number, at: next())
        }
        try statement.bind(integer: Int64(limit ?? -1), at: next())
        let isCumulative = type.isCumulative
        while try statement.step() { try body(try row(of: statement, isCumulative)) }
    }

    private static let order = "start_ns, duration_ns, value, origin, sequence"

    private func row(
        of row: SQLiteStatement, _ isCumulative: Bool
    ) throws -> StatisticsRow {
        let start = Instant(nanosecondsSince1970: row.integer(at: 0))
        let (duration, value) = (row.integer(at: 1), row.real(at: 2))
        guard duration > 0 || duration == 0 && !isCumulative, value.isFinite
        else { throw problem(of: row.integer(at: 4)) }
        return StatisticsRow(
            number: row.integer(at: 4), span: start..<start.adding(nanoseconds: duration),
            value: value, origin: row.integer(at: 3))
    }

    /// Returns the error of a row that is no sample of the type.
    private func problem(of number: Int64) -> any Error {
        do {
            _ = try sample(number)
        } catch {
            return error
        }
        return SQLiteStoreError.unreadable(
            table: "sample", row: number, column: "value", path: connection.path)
    }

    /// Returns the sample of a row; nil when it was removed.
    func sample(_ number: Int64) throws -> QuantitySample? {
        let find = try connection.prepare(
            "SELECT \(SampleReader.columns) FROM \(SampleReader.table.name) WHERE sequence = ?")
        try find.bind(integer: number, at: 1)
        guard try find.step() else { return nil }
        var metadata = MetadataText()
        return try whole.sample(of: find, type: type, metadata: &metadata)
    }

    /// Returns the origin in a row; the number of a sample is for the error.
    func origin(_ row: Int64, ofSample number: Int64) throws -> StatisticsOrigin {
        let find = try connection.prepare(
            "SELECT unit, device, source, is_entered FROM origin WHERE id = ?")
        try find.bind(integer: row, at: 1)
        guard try find.step() else { throw problem(of: number) }
        let unit = try lookup.units.value(of: find.integer(at: 0))
        guard unit.isCompatible(with: type.canonicalUnit) else { throw problem(of: number) }
        let origin = SampleOrigin(
            device: try lookup.devices.value(at: 1, of: find),
            source: try lookup.sources.value(at: 2, of: find)?.name,
            isEntered: find.integer(at: 3) != 0)
        return StatisticsOrigin(
            origin: origin, unit: unit == type.canonicalUnit ? nil : unit)
    }
}
