import HealthModel
import SQLite

/// The migration to version 5, whose rows of samples take three quarters of the space.
///
/// - The number of a row is made of the time and the hash in the sample's id, see ``SampleRows``. So
///   ids need no index, and rows are in the order of time.
/// - What many samples have in common is a row of `origin`: unit, person, device, source, and whether
///   a person entered them.
/// - The index has all that statistics read.
/// - `tally` counts the rows that were ever stored or removed.
enum SampleConversion {
    /// The first version with this table of samples.
    static let version = 5

    static let step = MigrationStep.converting(before: before, convert, after: after)

    private static let before = """
        DROP TRIGGER sample_removed;
        DROP TRIGGER correlation_removed;
        DROP INDEX sample_type_start;
        ALTER TABLE sample RENAME TO sample_before;
        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            unit INTEGER NOT NULL REFERENCES unit,
            person INTEGER REFERENCES person,
            device INTEGER REFERENCES device,
            source INTEGER REFERENCES source,
            is_entered INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX origin_values ON origin (
            unit, coalesce(person, 0), coalesce(device, 0), coalesce(source, 0), is_entered
        );
        CREATE TABLE sample (
            sequence INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            type INTEGER NOT NULL REFERENCES type,
            origin INTEGER NOT NULL REFERENCES origin,
            start_ns INTEGER NOT NULL,
            duration_ns INTEGER NOT NULL,
            value REAL NOT NULL,
            metadata TEXT,
            CHECK (duration_ns >= 0)
        );
        CREATE INDEX sample_type_start ON sample (type, start_ns, duration_ns, value, origin);
        CREATE TABLE displaced (
            id BLOB PRIMARY KEY,
            sequence INTEGER NOT NULL,
            home INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX displaced_home ON displaced (home);
        CREATE INDEX displaced_sequence ON displaced (sequence);
        CREATE TABLE tally (stored INTEGER NOT NULL, removed INTEGER NOT NULL);
        INSERT INTO tally VALUES (0, 0);
        CREATE TEMP TABLE moved (before INTEGER PRIMARY KEY, now INTEGER NOT NULL);
        """

    // A sample that is removed takes its correlations with it; then a displaced one gets the number.
    // The view `samples` is for other programs.
    private static let after = """
        UPDATE member SET sample = coalesce(
            (SELECT now FROM temp.moved WHERE before = sample), sample)
        WHERE sample IS NOT NULL;
        DROP TABLE temp.moved;
        DROP TABLE sample_before;
        CREATE TRIGGER correlation_removed AFTER DELETE ON correlation BEGIN
            DELETE FROM sample WHERE sequence IN (
                SELECT own.sample FROM member own WHERE own.correlation = OLD.sequence
                AND NOT EXISTS (
                    SELECT 1 FROM member other WHERE other.sample = own.sample
                    AND other.correlation <> OLD.sequence));
            DELETE FROM category WHERE sequence IN (
                SELECT own.category FROM member own WHERE own.correlation = OLD.sequence
                AND NOT EXISTS (
                    SELECT 1 FROM member other WHERE other.category = own.category
                    AND other.correlation <> OLD.sequence));
            DELETE FROM member WHERE correlation = OLD.sequence;
        END;
        CREATE TRIGGER sample_removed AFTER DELETE ON sample
        WHEN OLD.sequence < 0
        OR EXISTS (SELECT 1 FROM member WHERE sample = OLD.sequence)
        OR EXISTS (SELECT 1 FROM displaced WHERE home = OLD.sequence) BEGIN
            DELETE FROM correlation WHERE sequence IN (
                SELECT correlation FROM member WHERE sample = OLD.sequence);
            DELETE FROM displaced WHERE sequence = OLD.sequence;
            UPDATE member SET sample = OLD.sequence WHERE sample = (
                SELECT max(sequence) FROM displaced WHERE home = OLD.sequence);
            UPDATE sample SET sequence = OLD.sequence WHERE sequence = (
                SELECT max(sequence) FROM displaced WHERE home = OLD.sequence);
            DELETE FROM displaced WHERE sequence = (
                SELECT max(sequence) FROM displaced WHERE home = OLD.sequence);
        END;
        CREATE VIEW samples AS SELECT
            lower(hex(sample.id)) AS id, type.name AS type, start_ns,
            start_ns + duration_ns AS end_ns, value, unit.name AS unit, person.name AS person,
            coalesce(device.name, device.local_identifier) AS device, source.name AS source,
            metadata
        FROM type CROSS JOIN sample ON sample.type = type.id
        CROSS JOIN origin ON origin.id = sample.origin
        CROSS JOIN unit ON unit.id = origin.unit
        LEFT JOIN person ON person.id = origin.person
        LEFT JOIN device ON device.id = origin.device
        LEFT JOIN source ON source.id = origin.source;
        """

    /// Writes the samples of the earlier table to the new one.
    private static func convert(_ connection: SQLiteConnection) throws {
        let rows = try SampleRows(connection)
        let origins = try RowIdentifiers(originRowsOn: connection)
        let members = try MovedMembers(connection)
        let all = try connection.prepare(
            """
            SELECT sequence, id, type, start_ns, end_ns, value, unit, person, device, source,
                metadata
            FROM sample_before ORDER BY sequence
            """)
        var count: Int64 = 0
        var metadata = MetadataText()
        try all.forEachRow { row in
            let sample = try sample(of: row, &metadata, origins, path: connection.path)
            try rows.insert(sample)
            try members.note(row.integer(at: 0), sample.id, in: rows)
            count += 1
        }
        try connection.execute("UPDATE tally SET stored = \(count)")
    }

    private static func sample(
        of row: SQLiteStatement, _ metadata: inout MetadataText,
        _ origins: RowIdentifiers<OriginRow>, path: String
    ) throws -> SampleRow {
        guard let id = RecordID(row, at: 1) else {
            throw SQLiteStoreError.unreadable(
                table: "sample", row: row.integer(at: 0), column: "id", path: path)
        }
        let text = row.text(at: 10)
        let origin = OriginRow(
            unit: row.integer(at: 6), person: row.integerOrNil(at: 7),
            device: row.integerOrNil(at: 8), source: row.integerOrNil(at: 9),
            isEntered: metadata.metadata(of: text)?[.wasUserEntered] == true)
        return SampleRow(
            id: id, type: row.integer(at: 2), origin: try origins.row(of: origin),
            start: row.integer(at: 3), duration: row.integer(at: 4) &- row.integer(at: 3),
            value: row.real(at: 5), metadata: text)
    }
}

/// The new numbers of the rows that are members of correlations.
private struct MovedMembers {
    private let isMember: SQLiteStatement
    private let note: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        isMember = try connection.prepare("SELECT 1 FROM member WHERE sample = ?")
        note = try connection.prepare("INSERT INTO temp.moved VALUES (?, ?)")
    }

    /// Notes where a sample is now, if it is a member.
    func note(_ before: Int64, _ id: RecordID, in rows: SampleRows) throws {
        try isMember.bind(integer: before, at: 1)
        defer { isMember.reset() }
        guard try isMember.step(), let now = try rows.find(id) else { return }
        try note.bind(integer: before, at: 1)
        try note.bind(integer: now, at: 2)
        try note.run()
    }
}

extension SQLiteStatement {
    fileprivate func integerOrNil(at column: Int32) -> Int64? {
        isNull(at: column) ? nil : integer(at: column)
    }
}
