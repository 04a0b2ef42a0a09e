import HealthModel
import HealthStore
import SQLite

/// The migration to version 10, with the versions of records (see ``RecordVersions``) and the
/// characteristics of people.
///
/// It reads all records once, to find those with a sync identifier.
enum VersionSchema {
    static let step = MigrationStep.converting(before: before, convert, after: after)

    private static let kinds: [RecordKind] = [.sample, .category, .correlation, .workout]

    // `id` is of a record of the kind. A characteristic has its name and the name of its value.
    private static let before = """
        CREATE TABLE version (
            hash INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            id BLOB NOT NULL,
            PRIMARY KEY (hash, kind, id)
        ) WITHOUT ROWID;
        CREATE INDEX version_id ON version (id);
        CREATE TABLE characteristic (
            person INTEGER NOT NULL REFERENCES person,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (person, name)
        ) WITHOUT ROWID;
        """

    private static let after = kinds.map { kind in
        """
        CREATE TRIGGER version_\(kind.table)_removed AFTER DELETE ON \(kind.table)
        WHEN \(isVersion(kind, of: "OLD.")) BEGIN
            DELETE FROM version WHERE id = OLD.id AND kind = \(kind.rawValue);
        END;
        """
    }.joined(separator: "\n")

    private static func isVersion(_ kind: RecordKind, of row: String) -> String {
        let key = MetadataKey<String>.syncIdentifier.name
        return kind == .workout ? "1" : "instr(\(row)metadata, '\(key)')"
    }

    /// Notes the versions of the records that are stored.
    private static func convert(_ connection: SQLiteConnection) throws {
        let versions = try RecordVersions(connection)
        for kind in kinds {
            let all = try connection.prepare(
                "SELECT id, metadata FROM \(kind.table) WHERE \(isVersion(kind, of: ""))")
            var text = MetadataText()
            try all.forEachRow { row in
                guard let id = RecordID(row, at: 0),
                    let version = RecordVersion(
                        kind, "", nil, nil, text.metadata(of: row.text(at: 1)) ?? Metadata(),
                        id: kind == .workout ? id : nil)
                else { return }
                try versions.note(version, of: id, kind)
            }
        }
    }
}
