import HealthModel
import SQLite

/// Reads samples of any type, whose rows have the name of the type as a further column.
struct NamedTypeReader {
    private let connection: SQLiteConnection
    private let types: QuantityTypes
    private let units: RowValues<Unit>
    private let samples: SampleReader
    private let categories: CorrelationReader

    /// The kinds of samples: their tables, with the index of the column of the type's name.
    static let samples = (table: SampleReader.table, name: Int32(10))
    static let categories = (table: CorrelationReader.categories, name: Int32(9))

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes) {
        self.connection = connection
        self.types = types
        units = lookup.units
        samples = SampleReader(connection, lookup)
        categories = CorrelationReader(connection, lookup)
    }

    /// The columns of a table of a kind, followed by the name of the type.
    static func columns(_ table: RecordTable, _ name: String) -> String {
        "\(table.columns), (SELECT name FROM type WHERE type.id = \(name).type)"
    }

    /// Reads a quantity sample.
    ///
    /// The type may have been declared when the sample was stored, and no longer.
    func quantitySample(
        of row: SQLiteStatement, _ metadata: inout MetadataText
    ) throws -> QuantitySample {
        guard let name = row.text(at: Self.samples.name) else {
            throw unknownType(row, in: "sample")
        }
        let type =
            try types.named(name)
            ?? QuantityType(undeclared: name, unit: units.value(of: row.integer(at: 5)))
        return try samples.sample(of: row, type: type, metadata: &metadata)
    }

    /// Reads a category sample.
    func categorySample(
        of row: SQLiteStatement, _ metadata: inout MetadataText
    ) throws -> CategorySample {
        guard let type = row.text(at: Self.categories.name).flatMap(CategoryType.named) else {
            throw unknownType(row, in: "category")
        }
        return try categories.sample(of: row, type: type, metadata: &metadata)
    }

    private func unknownType(_ row: SQLiteStatement, in table: String) -> SQLiteStoreError {
        .unreadable(
            table: table, row: row.integer(at: 0), column: "type", path: connection.path)
    }
}
