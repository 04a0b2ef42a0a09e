import HealthModel
import SQLite

/// Reads records of every kind from the store, a page at a time.
struct RecordReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup
    private let types: QuantityTypes

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes = .standard) {
        self.connection = connection
        self.lookup = lookup
        self.types = types
    }

    /// Returns the records after a position, at most `size` of them.
    func page(
        of query: RecordQuery, after position: SamplePosition? = nil, size: Int?
    ) throws -> StorePage<Record> {
        var page = StorePage<Record>()
        guard let (table, decode) = try table(of: query.type),
            let conditions = try SampleConditions(query, after: position, lookup)
        else { return page }
        var metadata = MetadataText()
        page.last = try table.forEachRow(
            matching: conditions, order: query.order, limit: size, on: connection
        ) { row in
            page.items.append(try decode(row, &metadata))
        }
        return page
    }

    private typealias Decode = (SQLiteStatement, inout MetadataText) throws -> Record

    /// The table of a type and the function that decodes its rows; nil when the schema version of a
    /// read-only file does not have the table.
    private func table(of type: RecordType?) throws -> (RecordTable, Decode)? {
        let version = try connection.userVersion
        let correlations = CorrelationReader(connection, lookup)
        switch type {
        case .quantity(let type):
            let reader = SampleReader(connection, lookup)
            return (
                SampleReader.table,
                { .sample(try reader.sample(of: $0, type: type, metadata: &$1)) }
            )
        case .category(let type):
            guard version >= Schema.correlationVersion else { return nil }
            return (
                CorrelationReader.categories,
                { .category(try correlations.sample(of: $0, type: type, metadata: &$1)) }
            )
        case .correlation(let type):
            guard version >= Schema.correlationVersion else { return nil }
            let members = try MemberReader(connection, lookup, correlations, types: types)
            return (
                CorrelationReader.correlations,
                { row, metadata in
                    let samples = try members.members(of: row.integer(at: 0))
                    return .correlation(
                        try correlations.correlation(
                            of: row, type: type, samples, metadata: &metadata))
                }
            )
        case .workout:
            guard version >= Schema.workoutVersion else { return nil }
            let reader = try WorkoutReader(connection, lookup, types: types)
            return (WorkoutReader.table, { row, _ in .workout(try reader.workout(of: row)) })
        case nil:
            let reader = EventReader(connection, lookup)
            return (
                EventReader.table(hasMetadata: version >= Schema.eventMetadataVersion),
                { .event(try reader.event(of: $0, metadata: &$1)) }
            )
        }
    }
}
