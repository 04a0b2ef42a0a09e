import HealthModel
import SQLite

/// Reads the members of correlations.
struct MemberReader {
    private let reader: NamedTypeReader
    private let selectSamples: SQLiteStatement
    private let selectCategories: SQLiteStatement

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes) throws {
        reader = NamedTypeReader(connection, lookup, types: types)
        selectSamples = try connection.prepare(
            Self.sql("sample", NamedTypeReader.samples.table))
        selectCategories = try connection.prepare(
            Self.sql("category", NamedTypeReader.categories.table))
    }

    /// Returns the samples of a correlation.
    func members(of correlation: Int64) throws -> [Correlation.Member] {
        var members: [Correlation.Member] = []
        var metadata = MetadataText()
        try selectSamples.bind(integer: correlation, at: 1)
        try selectSamples.forEachRow { row in
            members.append(.quantity(try reader.quantitySample(of: row, &metadata)))
        }
        try selectCategories.bind(integer: correlation, at: 1)
        try selectCategories.forEachRow { row in
            members.append(.category(try reader.categorySample(of: row, &metadata)))
        }
        return members
    }

    /// The query for the members.
    private static func sql(_ name: String, _ table: RecordTable) -> String {
        """
        SELECT \(NamedTypeReader.columns(table, name)) FROM \(table.name)
        WHERE sequence IN (SELECT \(name) FROM member WHERE correlation = ?)
        """
    }
}
