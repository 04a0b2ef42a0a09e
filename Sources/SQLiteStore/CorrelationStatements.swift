import HealthModel
import SQLite

/// The statements that write correlations.
final class CorrelationStatements {
    /// Inserts a correlation; the parameters are id, type, start, end, person, device, source,
    /// metadata.
    let insert: SQLiteStatement
    private let find: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        insert = try connection.prepare(
            """
            INSERT INTO correlation (
                id, type, start_ns, end_ns, person, device, source, metadata
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        find = try connection.prepare("SELECT 1 FROM correlation WHERE id = ?")
    }

    /// Whether the store contains a correlation with this id.
    func contains(_ id: RecordID) throws -> Bool {
        defer { find.reset() }
        try find.bind(id, at: 1)
        return try find.step()
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        insert.reset()
    }
}

extension SQLiteStatement {
    /// Binds an id as its 16 bytes.
    func bind(_ id: RecordID, at index: Int32) throws {
        try withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) {
            try bind(blob: $0, at: index)
        }
    }
}
