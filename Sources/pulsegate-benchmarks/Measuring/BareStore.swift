import HealthModel

/// Fills a store by a bare loop over a prepared statement, without lookups and checks.
final class BareStore {
    private let database: BareDatabase
    private let insert: BareStatement

    /// Opens a store's file, whose tables must be empty.
    ///
    /// All samples are of one device and two types.
    init(path: String) throws {
        database = try BareDatabase(path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA foreign_keys = ON;
            INSERT INTO device (id, local_identifier) VALUES (1, 'D0:11:22:33:44:55');
            INSERT INTO source (id, name, version) VALUES (1, 'straps', '1.0.0');
            INSERT INTO person (id, name) VALUES (1, 'ada');
            INSERT INTO type (id, name) VALUES (1, 'heartRate'), (2, 'rrInterval');
            INSERT INTO unit (id, name) VALUES (1, 'count/min'), (2, 'ms');
            INSERT INTO origin (id, unit, person, device, source, is_entered)
            VALUES (1, 1, 1, 1, 1, 0), (2, 2, 1, 1, 1, 0);
            """)
        insert = try database.prepare(
            """
            INSERT INTO sample (
                sequence, id, type, origin, start_ns, duration_ns, value, metadata
            ) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
            ON CONFLICT (sequence) DO NOTHING
            """)
    }

    /// Writes the samples of a batch in one transaction.
    func write(_ batch: [Record]) throws {
        try database.execute("BEGIN IMMEDIATE")
        for case .sample(let sample) in batch { try write(sample) }
        try database.execute("COMMIT")
    }

    private func write(_ sample: QuantitySample) throws {
        let kind: Int64 = sample.type == .heartRate ? 1 : 2
        let (high, low) = (sample.id.high, sample.id.low)
        insert.bind(
            1, Int64((high >> 16 & (1 << 39 - 1)) << 17 | (low ^ high) & (1 << 17 - 1)))
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { insert.bind(2, $0) }
        insert.bind(3, kind)
        insert.bind(4, kind)
        insert.bind(5, sample.start.nanosecondsSince1970)
        insert.bind(6, sample.end.nanoseconds(since: sample.start))
        insert.bind(7, sample.quantity.value)
        try database.run(insert)
    }

    var rows: Int64 { get throws { try database.number("SELECT count(*) FROM sample") } }
}
