/// The tables of the summaries: what the samples of each hour contribute to statistics.
///
/// A row of `summary` is a ``StatisticsPart`` of one type, hour, person and origin; a person of 0 is
/// none. Rows of several origins together exist only for types that are not cumulative, and only for
/// hours in which they differ from the row of one origin, see ``SummaryScope``.
///
/// `summary_progress` has the first hour of each type that has no summary yet, with the properties of
/// the type that rows depend on. Hours whose samples have changed since are in `summary_mark`: a trigger
/// adds them for samples that are removed, and the store for those that arrive late, which costs less.
package enum SummarySchema {
    /// The statements that create them in a database with the table `sample`.
    package static let sql = """
        CREATE TABLE summary (
            type INTEGER NOT NULL,
            hour INTEGER NOT NULL,
            person INTEGER NOT NULL,
            origin INTEGER NOT NULL,
            started INTEGER NOT NULL,
            continued INTEGER NOT NULL,
            latest INTEGER,
            latest_start_ns INTEGER,
            latest_end_ns INTEGER,
            covered_ns INTEGER NOT NULL,
            sum REAL,
            started_mean REAL,
            continued_mean REAL,
            minimum REAL,
            maximum REAL,
            integral REAL,
            seconds REAL,
            energy REAL,
            PRIMARY KEY (type, hour, person, origin)
        ) WITHOUT ROWID;
        CREATE TABLE summary_progress (
            type INTEGER PRIMARY KEY,
            until_hour INTEGER NOT NULL,
            unit TEXT NOT NULL,
            style TEXT NOT NULL
        );
        CREATE TABLE summary_mark (
            type INTEGER NOT NULL,
            first_hour INTEGER NOT NULL,
            last_hour INTEGER NOT NULL,
            PRIMARY KEY (type, first_hour, last_hour)
        ) WITHOUT ROWID;
        CREATE TRIGGER summary_removed AFTER DELETE ON sample BEGIN \(mark("OLD")) END;
        CREATE TRIGGER summary_changed AFTER UPDATE ON sample BEGIN
            \(mark("OLD")) \(mark("NEW"))
        END;
        """

    /// The statements that mark the hours of a row, and remove their summaries: they may show values of
    /// a person whose records are deleted.
    private static func mark(_ row: String) -> String {
        let first = "max(0, \(row).start_ns - \(SummaryHours.gap)) / \(SummaryHours.length)"
        let last = """
            max(0, \(row).start_ns + \(row).duration_ns + \(SummaryHours.gap)) / \(SummaryHours.length)
            """
        return """
            INSERT OR IGNORE INTO summary_mark SELECT type, \(first), \(last)
            FROM summary_progress WHERE type = \(row).type AND until_hour > \(first);
            DELETE FROM summary WHERE type = \(row).type AND hour BETWEEN \(first) AND \(last);
            """
    }
}
