import HealthModel
import SQLite

/// The statements that write correlations and the links to their members.
final class CorrelationStatements {
    /// Inserts a correlation; the parameters are id, type, start, end, person, device, source,
    /// metadata.
    let insert: SQLiteStatement
    private let find: SQLiteStatement
    private let typeOfSample: SQLiteStatement
    private let typeOfCategory: SQLiteStatement
    private let linkSample: SQLiteStatement
    private let linkCategory: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        insert = try connection.prepare(
            """
            INSERT INTO correlation (
                id, type, start_ns, end_ns, person, device, source, metadata
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        find = try connection.prepare("SELECT 1 FROM correlation WHERE id = ?")
        typeOfSample = try connection.prepare(Self.typeSQL("sample"))
        typeOfCategory = try connection.prepare(Self.typeSQL("category"))
        linkSample = try connection.prepare(Self.linkSQL("sample"))
        linkCategory = try connection.prepare(Self.linkSQL("category"))
    }

    /// Whether the store contains a correlation with this id.
    func contains(_ id: RecordID) throws -> Bool {
        defer { find.reset() }
        try find.bind(id, at: 1)
        return try find.step()
    }

    /// Whether a member can be linked: its id is new, or belongs to a sample of the same type.
    func canLink(for member: Correlation.Member) throws -> Bool {
        let find =
            switch member {
            case .quantity: typeOfSample
            case .category: typeOfCategory
            }
        defer { find.reset() }
        try find.bind(member.id, at: 1)
        guard try find.step() else { return true }
        return find.text(at: 0) == member.typeName
    }

    /// Links a stored member to the row of a correlation.
    func link(_ member: Correlation.Member, to correlation: Int64) throws {
        let link =
            switch member {
            case .quantity: linkSample
            case .category: linkCategory
            }
        try link.bind(integer: correlation, at: 1)
        try link.bind(member.id, at: 2)
        try link.run()
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        for statement in [insert, linkSample, linkCategory] { statement.reset() }
    }

    private static func typeSQL(_ table: String) -> String {
        """
        SELECT type.name FROM \(table) JOIN type ON type.id = \(table).type
        WHERE \(table).id = ?
        """
    }

    private static func linkSQL(_ table: String) -> String {
        """
        INSERT INTO member (correlation, \(table))
        SELECT ?, sequence FROM \(table) WHERE id = ?
        """
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
