import HourSummaries
import SQLite

/// The database schema of the store.
///
/// Times are nanoseconds since 1970 in UTC, ids are the 16 bytes of a UUID. Values that repeat in
/// many samples (device, source, person, type, unit) have tables of their own.
enum Schema {
    /// The application ID of a store: `PgHS` in ASCII.
    static let applicationID: Int32 = 0x5067_4853

    /// The migration steps: step N migrates from version N to N + 1.
    ///
    /// A released step is never changed.
    static let steps: [MigrationStep] = [
        .sql(version1), .sql(version2), .sql(version3), .sql(version4), SampleConversion.step,
        .sql(version6), .sql(version7), .sql(version8), .sql(version9), VersionSchema.step,
    ]

    // NULL and "" are different values of a device; a blob equals no text, so X'' represents NULL.
    // `longest_ns` is the duration of the longest sample, for queries by time. `canonical` is the
    // value in the type's canonical unit; NULL when it is not finite or the type is undeclared.
    private static let version1 = """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            name TEXT, manufacturer TEXT, model TEXT, hardware_version TEXT,
            firmware_version TEXT, software_version TEXT, local_identifier TEXT, serial TEXT
        );
        CREATE UNIQUE INDEX device_values ON device (
            coalesce(local_identifier, X''), coalesce(name, X''), coalesce(manufacturer, X''),
            coalesce(model, X''), coalesce(hardware_version, X''),
            coalesce(firmware_version, X''), coalesce(software_version, X''),
            coalesce(serial, X'')
        );
        CREATE TABLE source (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT
        );
        CREATE UNIQUE INDEX source_values ON source (name, coalesce(version, X''));
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE type (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            longest_ns INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE unit (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE sample (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            type INTEGER NOT NULL REFERENCES type,
            start_ns INTEGER NOT NULL,
            end_ns INTEGER NOT NULL,
            value REAL NOT NULL,
            unit INTEGER NOT NULL REFERENCES unit,
            canonical REAL,
            person INTEGER REFERENCES person,
            device INTEGER REFERENCES device,
            source INTEGER REFERENCES source,
            metadata TEXT,
            CHECK (start_ns <= end_ns)
        );
        CREATE INDEX sample_type_start ON sample (type, start_ns);
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            at_ns INTEGER NOT NULL,
            device INTEGER NOT NULL REFERENCES device,
            source INTEGER REFERENCES source,
            person INTEGER REFERENCES person,
            connection TEXT,
            contact INTEGER,
            battery REAL,
            reason TEXT
        );
        CREATE INDEX event_at ON event (at_ns);
        """
    /// The first version whose events have metadata.
    static let eventMetadataVersion = 2
    private static let version2 = "ALTER TABLE event ADD COLUMN metadata TEXT"

    /// The first version with category samples and correlations.
    static let correlationVersion = 3
    // The members of a correlation are ordinary rows of `sample` and `category`, linked by
    // `member`. Triggers remove a correlation together with its members, so that none is ever
    // incomplete. Only a sample that belongs to another correlation too remains.
    private static let version3 = """
        CREATE TABLE category (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            type INTEGER NOT NULL REFERENCES type,
            start_ns INTEGER NOT NULL,
            end_ns INTEGER NOT NULL,
            value INTEGER NOT NULL,
            person INTEGER REFERENCES person,
            device INTEGER REFERENCES device,
            source INTEGER REFERENCES source,
            metadata TEXT,
            CHECK (start_ns <= end_ns)
        );
        CREATE INDEX category_start ON category (start_ns, type);
        CREATE TABLE correlation (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            type INTEGER NOT NULL REFERENCES type,
            start_ns INTEGER NOT NULL,
            end_ns INTEGER NOT NULL,
            person INTEGER REFERENCES person,
            device INTEGER REFERENCES device,
            source INTEGER REFERENCES source,
            metadata TEXT,
            CHECK (start_ns <= end_ns)
        );
        CREATE INDEX correlation_start ON correlation (start_ns, type);
        CREATE TABLE member (
            correlation INTEGER NOT NULL,
            sample INTEGER,
            category INTEGER,
            CHECK ((sample IS NULL) <> (category IS NULL))
        );
        CREATE INDEX member_correlation ON member (correlation);
        CREATE INDEX member_sample ON member (sample) WHERE sample IS NOT NULL;
        CREATE INDEX member_category ON member (category) WHERE category IS NOT NULL;
        CREATE TRIGGER sample_removed AFTER DELETE ON sample
        WHEN EXISTS (SELECT 1 FROM member WHERE sample = OLD.sequence) BEGIN
            DELETE FROM correlation WHERE sequence IN (
                SELECT correlation FROM member WHERE sample = OLD.sequence);
        END;
        CREATE TRIGGER category_removed AFTER DELETE ON category
        WHEN EXISTS (SELECT 1 FROM member WHERE category = OLD.sequence) BEGIN
            DELETE FROM correlation WHERE sequence IN (
                SELECT correlation FROM member WHERE category = OLD.sequence);
        END;
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
        """

    /// The first version with workouts and workout sessions.
    static let workoutVersion = 4
    // `activity` is HealthKit's raw value; `own_name` names an activity that HealthKit does not
    // have. `events` and `totals` are JSON, as in a record. The text of a session is opaque to the
    // store.
    private static let version4 = """
        CREATE TABLE workout (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            activity INTEGER NOT NULL,
            own_name TEXT,
            location INTEGER NOT NULL,
            start_ns INTEGER NOT NULL,
            end_ns INTEGER NOT NULL,
            person INTEGER REFERENCES person,
            device INTEGER REFERENCES device,
            source INTEGER REFERENCES source,
            events TEXT,
            totals TEXT,
            metadata TEXT,
            CHECK (start_ns <= end_ns)
        );
        CREATE INDEX workout_start ON workout (start_ns);
        CREATE INDEX workout_end ON workout (end_ns);
        CREATE TABLE session (
            id BLOB NOT NULL UNIQUE,
            person TEXT NOT NULL UNIQUE,
            text TEXT NOT NULL,
            seen_ns INTEGER NOT NULL
        );
        """

    /// The first version that notes the ids of deleted records.
    static let deletionVersion = 6
    // A user deleted these records, see ``RecordKind``; what retention removes is not noted. A row has
    // no value, no time of the record and no person.
    private static let version6 = """
        CREATE TABLE deletion (
            id BLOB PRIMARY KEY,
            kind INTEGER NOT NULL,
            type INTEGER REFERENCES type,
            at_ns INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// The first version with summaries of hours.
    static let summaryVersion = 7
    private static let version7 = SummarySchema.sql

    /// The first version with a log of changes, see ``ChangeLog``.
    static let changeVersion = 8
    // A negative kind is of removed records, see ``ChangeLog``. `identity` has a random number, so that an anchor of
    // another file is recognised.
    private static let version8 = """
        CREATE TABLE change (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, content BLOB NOT NULL);
        CREATE TABLE identity (store INTEGER NOT NULL);
        INSERT INTO identity VALUES (random());
        """

    /// The first version that notes what imports have stored, see ``ImportLog``.
    static let importVersion = 9
    // `deleting` has the people whose records are being deleted.
    private static let version9 = """
        CREATE TABLE imported (
            number INTEGER PRIMARY KEY,
            import INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            content BLOB NOT NULL
        );
        CREATE INDEX imported_rows ON imported (kind, last, first, import);
        CREATE TABLE deleting (person INTEGER PRIMARY KEY);
        """

    /// The first version with versions of records and characteristics of people.
    static let characteristicVersion = 10
}
