import HealthModel
import SQLite

/// Reads samples of categories, and correlations with their members.
struct CorrelationReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup
    /// A file of an older program that is only read has no such tables.
    private let hasTables: Bool

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) throws {
        self.connection = connection
        self.lookup = lookup
        hasTables = try connection.userVersion >= Schema.correlationVersion
    }

    /// Returns the samples of a category that are of a time, the oldest first.
    func samples(
        of type: CategoryType, from: Instant?, to: Instant?, limit: Int?
    ) throws -> [CategorySample] {
        var samples: [CategorySample] = []
        try forEachRow(
            "category", Self.categoryColumns, ofType: type.name, from: from, to: to, limit: limit
        ) { row, metadata in
            samples.append(try sample(of: row, type: type, metadata: &metadata))
        }
        return samples
    }

    /// Returns the correlations that are of a time, the oldest first.
    func correlations(
        of type: CorrelationType, from: Instant?, to: Instant?, limit: Int?, types: QuantityTypes
    ) throws -> [Correlation] {
        var correlations: [Correlation] = []
        let members = try hasTables ? MemberReader(connection, lookup, self, types: types) : nil
        try forEachRow(
            "correlation", Self.correlationColumns, ofType: type.name, from: from, to: to,
            limit: limit
        ) { row, metadata in
            let samples = try members?.members(of: row.integer(at: 0)) ?? []
            correlations.append(
                try correlation(of: row, type: type, samples, metadata: &metadata))
        }
        return correlations
    }

    // MARK: -

    static let categoryColumns =
        "sequence, id, start_ns, end_ns, person, device, source, metadata, value"
    private static let correlationColumns =
        "sequence, id, start_ns, end_ns, person, device, source, metadata"

    private func forEachRow(
        _ table: String, _ columns: String, ofType name: String, from: Instant?, to: Instant?,
        limit: Int?, _ body: (SQLiteStatement, inout MetadataText) throws -> Void
    ) throws {
        guard hasTables,
            let conditions = try SampleConditions(ofType: name, from: from, to: to, lookup)
        else { return }
        let statement = try connection.prepare(
            """
            SELECT \(columns) FROM \(table) WHERE \(conditions.sql)
            ORDER BY start_ns, sequence LIMIT ?
            """)
        // SQLite takes a negative limit as none.
        let parameters = conditions.parameters + [limit.map { Int64(max($0, 0)) } ?? -1]
        for (index, value) in zip(Int32(1)..., parameters) {
            try statement.bind(integer: value, at: index)
        }
        var metadata = MetadataText()
        try statement.forEachRow { try body($0, &metadata) }
    }

    /// Reads the sample of a row with the columns of `categoryColumns`.
    func sample(
        of row: SQLiteStatement, type: CategoryType, metadata: inout MetadataText
    ) throws -> CategorySample {
        let head = try head(of: row, in: "category", &metadata)
        do {
            return try CategorySample(
                id: head.id, type: type, start: Instant(nanosecondsSince1970: row.integer(at: 2)),
                end: Instant(nanosecondsSince1970: row.integer(at: 3)),
                value: Int(row.integer(at: 8)), person: head.person, device: head.device,
                source: head.source, metadata: head.metadata)
        } catch {
            throw unreadable("value or time", row, in: "category")
        }
    }

    private func correlation(
        of row: SQLiteStatement, type: CorrelationType, _ samples: [Correlation.Member],
        metadata: inout MetadataText
    ) throws -> Correlation {
        let head = try head(of: row, in: "correlation", &metadata)
        do {
            return try Correlation(
                ofAnyLength: head.id, type: type,
                start: Instant(nanosecondsSince1970: row.integer(at: 2)),
                end: Instant(nanosecondsSince1970: row.integer(at: 3)), samples: samples,
                person: head.person, device: head.device, source: head.source,
                metadata: head.metadata)
        } catch {
            throw unreadable("members or time", row, in: "correlation")
        }
    }

    private struct Head {
        let id: RecordID
        let person: String?
        let device: Device?
        let source: SourceRevision?
        let metadata: Metadata
    }

    private func head(
        of row: SQLiteStatement, in table: String, _ metadata: inout MetadataText
    ) throws -> Head {
        guard let id = RecordID(row, at: 1) else { throw unreadable("id", row, in: table) }
        guard let metadata = metadata.metadata(of: row.text(at: 7)) else {
            throw unreadable("metadata", row, in: table)
        }
        return Head(
            id: id, person: try lookup.people.value(at: 4, of: row),
            device: try lookup.devices.value(at: 5, of: row),
            source: try lookup.sources.value(at: 6, of: row), metadata: metadata)
    }

    private func unreadable(
        _ column: String, _ row: SQLiteStatement, in table: String
    ) -> HealthStoreError {
        .unreadable(table: table, row: row.integer(at: 0), column: column, path: connection.path)
    }
}
