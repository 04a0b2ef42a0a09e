import SQLite

/// The tables of a journal.
enum JournalSchema {
    /// The application ID of a Pulsegate journal: `Plsj` in ASCII.
    static let applicationID: Int32 = 0x506c_736a
    /// A row holds a complete batch; few large pages are faster than many small ones.
    static let pageSize = 16_384

    /// The columns of each table, in order, in the newest version.
    private static let columns = [
        "batch": "first,count,position,time,checksum,lines",
        "fault": "reason,count",
        "intake": "only,converted,published,unaccepted",
        "sink": "name,start,cursor,filtered,delivered,refused,dropped,lost,formerly",
    ]

    /// Whether the file has exactly these tables and columns.
    static func matches(_ connection: SQLiteConnection) -> Bool {
        do {
            var found: [String: String] = [:]
            let tables = try connection.prepare(
                """
                SELECT m.name, (SELECT group_concat(name) FROM
                    (SELECT name FROM pragma_table_info(m.name) ORDER BY cid))
                FROM sqlite_master m WHERE m.type = 'table'
                """)
            try tables.forEachRow { found[$0.text(at: 0) ?? ""] = $0.text(at: 1) }
            return found == columns
        } catch {
            return false
        }
    }

    /// The migration steps: step N migrates from version N to N + 1.
    static let steps = [
        """
        CREATE TABLE batch (
            first INTEGER PRIMARY KEY,
            count INTEGER NOT NULL CHECK (count > 0),
            lines BLOB NOT NULL
        );
        CREATE TABLE intake (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            converted INTEGER NOT NULL DEFAULT 0,
            implausible INTEGER NOT NULL DEFAULT 0,
            duplicate INTEGER NOT NULL DEFAULT 0,
            published INTEGER NOT NULL DEFAULT 0
        );
        INSERT INTO intake (only) VALUES (1);
        CREATE TABLE sink (
            name TEXT PRIMARY KEY,
            start INTEGER NOT NULL,
            cursor INTEGER NOT NULL,
            filtered INTEGER NOT NULL DEFAULT 0,
            delivered INTEGER NOT NULL DEFAULT 0,
            refused INTEGER NOT NULL DEFAULT 0,
            dropped INTEGER NOT NULL DEFAULT 0,
            lost INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        """,
        // The short columns precede the lines, so that they can be read without the lines. Older
        // batches have an unknown time (0) and no checksum.
        """
        CREATE TABLE whole (
            first INTEGER PRIMARY KEY,
            count INTEGER NOT NULL CHECK (count > 0),
            position INTEGER NOT NULL,
            time INTEGER NOT NULL,
            checksum INTEGER,
            lines BLOB NOT NULL
        );
        INSERT INTO whole
            SELECT first, count,
                sum(length(lines)) OVER (ORDER BY first) - length(lines), 0, NULL, lines
            FROM batch;
        DROP TABLE batch;
        ALTER TABLE whole RENAME TO batch;
        ALTER TABLE intake ADD COLUMN unaccepted INTEGER NOT NULL DEFAULT 0;
        """,
        // The previous name makes a swap of two sink names apply only once.
        "ALTER TABLE sink ADD COLUMN formerly TEXT;",
        // One row per reason why readings became no record.
        """
        CREATE TABLE fault (
            reason TEXT PRIMARY KEY,
            count INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO fault SELECT 'implausible', implausible FROM intake WHERE implausible <> 0;
        INSERT INTO fault SELECT 'duplicate', duplicate FROM intake WHERE duplicate <> 0;
        ALTER TABLE intake DROP COLUMN implausible;
        ALTER TABLE intake DROP COLUMN duplicate;
        """,
    ]
}
