package import HealthModel
import SQLite

extension SQLiteStore {
    /// Saves a session and replaces its previous state.
    ///
    /// Throws `SQLiteStoreError.sessionConflict` when the person has another session.
    package func saveSession(_ session: PersistedSession) throws {
        let statements = try preparedStatements()
        try connection.transaction {
            let other = try statements.session(of: session.person)
            guard other == nil || other == session.id else {
                throw SQLiteStoreError.sessionConflict(path: connection.path)
            }
            try statements.save(session)
        }
    }

    /// Updates the time at which one session, or all, were known to be running.
    package func updateSessions(seen: Instant, id: RecordID? = nil) throws {
        try preparedStatements().update(seen: seen, id: id)
    }

    /// Returns the stored sessions, ordered by id.
    package func sessions() throws -> [PersistedSession] {
        guard try connection.userVersion >= Schema.workoutVersion else { return [] }
        let rows = try connection.prepare(
            "SELECT rowid, id, person, text, seen_ns FROM session ORDER BY id")
        var sessions: [PersistedSession] = []
        try rows.forEachRow { row in
            guard let id = RecordID(row, at: 1), let person = row.text(at: 2),
                let text = row.text(at: 3)
            else {
                throw SQLiteStoreError.unreadable(
                    table: "session", row: row.integer(at: 0), column: "id",
                    path: connection.path)
            }
            sessions.append(
                PersistedSession(
                    id: id, person: person, text: text,
                    seen: Instant(nanosecondsSince1970: row.integer(at: 4))))
        }
        return sessions
    }

    /// Removes a session, if it exists.
    package func removeSession(_ id: RecordID) throws {
        try preparedStatements().remove(id)
    }

    private func preparedStatements() throws -> SessionStatements {
        let statements = try sessionStatements ?? SessionStatements(connection)
        sessionStatements = statements
        return statements
    }
}

/// The statements that write sessions.
final class SessionStatements {
    private let find: SQLiteStatement
    private let insert: SQLiteStatement
    private let update: SQLiteStatement
    private let delete: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare("SELECT id FROM session WHERE person = ?")
        insert = try connection.prepare(
            """
            INSERT INTO session (id, person, text, seen_ns) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET person = ?2, text = ?3, seen_ns = ?4
            """)
        update = try connection.prepare(
            "UPDATE session SET seen_ns = ?1 WHERE ?2 IS NULL OR id = ?2")
        delete = try connection.prepare("DELETE FROM session WHERE id = ?")
    }

    /// Returns the id of a person's session; nil when there is none.
    func session(of person: String) throws -> RecordID? {
        defer { find.reset() }
        try find.bind(text: person, at: 1)
        return try find.step() ? RecordID(find, at: 0) : nil
    }

    func save(_ session: PersistedSession) throws {
        try insert.bind(session.id, at: 1)
        try insert.bind(text: session.person, at: 2)
        try insert.bind(text: session.text, at: 3)
        try insert.bind(integer: session.seen.nanosecondsSince1970, at: 4)
        try insert.run()
    }

    func update(seen: Instant, id: RecordID?) throws {
        try update.bind(integer: seen.nanosecondsSince1970, at: 1)
        if let id { try update.bind(id, at: 2) } else { try update.bindNull(at: 2) }
        try update.run()
    }

    func remove(_ id: RecordID) throws {
        try delete.bind(id, at: 1)
        try delete.run()
    }
}
