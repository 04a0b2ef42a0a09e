package import HealthModel
package import HealthStore
import SQLite

extension SQLiteStore {
    /// Returns the deletions since an anchor, at least as many as the limit when there are so many.
    ///
    /// A user made these, or a later version with the sync identifier has replaced the records; what became
    /// too old is not among them.
    ///
    /// - Parameter anchor: Nil for the records that were replaced, as far as the log of changes goes back.
    /// - Throws: `HealthStoreError.foreignAnchor` or `expiredAnchor`; then begin with
    ///   ``deletions(after:limit:)`` and without an anchor.
    package func deletions(since anchor: StoreAnchor?, limit: Int) throws -> DeletionPage {
        try connection.readTransaction {
            let reader = try ChangeReader(connection, lookup, types: .standard, limit: limit)
            guard let anchor else { return try reader.replacements() }
            return try reader.deletions(since: anchor)
        }
    }

    /// Returns the deletions of some records; what was replaced or became too old is not among them.
    package func deletions(of ids: [RecordID]) throws -> [DeletedRecord] {
        guard try hasDeletedRecords() else { return [] }
        return try connection.readTransaction {
            let notes = try DeletionNotes(connection)
            return try ids.compactMap { try notes.deletion(of: $0) }
        }
    }

    /// Returns all deletions in the order of their ids, after one of them.
    package func deletions(after id: RecordID?, limit: Int) throws -> [DeletedRecord] {
        try connection.readTransaction {
            let notes = try DeletionNotes(connection)
            return try notes.deletions(after: id, limit: limit)
        }
    }
}

extension ChangeReader {
    /// All records that a later version has replaced; the log has few of them.
    fileprivate func replacements() throws -> DeletionPage {
        let changes = try connection.prepare(
            "SELECT number, kind, content FROM change WHERE kind < ? ORDER BY number")
        try changes.bind(integer: -ChangeLog.replacedKind, at: 1)
        var found: [DeletedRecord] = []
        try changes.forEachRow { found += try replaced($0) }
        return DeletionPage(deletions: found, anchor: try newestAnchor(), hasMore: false)
    }

    fileprivate func deletions(since anchor: StoreAnchor) throws -> DeletionPage {
        try check(anchor)
        let changes = try connection.prepare(
            "SELECT number, kind, content FROM change WHERE number > ? AND kind < 0 ORDER BY number"
        )
        try changes.bind(integer: anchor.number, at: 1)
        let notes = try DeletionNotes(connection)
        var found: [DeletedRecord] = []
        while found.count < limit, try changes.step() {
            found +=
                try isReplacement(changes)
                ? replaced(changes)
                : removedIDs(of: changes).compactMap { try notes.deletion(of: $0) }
            if found.count >= limit {
                let number = changes.integer(at: 0)
                return DeletionPage(
                    deletions: found, anchor: try self.anchor(number, nil), hasMore: true)
            }
        }
        return DeletionPage(deletions: found, anchor: try newestAnchor(), hasMore: false)
    }
}

extension ChangeReader {
    /// The deletions in a change of records that are not stored; those whose type is not known are left out.
    func deletions(_ change: SQLiteStatement, _ ids: [RecordID]) throws -> [DeletedRecord] {
        if isReplacement(change) { return try replaced(change) }
        let notes = try DeletionNotes(connection)
        return try ids.compactMap { try notes.deletion(of: $0) }
    }

    /// The records that a later version has replaced, as deletions; one that was stored again since is not
    /// among them.
    private func replaced(_ change: SQLiteStatement) throws -> [DeletedRecord] {
        let kind = try kind(of: change)
        let stored = DeletionRows(connection, kind)
        let ids = try removedIDs(of: change).filter { try stored.find($0) == nil }
        guard !ids.isEmpty else { return [] }
        let (type, time) = change.withBlob(at: 2) { bytes in
            (
                Int64(bigEndianBytes: bytes[0..<8]),
                Int64(bigEndianBytes: bytes[8..<ChangeLog.replacedHead])
            )
        }
        let name = try kind == .workout ? RecordType.workout.name : typeName(type)
        return ids.map {
            DeletedRecord(
                id: $0, typeName: name, at: Instant(nanosecondsSince1970: time), store: store)
        }
    }

    private func typeName(_ row: Int64) throws -> String? {
        let find = try connection.prepare("SELECT name FROM type WHERE id = ?")
        try find.bind(integer: row, at: 1)
        return try find.step() ? find.text(at: 0) : nil
    }
}

/// Reads the table `deletion`.
private struct DeletionNotes {
    private static let columns = """
        id, (SELECT name FROM type WHERE type.id = deletion.type), kind, at_ns FROM deletion
        """

    private let find: SQLiteStatement
    private let next: SQLiteStatement
    private let store: UInt64
    private let path: String

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare("SELECT \(Self.columns) WHERE id = ?")
        next = try connection.prepare(
            "SELECT \(Self.columns) WHERE id > coalesce(?, X'') ORDER BY id LIMIT ?")
        store = try connection.storeIdentity()
        path = connection.path
    }

    /// The deletion of a record; nil when it was not deleted, or was stored again.
    func deletion(of id: RecordID) throws -> DeletedRecord? {
        defer { find.reset() }
        try find.bind(id, at: 1)
        return try find.step() ? try deletion(find) : nil
    }

    func deletions(after id: RecordID?, limit: Int) throws -> [DeletedRecord] {
        if let id { try next.bind(id, at: 1) }
        try next.bind(integer: Int64(limit), at: 2)
        var deletions: [DeletedRecord] = []
        try next.forEachRow { deletions.append(try deletion($0)) }
        return deletions
    }

    private func deletion(_ row: SQLiteStatement) throws -> DeletedRecord {
        guard let id = RecordID(row, at: 0) else {
            throw SQLiteStoreError.unreadable(table: "deletion", row: 0, column: "id", path: path)
        }
        let isWorkout = row.integer(at: 2) == RecordKind.workout.rawValue
        return DeletedRecord(
            id: id, typeName: isWorkout ? RecordType.workout.name : row.text(at: 1),
            at: Instant(nanosecondsSince1970: row.integer(at: 3)), store: store)
    }
}
