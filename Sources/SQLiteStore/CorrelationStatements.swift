import HealthModel
import SQLite

/// The statements that write correlations.
final class CorrelationStatements {
    /// Inserts a correlation; the parameters are id, type, start, end, person, device, source,
    /// metadata.
    let insert: SQLiteStatement
    private let sampleRows: SampleRows
    private let find: SQLiteStatement
    private let typeOfSample: SQLiteStatement
    private let typeOfCategory: SQLiteStatement

    init(_ connection: SQLiteConnection, _ sampleRows: SampleRows) throws {
        self.sampleRows = sampleRows
        insert = try connection.prepare(
            """
            INSERT INTO correlation (
                id, type, start_ns, end_ns, person, device, source, metadata
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        find = try connection.prepare("SELECT 1 FROM correlation WHERE id = ?")
        typeOfSample = try connection.prepare(Self.typeOfSampleSQL)
        typeOfCategory = try connection.prepare(Self.typeOfCategorySQL)
    }

    /// Whether the store contains a correlation with this id.
    func contains(_ id: RecordID) throws -> Bool {
        defer { find.reset() }
        try find.bind(id, at: 1)
        return try find.step()
    }

    /// Whether a member can be linked: its id is new, or belongs to a sample of the same type.
    func canLink(for member: Correlation.Member) throws -> Bool {
        switch member {
        case .quantity(let sample):
            guard let row = try sampleRows.find(sample.id) else { return true }
            try typeOfSample.bind(integer: row, at: 1)
            return try has(member.typeName, typeOfSample)
        case .category(let sample):
            try typeOfCategory.bind(sample.id, at: 1)
            return try has(member.typeName, typeOfCategory)
        }
    }

    /// Whether the type is that of a row, or there is no row.
    private func has(_ type: String, _ find: SQLiteStatement) throws -> Bool {
        defer { find.reset() }
        guard try find.step() else { return true }
        return find.text(at: 0) == type
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        insert.reset()
    }

    private static let typeOfSampleSQL = """
        SELECT type.name FROM sample JOIN type ON type.id = sample.type WHERE sequence = ?
        """

    private static let typeOfCategorySQL = """
        SELECT type.name FROM category JOIN type ON type.id = category.type WHERE category.id = ?
        """
}

extension SQLiteStatement {
    /// Binds an id as its 16 bytes.
    func bind(_ id: RecordID, at index: Int32) throws {
        try withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) {
            try bind(blob: $0, at: index)
        }
    }
}
