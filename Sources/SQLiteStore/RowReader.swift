import HealthModel
import HealthStore
import SQLite

/// Reads records of any kind and type by the numbers of their rows.
final class RowReader {
    /// A record and the number of its row; of a displaced sample that of its home.
    typealias Row = (number: Int64, record: Record)

    private let connection: SQLiteConnection
    private let samples: NamedTypeReader
    private let correlations: CorrelationReader
    private let members: MemberReader
    private let workouts: WorkoutReader
    private let events: EventReader
    private var statements: [RecordKind: SQLiteStatement] = [:]
    private let findDisplaced: SQLiteStatement
    private var metadata = MetadataText()

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes) throws {
        self.connection = connection
        samples = NamedTypeReader(connection, lookup, types: types)
        correlations = CorrelationReader(connection, lookup)
        members = try MemberReader(connection, lookup, types: types)
        workouts = try WorkoutReader(connection, lookup, types: types)
        events = EventReader(connection, lookup)
        findDisplaced = try connection.prepare(
            """
            SELECT home, sequence FROM displaced WHERE home > ?1 AND home <= ?2
            ORDER BY home, sequence
            """)
    }

    /// Returns up to `limit` records whose rows are in a range without its first number, in the order
    /// of their numbers; more only when several samples have one home.
    func records(
        of kind: RecordKind, after first: Int64, through last: Int64, limit: Int
    ) throws -> [Row] {
        let rows = try self.rows(of: kind, after: first, through: last, limit: limit)
        guard kind == .sample else { return rows }
        let end = rows.count < limit ? last : rows.last?.number ?? last
        let displaced = try displaced(after: first, through: end)
        guard !displaced.isEmpty else { return rows }
        return (rows + displaced).sorted { $0.number < $1.number }
    }

    private func rows(
        of kind: RecordKind, after first: Int64, through last: Int64, limit: Int
    ) throws -> [Row] {
        let statement = try statements[kind] ?? prepare(kind)
        statements[kind] = statement
        try statement.bind(integer: first, at: 1)
        try statement.bind(integer: last, at: 2)
        try statement.bind(integer: Int64(limit), at: 3)
        var rows: [Row] = []
        try statement.forEachRow { row in
            rows.append((row.integer(at: 0), try record(of: row, kind)))
        }
        return rows
    }

    /// The samples whose home another one has.
    private func displaced(after first: Int64, through last: Int64) throws -> [Row] {
        try findDisplaced.bind(integer: first, at: 1)
        try findDisplaced.bind(integer: last, at: 2)
        var numbers: [(home: Int64, row: Int64)] = []
        try findDisplaced.forEachRow { numbers.append(($0.integer(at: 0), $0.integer(at: 1))) }
        return try numbers.flatMap { home, row -> [Row] in
            guard row > .min else { return [] }
            return try rows(of: .sample, after: row - 1, through: row, limit: 1)
                .map { (home, $0.record) }
        }
    }

    private func record(of row: SQLiteStatement, _ kind: RecordKind) throws -> Record {
        switch kind {
        case .sample: return .sample(try samples.quantitySample(of: row, &metadata))
        case .category: return .category(try samples.categorySample(of: row, &metadata))
        case .correlation:
            guard let type = row.text(at: 8).flatMap(CorrelationType.named) else {
                throw SQLiteStoreError.unreadable(
                    table: "correlation", row: row.integer(at: 0), column: "type",
                    path: connection.path)
            }
            let members = try members.members(of: row.integer(at: 0))
            return .correlation(
                try correlations.correlation(of: row, type: type, members, metadata: &metadata))
        case .workout: return .workout(try workouts.workout(of: row))
        case .event: return .event(try events.event(of: row, metadata: &metadata))
        }
    }

    private func prepare(_ kind: RecordKind) throws -> SQLiteStatement {
        let (table, columns) =
            switch kind {
            case .sample: Self.named(NamedTypeReader.samples.table, "sample")
            case .category: Self.named(NamedTypeReader.categories.table, "category")
            case .correlation: Self.named(CorrelationReader.correlations, "correlation")
            case .workout: (WorkoutReader.table, WorkoutReader.table.columns)
            case .event: (Self.events, Self.events.columns)
            }
        return try connection.prepare(
            """
            SELECT \(columns) FROM \(table.name) WHERE sequence > ?1 AND sequence <= ?2
            ORDER BY sequence LIMIT ?3
            """)
    }

    private static let events = EventReader.table(hasMetadata: true)

    private static func named(_ table: RecordTable, _ name: String) -> (RecordTable, String) {
        (table, NamedTypeReader.columns(table, name))
    }
}
