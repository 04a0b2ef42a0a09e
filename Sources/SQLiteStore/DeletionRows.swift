import HealthModel
import SQLite

/// Finds the rows of one kind that are to be deleted.
final class DeletionRows {
    struct Row {
        let position: SamplePosition
        let id: RecordID
    }

    private let connection: SQLiteConnection
    private let kind: RecordKind
    // Prepared once for many ids.
    private var find: SQLiteStatement?
    private var findGroup: SQLiteStatement?

    init(_ connection: SQLiteConnection, _ kind: RecordKind) {
        self.connection = connection
        self.kind = kind
    }

    /// Returns the next rows in the order of their position.
    func next(_ conditions: DeletionConditions, limit: Int) throws -> [Row] {
        let order = conditions.isByTime ? "\(kind.start), sequence" : "sequence"
        let statement = try connection.prepare(
            """
            SELECT sequence, id, \(kind.start) FROM \(kind.table) WHERE \(conditions.sql)
            ORDER BY \(order) LIMIT ?
            """)
        for (index, value) in zip(Int32(1)..., conditions.parameters + [Int64(limit)]) {
            try statement.bind(integer: value, at: index)
        }
        var rows: [Row] = []
        try statement.forEachRow { rows.append(try row(of: $0)) }
        return rows
    }

    /// Returns the row of an id; nil when there is none.
    func find(_ id: RecordID) throws -> Row? {
        let sequence = "coalesce((SELECT sequence FROM displaced WHERE id = ?1), ?2)"
        let condition = kind == .sample ? "sequence = \(sequence) AND id = ?1" : "id = ?1"
        let find =
            try self.find
            ?? connection.prepare(
                "SELECT sequence, id, \(kind.start) FROM \(kind.table) WHERE \(condition)")
        self.find = find
        defer { find.reset() }
        try find.bind(id, at: 1)
        if kind == .sample { try find.bind(integer: SampleRows.home(of: id), at: 2) }
        return try find.step() ? try row(of: find) : nil
    }

    private func row(of row: SQLiteStatement) throws -> Row {
        guard let id = RecordID(row, at: 1) else {
            throw SQLiteStoreError.unreadable(
                table: kind.table, row: row.integer(at: 0), column: "id", path: connection.path)
        }
        return Row(
            position: SamplePosition(
                startNanoseconds: row.integer(at: 2), row: row.integer(at: 0)),
            id: id)
    }

    // MARK: Groups

    /// Returns how many rows match, by type and person.
    func groups(
        where sql: String, _ parameters: [Int64], _ lookup: RowLookup
    ) throws -> [DeletionGroup] {
        let statement = try connection.prepare("\(groupSQL) WHERE \(sql) GROUP BY 1, 2")
        for (index, value) in zip(Int32(1)..., parameters) {
            try statement.bind(integer: value, at: index)
        }
        var groups: [DeletionGroup] = []
        try statement.forEachRow { groups.append(try group(of: $0, lookup)) }
        return groups
    }

    /// Returns the record of an id as a group; nil when there is none.
    func group(of id: RecordID, _ lookup: RowLookup) throws -> DeletionGroup? {
        guard let row = try find(id) else { return nil }
        let statement =
            try findGroup
            ?? connection.prepare(
                "\(groupSQL) WHERE sequence = ? GROUP BY 1, 2")
        findGroup = statement
        defer { statement.reset() }
        try statement.bind(integer: row.position.row, at: 1)
        return try statement.step() ? try group(of: statement, lookup) : nil
    }

    private var groupSQL: String {
        """
        SELECT (SELECT name FROM type WHERE id = \(kind.type)), \(kind.person), count(*),
            min(\(kind.start)), max(\(kind.end))
        FROM \(kind.table)
        """
    }

    private func group(of row: SQLiteStatement, _ lookup: RowLookup) throws -> DeletionGroup {
        DeletionGroup(
            kind: kind, type: row.text(at: 0), person: try lookup.people.value(at: 1, of: row),
            count: Int(row.integer(at: 2)),
            start: Instant(nanosecondsSince1970: row.integer(at: 3)),
            end: Instant(nanosecondsSince1970: row.integer(at: 4)))
    }
}
