import HealthModel
import SQLite

/// Finds what is deleted together with selected records: the correlations of a sample, and the members
/// of a correlation.
///
/// It notes the selected rows in temporary tables, which a read-only connection can have too.
struct DeletionCascade {
    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    /// Returns the records by type and person, without those that are selected themselves.
    func groups(of selections: [DeletionSelection]) throws -> [DeletionGroup] {
        guard try connection.prepare("SELECT 1 FROM member LIMIT 1").step() else { return [] }
        try connection.pragma("temp_store", to: "MEMORY")
        try connection.execute(Self.beginSQL)
        defer { try? connection.execute(Self.endSQL) }
        for selection in selections { try note(selection) }
        try connection.execute(Self.affectedSQL)
        return try [
            (RecordKind.correlation, Self.correlationSQL), (.sample, Self.memberSQL(.sample)),
            (.category, Self.memberSQL(.category)),
        ].flatMap { kind, sql in
            try DeletionRows(connection, kind).groups(where: sql, [], lookup)
        }
    }

    /// Notes the selected correlations, and the selected samples that are members of one.
    private func note(_ selection: DeletionSelection) throws {
        for kind in selection.kinds where Self.kinds.contains(kind) {
            if case .records(let ids, _) = selection {
                try note(ids, kind)
            } else if let conditions = try DeletionConditions(selection, kind, lookup) {
                let note = try connection.prepare(
                    """
                    INSERT OR IGNORE INTO selected SELECT \(kind.rawValue), sequence
                    FROM \(kind.table) WHERE \(Self.isMember(kind)) AND \(conditions.sql)
                    """)
                for (index, value) in zip(Int32(1)..., conditions.parameters) {
                    try note.bind(integer: value, at: index)
                }
                try note.run()
            }
        }
    }

    private func note(_ ids: [RecordID], _ kind: RecordKind) throws {
        let rows = DeletionRows(connection, kind)
        let note = try connection.prepare(
            """
            INSERT OR IGNORE INTO selected SELECT \(kind.rawValue), sequence
            FROM \(kind.table) WHERE sequence = ? AND \(Self.isMember(kind))
            """)
        for id in ids {
            guard let row = try rows.find(id) else { continue }
            try note.bind(integer: row.position.row, at: 1)
            try note.run()
        }
    }

    // MARK: SQL

    private static let kinds: Set<RecordKind> = [.sample, .category, .correlation]

    private static func isMember(_ kind: RecordKind) -> String {
        guard kind != .correlation else { return "1" }
        return "sequence IN (SELECT \(kind.table) FROM member WHERE \(kind.table) IS NOT NULL)"
    }

    private static let beginSQL = """
        CREATE TEMP TABLE selected (kind INTEGER, row INTEGER, PRIMARY KEY (kind, row)) WITHOUT ROWID;
        CREATE TEMP TABLE affected (correlation INTEGER PRIMARY KEY);
        """
    private static let endSQL = "DROP TABLE temp.selected; DROP TABLE temp.affected;"

    private static func selected(_ kind: RecordKind) -> String {
        "SELECT row FROM selected WHERE kind = \(kind.rawValue)"
    }

    private static let affectedSQL = """
        INSERT OR IGNORE INTO affected \(selected(.correlation));
        INSERT OR IGNORE INTO affected
            SELECT correlation FROM member WHERE sample IN (\(selected(.sample)));
        INSERT OR IGNORE INTO affected
            SELECT correlation FROM member WHERE category IN (\(selected(.category)));
        """

    private static let correlationSQL = """
        sequence IN (SELECT correlation FROM affected)
        AND sequence NOT IN (\(selected(.correlation)))
        """

    /// As the triggers of the schema: a member of another correlation too remains.
    private static func memberSQL(_ kind: RecordKind) -> String {
        let table = kind.table
        return """
            sequence IN (
                SELECT \(table) FROM member
                WHERE \(table) IS NOT NULL AND correlation IN (SELECT correlation FROM affected))
            AND sequence NOT IN (\(selected(kind)))
            AND NOT EXISTS (
                SELECT 1 FROM member WHERE member.\(table) = \(table).sequence
                AND correlation NOT IN (SELECT correlation FROM affected))
            """
    }
}
