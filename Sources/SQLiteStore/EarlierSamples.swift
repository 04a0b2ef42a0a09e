import SQLite

/// Shows the samples of an earlier version of the schema as the present tables, for a file that is only
/// read.
enum EarlierSamples {
    /// Makes temporary views, which have precedence over the tables of the file.
    static func show(in connection: SQLiteConnection) throws {
        guard try connection.userVersion < SampleConversion.version else { return }
        try connection.pragma("temp_store", to: "MEMORY")
        try connection.execute(views)
    }

    private static let views = """
        CREATE TEMP VIEW sample AS SELECT
            sequence, id, type, sequence AS origin, start_ns, end_ns - start_ns AS duration_ns,
            value, metadata
        FROM main.sample;
        CREATE TEMP VIEW origin AS SELECT
            sequence AS id, unit, person, device, source,
            CASE WHEN metadata IS NULL OR NOT json_valid(metadata) THEN 0
            ELSE coalesce(json_extract(metadata, '$.HKWasUserEntered'), 0) END AS is_entered
        FROM main.sample;
        CREATE TEMP VIEW displaced AS SELECT id, sequence, sequence AS home FROM main.sample;
        """
}
