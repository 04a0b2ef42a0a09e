import HealthModel
import SQLite

/// Reads the members of correlations.
struct MemberReader {
    private let path: String
    private let types: QuantityTypes
    private let units: RowValues<Unit>
    private let samples: SampleReader
    private let categories: CorrelationReader
    private let selectSamples: SQLiteStatement
    private let selectCategories: SQLiteStatement

    init(
        _ connection: SQLiteConnection, _ lookup: RowLookup, _ categories: CorrelationReader,
        types: QuantityTypes
    ) throws {
        path = connection.path
        self.types = types
        units = lookup.units
        samples = SampleReader(connection, lookup)
        self.categories = categories
        selectSamples = try connection.prepare(
            Self.sql("sample", SampleReader.table))
        selectCategories = try connection.prepare(
            Self.sql("category", CorrelationReader.categories))
    }

    /// Returns the samples of a correlation.
    func members(of correlation: Int64) throws -> [Correlation.Member] {
        var members: [Correlation.Member] = []
        var metadata = MetadataText()
        try selectSamples.bind(integer: correlation, at: 1)
        try selectSamples.forEachRow { row in
            guard let name = row.text(at: 10) else { throw unknownType(row, in: "sample") }
            // The type may have been declared when the sample was stored.
            let type =
                try types.named(name)
                ?? QuantityType(undeclared: name, unit: units.value(of: row.integer(at: 5)))
            members.append(
                .quantity(try samples.sample(of: row, type: type, metadata: &metadata)))
        }
        try selectCategories.bind(integer: correlation, at: 1)
        try selectCategories.forEachRow { row in
            guard let type = row.text(at: 9).flatMap(CategoryType.named) else {
                throw unknownType(row, in: "category")
            }
            members.append(
                .category(try categories.sample(of: row, type: type, metadata: &metadata)))
        }
        return members
    }

    /// The query for the members: the columns of their table, followed by the name of the type.
    private static func sql(_ name: String, _ table: RecordTable) -> String {
        """
        SELECT \(table.columns), (SELECT name FROM type WHERE type.id = \(name).type)
        FROM \(table.name) WHERE sequence IN (SELECT \(name) FROM member WHERE correlation = ?)
        """
    }

    private func unknownType(_ row: SQLiteStatement, in table: String) -> SQLiteStoreError {
        .unreadable(table: table, row: row.integer(at: 0), column: "type", path: path)
    }
}
