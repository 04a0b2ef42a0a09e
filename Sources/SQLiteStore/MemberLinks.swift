import HealthModel
import HealthStore
import SQLite

/// Moves the links of correlations from a sample to a later version of it, and finds what goes with a
/// correlation.
///
/// Its statements are prepared when a version is replaced for the first time.
final class MemberLinks {
    /// A record that goes with a correlation.
    struct Member {
        let kind: RecordKind
        let type: Int64
        let id: RecordID
    }

    private let connection: SQLiteConnection
    private var statements: [String: SQLiteStatement] = [:]
    private var rows: [RecordKind: DeletionRows] = [:]

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// The row of an id; nil when there is none.
    func row(of id: RecordID, _ kind: RecordKind) throws -> Int64? {
        let rows = self.rows[kind] ?? DeletionRows(connection, kind)
        self.rows[kind] = rows
        return try rows.find(id)?.position.row
    }

    /// The row of the type of a record; 0 for a kind without types.
    func type(of row: Int64, _ kind: RecordKind) throws -> Int64 {
        guard kind.hasType else { return 0 }
        let find = try statement("SELECT type FROM \(kind.table) WHERE sequence = ?")
        defer { find.reset() }
        try find.bind(integer: row, at: 1)
        return try find.step() ? find.integer(at: 0) : 0
    }

    /// The rows of the correlations of a sample.
    func correlations(of row: Int64, _ kind: RecordKind) throws -> [Int64] {
        let find = try statement("SELECT correlation FROM member WHERE \(kind.table) = ?")
        try find.bind(integer: row, at: 1)
        var rows: [Int64] = []
        try find.forEachRow { rows.append($0.integer(at: 0)) }
        return rows
    }

    /// Whether a correlation of a person can have a member: its id is new, or that of a sample of the same type
    /// and of no other person.
    func canHave(_ member: Correlation.Member, of person: String?) throws -> Bool {
        guard let kind = RecordKind(member.record), let row = try row(of: member.id, kind) else {
            return true
        }
        let find = try statement(
            """
            SELECT (SELECT name FROM type WHERE id = \(kind.type)),
                (SELECT name FROM person WHERE id = \(kind.person))
            FROM \(kind.table) WHERE sequence = ?
            """)
        defer { find.reset() }
        try find.bind(integer: row, at: 1)
        guard try find.step() else { return true }
        return find.text(at: 0) == member.typeName && (find.text(at: 1) ?? person) == person
    }

    /// Whether a sample with this id has a place in a correlation: neither this nor a member of the other
    /// kind has its id.
    func hasPlace(for id: RecordID, _ kind: RecordKind, in correlation: Int64) throws -> Bool {
        let other = kind == .sample ? RecordKind.category : .sample
        let find = try statement(
            """
            SELECT 1 FROM correlation WHERE sequence = ?1 AND id = ?2
            UNION ALL SELECT 1 FROM member JOIN \(other.table)
                ON \(other.table).sequence = member.\(other.table)
            WHERE member.correlation = ?1 AND \(other.table).id = ?2
            """)
        defer { find.reset() }
        try find.bind(integer: correlation, at: 1)
        try find.bind(id, at: 2)
        return try !find.step()
    }

    /// Links a later version in the place of a member.
    func move(
        from earlier: Int64, to later: Int64, _ kind: RecordKind, in correlation: Int64
    ) throws {
        try link(later, kind, to: correlation)
        let remove = try statement(
            "DELETE FROM member WHERE correlation = ? AND \(kind.table) = ?")
        try remove.bind(integer: correlation, at: 1)
        try remove.bind(integer: earlier, at: 2)
        try remove.run()
    }

    /// Links a row to a correlation once.
    func link(_ row: Int64, _ kind: RecordKind, to correlation: Int64) throws {
        let link = try statement(
            """
            INSERT INTO member (correlation, \(kind.table)) SELECT ?1, ?2 WHERE NOT EXISTS (
                SELECT 1 FROM member WHERE correlation = ?1 AND \(kind.table) = ?2)
            """)
        try link.bind(integer: correlation, at: 1)
        try link.bind(integer: row, at: 2)
        try link.run()
    }

    /// A correlation and its members that are in no other one.
    func members(removedWith correlation: Int64) throws -> [Member] {
        let kinds = [RecordKind.sample, .category]
        let parts = kinds.map { kind in
            """
            SELECT \(kind.rawValue), type, id FROM \(kind.table) WHERE sequence IN (
                SELECT own.\(kind.table) FROM member own WHERE own.correlation = ?1
                AND NOT EXISTS (
                    SELECT 1 FROM member other WHERE other.\(kind.table) = own.\(kind.table)
                    AND other.correlation <> ?1))
            """
        }
        let find = try statement(
            """
            SELECT \(RecordKind.correlation.rawValue), type, id FROM correlation
            WHERE sequence = ?1 UNION ALL \(parts.joined(separator: " UNION ALL "))
            """)
        try find.bind(integer: correlation, at: 1)
        var found: [Member] = []
        try find.forEachRow { row in
            guard let kind = RecordKind(rawValue: row.integer(at: 0)),
                let id = RecordID(row, at: 2)
            else { return }
            found.append(Member(kind: kind, type: row.integer(at: 1), id: id))
        }
        return found
    }

    /// Deletes the row of a record; its triggers delete what goes with it.
    func delete(_ row: Int64, _ kind: RecordKind) throws {
        let delete = try statement("DELETE FROM \(kind.table) WHERE sequence = ?")
        try delete.bind(integer: row, at: 1)
        try delete.run()
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        for statement in statements.values { statement.reset() }
    }

    private func statement(_ sql: String) throws -> SQLiteStatement {
        let prepared = try statements[sql] ?? connection.prepare(sql)
        statements[sql] = prepared
        return prepared
    }
}
