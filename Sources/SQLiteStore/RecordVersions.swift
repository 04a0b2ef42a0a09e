import HealthModel
import HealthStore
import SQLite

/// Keeps one record of those with one sync identifier: that with the highest version.
///
/// The table `version` has the ids of all records with a sync identifier, and of all workouts, by a hash of
/// the identifier. Others cost nothing.
final class RecordVersions {
    /// A version that is stored.
    struct Stored {
        let id: RecordID
        let number: Double
    }

    private let connection: SQLiteConnection
    private let findIDs: SQLiteStatement
    private let insert: SQLiteStatement
    /// Prepared when a record of the kind is compared for the first time.
    private var readers: [RecordKind: (rows: DeletionRows, read: SQLiteStatement)] = [:]
    private var text = MetadataText()

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        findIDs = try connection.prepare("SELECT id FROM version WHERE hash = ? AND kind = ?")
        insert = try connection.prepare("INSERT OR IGNORE INTO version VALUES (?, ?, ?)")
    }

    /// The stored versions of a record.
    func stored(_ version: RecordVersion, _ kind: RecordKind) throws -> [Stored] {
        try findIDs.bind(integer: version.hash, at: 1)
        try findIDs.bind(integer: kind.rawValue, at: 2)
        var ids: [RecordID] = []
        try findIDs.forEachRow { row in
            if let id = RecordID(row, at: 0) { ids.append(id) }
        }
        return try ids.compactMap { id in
            guard let found = try self.version(of: id, kind), found.key == version.key else {
                return nil
            }
            return Stored(id: id, number: found.number)
        }
    }

    /// Notes that a record has a version.
    func note(_ version: RecordVersion, of id: RecordID, _ kind: RecordKind) throws {
        try insert.bind(integer: version.hash, at: 1)
        try insert.bind(integer: kind.rawValue, at: 2)
        try insert.bind(id, at: 3)
        try insert.run()
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        findIDs.reset()
        insert.reset()
    }

    private func version(of id: RecordID, _ kind: RecordKind) throws -> RecordVersion? {
        let (rows, read) = try readers[kind] ?? reader(of: kind)
        guard let row = try rows.find(id)?.position.row else { return nil }
        defer { read.reset() }
        try read.bind(integer: row, at: 1)
        guard try read.step() else { return nil }
        let type = kind == .workout ? RecordType.workout.name : read.text(at: 0)
        return RecordVersion(
            kind, type ?? "", read.text(at: 1), read.text(at: 2),
            text.metadata(of: read.text(at: 3)) ?? Metadata(), id: kind == .workout ? id : nil)
    }

    private func reader(
        of kind: RecordKind
    ) throws -> (rows: DeletionRows, read: SQLiteStatement) {
        let read = try connection.prepare(
            """
            SELECT (SELECT name FROM type WHERE id = \(kind.type)),
                (SELECT name FROM person WHERE id = \(kind.person)),
                (SELECT name FROM source WHERE id = \(kind.source)), metadata
            FROM \(kind.table) WHERE sequence = ?
            """)
        let reader = (DeletionRows(connection, kind), read)
        readers[kind] = reader
        return reader
    }
}

extension RecordVersion {
    /// The hash of the identifier (FNV-1a) in a file: the identifier itself may name what it belongs to.
    var hash: Int64 {
        var hash = FNV1a()
        hash.combine(bytes: key.identifier)
        return Int64(bitPattern: hash.value)
    }
}
