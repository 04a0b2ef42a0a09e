import HealthModel
import HealthStore
import SQLite

/// Deletes records in batches, each in one transaction, and notes their ids.
///
/// Triggers note what is deleted together with a record: the members of a correlation, and the
/// correlations of a sample. They exist only during a batch, so that retention notes nothing.
struct RecordDeleter {
    /// The maximum number of selected records in a batch.
    static let batchRows = 500

    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    /// Deletes the next batch.
    func deleteNext(of deletion: Deletion) throws -> Deletion {
        guard let kind = deletion.kinds.first else { return deletion }
        var deletion = deletion
        return try connection.transaction {
            try connection.execute(Self.beginSQL(of: deletion))
            try markPerson(of: deletion.selection)
            try deleteNext(of: &deletion, kind)
            for count in try counts() { deletion.add(count) }
            try noteChanges()
            if deletion.isComplete { try finish(deletion.selection) }
            try connection.execute(Self.endSQL)
            return deletion
        }
    }

    /// Marks the row of a person, so that an import that runs stores no more records of the person.
    private func markPerson(of selection: DeletionSelection) throws {
        guard case .person(let name) = selection, let row = try lookup.person(named: name) else {
            return
        }
        let mark = try connection.prepare("INSERT OR IGNORE INTO deleting VALUES (?)")
        try mark.bind(integer: row, at: 1)
        try mark.run()
    }

    private func deleteNext(of deletion: inout Deletion, _ kind: RecordKind) throws {
        let found = DeletionRows(connection, kind)
        // Prepared for each batch, because its triggers are part of it.
        let delete = try connection.prepare(
            "DELETE FROM \(kind.table) WHERE sequence = ? AND id = ?")
        if case .records(let ids, _) = deletion.selection {
            let part = ids.dropFirst(deletion.idIndex).prefix(Self.batchRows)
            for id in part {
                if let row = try found.find(id) { try remove(row, kind, delete, deletion) }
            }
            deletion.idIndex += part.count
            guard deletion.idIndex >= ids.count else { return }
        } else if let conditions = try DeletionConditions(
            deletion.selection, kind, after: deletion.position, lookup)
        {
            let rows = try found.next(conditions, limit: Self.batchRows)
            for row in rows { try remove(row, kind, delete, deletion) }
            deletion.position = rows.last?.position
            guard rows.count < Self.batchRows else { return }
        }
        deletion.kinds = deletion.kinds.dropFirst()
        deletion.position = nil
        deletion.idIndex = 0
    }

    /// Deletes a row, unless another one has its number by now.
    private func remove(
        _ row: DeletionRows.Row, _ kind: RecordKind, _ statement: SQLiteStatement,
        _ deletion: Deletion
    ) throws {
        if kind == .workout { try removeVersions(of: row, deletion) }
        try statement.bind(integer: row.position.row, at: 1)
        try statement.bind(row.id, at: 2)
        try statement.run()
    }

    /// Removes the notes about what imported files have of a workout, and notes its identifier, which
    /// is the id of its first version: a journal may deliver that version once more.
    private func removeVersions(of row: DeletionRows.Row, _ deletion: Deletion) throws {
        let find = try connection.prepare("SELECT metadata FROM workout WHERE sequence = ?")
        try find.bind(integer: row.position.row, at: 1)
        guard try find.step() else { return }
        var text = MetadataText()
        let identifier: String? = text.metadata(of: find.text(at: 0))?[.syncIdentifier]
        let id = identifier.flatMap { RecordID(uuidString: $0) } ?? row.id
        let key = WorkoutContribution.key(of: identifier ?? row.id.description)
        try ImportLog(connection).removeContributions(to: key)
        if deletion.isNoted, id != row.id { try note(firstVersion: id, at: deletion.at) }
    }

    private func note(firstVersion id: RecordID, at time: Instant) throws {
        let note = try connection.prepare("INSERT OR IGNORE INTO deletion VALUES (?, ?, NULL, ?)")
        try note.bind(id, at: 1)
        try note.bind(integer: RecordKind.workout.rawValue, at: 2)
        try note.bind(integer: time.nanosecondsSince1970, at: 3)
        try note.run()
        // Other sinks may still have it.
        try ChangeLog(connection).note(removed: [id], of: .workout)
    }

    /// Removes what else the store has of a person: the session, the characteristics and the name.
    ///
    /// The row of the person remains without the name, because a reader may have its number.
    private func finish(_ selection: DeletionSelection) throws {
        guard case .person(let name) = selection else { return }
        let session = try connection.prepare("DELETE FROM session WHERE person = ?")
        for spelling in try sessionPeople() where spelling == name {
            try session.bind(text: spelling, at: 1)
            try session.run()
        }
        let row = try lookup.person(named: name)
        for sql in [
            "UPDATE person SET name = 'deleted ' || lower(hex(randomblob(16))) WHERE id = ?",
            "DELETE FROM deleting WHERE person = ?",
            "DELETE FROM characteristic WHERE person = ?",
        ] {
            let statement = try connection.prepare(sql)
            try statement.bind(integer: row, at: 1)
            try statement.run()
        }
    }

    /// The people who have a session, in the spelling of the session.
    private func sessionPeople() throws -> [String] {
        var people: [String] = []
        try connection.prepare("SELECT person FROM session").forEachRow { row in
            if let name = row.text(at: 0) { people.append(name) }
        }
        return people
    }

    private func counts() throws -> [DeletionCount] {
        let rows = try connection.prepare(
            """
            SELECT kind, (SELECT name FROM type WHERE id = deleted_record.type), count(*)
            FROM temp.deleted_record GROUP BY kind, type
            """)
        var counts: [DeletionCount] = []
        try rows.forEachRow { row in
            guard let kind = RecordKind(rawValue: row.integer(at: 0)) else { return }
            counts.append(
                DeletionCount(kind: kind, type: row.text(at: 1), count: Int(row.integer(at: 2))))
        }
        return counts
    }

    /// Notes the deleted records in the log of changes.
    private func noteChanges() throws {
        let rows = try connection.prepare("SELECT kind, id FROM temp.deleted_record")
        var removed: [RecordKind: [RecordID]] = [:]
        try rows.forEachRow { row in
            guard let kind = RecordKind(rawValue: row.integer(at: 0)),
                let id = RecordID(row, at: 1)
            else { return }
            removed[kind, default: []].append(id)
        }
        let log = try ChangeLog(connection)
        for kind in RecordKind.allCases { try log.note(removed: removed[kind] ?? [], of: kind) }
    }

    // MARK: Triggers

    private static func beginSQL(of deletion: Deletion) -> String {
        let time = deletion.at.nanosecondsSince1970
        let triggers = RecordKind.allCases.map { kind in
            let type = kind.hasType ? "OLD.type" : "NULL"
            let note =
                "INSERT OR REPLACE INTO deletion VALUES (OLD.id, \(kind.rawValue), \(type), \(time));"
            return """
                CREATE TEMP TRIGGER note_\(kind.table) AFTER DELETE ON main.\(kind.table) BEGIN
                    \(deletion.isNoted ? note : "")
                    INSERT INTO deleted_record VALUES (\(kind.rawValue), \(type), OLD.id);
                    \(kind == .sample ? "UPDATE tally SET removed = removed + 1;" : "")
                END;
                """
        }
        return "CREATE TEMP TABLE deleted_record (kind INTEGER, type INTEGER, id BLOB);\n"
            + triggers.joined(separator: "\n")
    }

    private static let endSQL =
        RecordKind.allCases.map { "DROP TRIGGER temp.note_\($0.table);\n" }.joined()
        + "DROP TABLE temp.deleted_record;"
}
