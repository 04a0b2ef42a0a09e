import HealthModel
import SQLite

/// Reads samples from the store.
struct SampleReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    /// Returns the samples after a position, at most `size` of them.
    func page(
        of query: SampleQuery, after position: SamplePosition? = nil, size: Int?
    ) throws -> StorePage<QuantitySample> {
        var page = StorePage<QuantitySample>()
        guard
            let conditions = try SampleConditions(
                query.selecting(RecordType?.some(.quantity(query.type))), after: position, lookup)
        else { return page }
        var metadata = MetadataText()
        page.last = try Self.table.forEachRow(
            matching: conditions, order: query.order, limit: size, on: connection
        ) { row in
            page.items.append(
                try sample(
                    of: row, type: query.type, metadata: &metadata, sharing: page.items.last))
        }
        return page
    }

    /// Returns up to `size` samples of several queries, one for each type, ordered by time.
    ///
    /// Each query uses an index in this order, and SQLite merges them without reading further rows.
    func page(
        of queries: [SampleQuery], after position: SamplePosition?, size: Int
    ) throws -> StorePage<QuantitySample> {
        var page = StorePage<QuantitySample>()
        var types: [QuantityType] = []
        var parts: [String] = []
        var parameters: [Int64] = []
        for query in queries {
            guard
                let conditions = try SampleConditions(
                    query.selecting(RecordType?.some(.quantity(query.type))), after: position,
                    lookup)
            else { continue }
            parts.append(
                """
                SELECT \(Self.columns), \(types.count) FROM \(Self.table.name)
                WHERE \(conditions.sql)
                """)
            types.append(query.type)
            parameters += conditions.parameters
        }
        guard !types.isEmpty else { return page }
        let rows = try connection.prepare(
            parts.joined(separator: " UNION ALL ") + " ORDER BY 3, 1 LIMIT ?")
        for (index, value) in zip(Int32(1)..., parameters + [Int64(size)]) {
            try rows.bind(integer: value, at: index)
        }
        var metadata = MetadataText()
        try rows.forEachRow { row in
            let type = types[Int(row.integer(at: 10))]
            page.items.append(
                try sample(of: row, type: type, metadata: &metadata, sharing: page.items.last))
            page.last = SamplePosition(
                startNanoseconds: row.integer(at: 2), row: row.integer(at: 0))
        }
        return page
    }

    /// Returns the number of samples of a type.
    func count(of type: QuantityType) throws -> Int {
        let statement = try connection.prepare(
            "SELECT count(*) FROM sample WHERE type = (SELECT id FROM type WHERE name = ?)")
        try statement.bind(text: type.name, at: 1)
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    static let columns =
        "sequence, sample.id, start_ns, start_ns + duration_ns, value, unit, person, device, "
        + "source, metadata"

    /// In the order of an index of `sample`.
    static let table = RecordTable(
        name: "sample CROSS JOIN origin ON origin.id = sample.origin", columns: columns,
        end: "start_ns + duration_ns")

    /// Reads the sample of a row with the columns of `columns`.
    func sample(
        of row: SQLiteStatement, type: QuantityType, metadata: inout MetadataText,
        sharing other: QuantitySample? = nil
    ) throws -> QuantitySample {
        guard let id = RecordID(row, at: 1) else { throw unreadable("id", row) }
        guard let metadata = metadata.metadata(of: row.text(at: 9)) else {
            throw unreadable("metadata", row)
        }
        let person = try lookup.people.value(at: 6, of: row)
        let device = try lookup.devices.value(at: 7, of: row)
        let source = try lookup.sources.value(at: 8, of: row)
        let unit = try lookup.units.value(of: row.integer(at: 5))
        do {
            return try QuantitySample(
                sharing: other, id: id, type: type,
                start: Instant(nanosecondsSince1970: row.integer(at: 2)),
                end: Instant(nanosecondsSince1970: row.integer(at: 3)),
                quantity: Quantity(row.real(at: 4), unit),
                person: person, device: device, source: source, metadata: metadata)
        } catch let error as SampleError where !type.isStandard {
            guard case .endBeforeStart = error else {
                throw SQLiteStoreError.incompatibleDeclaration(
                    type: type.name, unit: unit.string, path: connection.path)
            }
            throw unreadable("value, unit, start_ns or end_ns", row)
        } catch {
            throw unreadable("value, unit, start_ns or end_ns", row)
        }
    }

    private func unreadable(_ column: String, _ row: SQLiteStatement) -> SQLiteStoreError {
        .unreadable(
            table: "sample", row: row.integer(at: 0), column: column, path: connection.path)
    }
}

extension RecordID {
    /// Reads an id from a column; nil when it does not have 16 bytes.
    init?(_ row: SQLiteStatement, at column: Int32) {
        let id = row.withBlob(at: column) { bytes -> RecordID? in
            guard bytes.count == 16 else { return nil }
            return RecordID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
        guard let id else { return nil }
        self = id
    }
}
