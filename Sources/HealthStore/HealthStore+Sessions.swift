package import HealthModel
import SQLite

/// A workout in progress, as it is kept so that it can go on after a crash.
package struct PersistedSession: Hashable, Sendable {
    /// The name of the workout for life.
    package let id: RecordID
    /// The name of the person, who has one workout at a time.
    package let person: String
    /// What its owner has to know to go on; nothing here looks into it.
    package let text: String
    /// When it was known to go on, the last time.
    package let seen: Instant

    package init(id: RecordID, person: String, text: String, seen: Instant) {
        self.id = id
        self.person = person
        self.text = text
        self.seen = seen
    }
}

extension HealthStore {
    /// Keeps a session in place of what was kept of it before.
    ///
    /// Throws `HealthStoreError.otherSession` when its person has another one.
    package func keepSession(_ session: PersistedSession) throws {
        let statements = try preparedStatements()
        try connection.transaction {
            let other = try statements.session(of: session.person)
            guard other == nil || other == session.id else {
                throw HealthStoreError.otherSession(path: connection.path)
            }
            try statements.keep(session)
        }
    }

    /// Notes when sessions were known to go on, of all of them or of one.
    package func noteSessions(seen: Instant, id: RecordID? = nil) throws {
        try preparedStatements().note(seen: seen, id: id)
    }

    /// Returns the sessions that were kept, in the order of their ids.
    package func sessions() throws -> [PersistedSession] {
        guard try connection.userVersion >= Schema.workoutVersion else { return [] }
        let rows = try connection.prepare(
            "SELECT rowid, id, person, text, seen_ns FROM session ORDER BY id")
        var sessions: [PersistedSession] = []
        try rows.forEachRow { row in
            guard let id = RecordID(row, at: 1), let person = row.text(at: 2),
                let text = row.text(at: 3)
            else {
                throw HealthStoreError.unreadable(
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

    /// Forgets a session; one that is not there is forgotten already.
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
    private let note: SQLiteStatement
    private let delete: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare("SELECT id FROM session WHERE person = ?")
        insert = try connection.prepare(
            """
            INSERT INTO session (id, person, text, seen_ns) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET person = ?2, text = ?3, seen_ns = ?4
            """)
        note = try connection.prepare(
            "UPDATE session SET seen_ns = ?1 WHERE ?2 IS NULL OR id = ?2")
        delete = try connection.prepare("DELETE FROM session WHERE id = ?")
    }

    /// The id of a person's session; nil when there is none.
    func session(of person: String) throws -> RecordID? {
        defer { find.reset() }
        try find.bind(text: person, at: 1)
        return try find.step() ? RecordID(find, at: 0) : nil
    }

    func keep(_ session: PersistedSession) throws {
        try insert.bind(session.id, at: 1)
        try insert.bind(text: session.person, at: 2)
        try insert.bind(text: session.text, at: 3)
        try insert.bind(integer: session.seen.nanosecondsSince1970, at: 4)
        try insert.run()
    }

    func note(seen: Instant, id: RecordID?) throws {
        try note.bind(integer: seen.nanosecondsSince1970, at: 1)
        if let id { try note.bind(id, at: 2) } else { try note.bindNull(at: 2) }
        try note.run()
    }

    func remove(_ id: RecordID) throws {
        try delete.bind(id, at: 1)
        try delete.run()
    }
}
