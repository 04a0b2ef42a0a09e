package import HealthModel
import HealthStore
import SQLite

extension SQLiteStore {
    /// Whether the store contains a sample with this id.
    package func hasSample(_ id: RecordID) throws -> Bool { try countSamples([id]) > 0 }

    /// The number of ids with which the store contains samples.
    package func countSamples(_ ids: [RecordID]) throws -> Int {
        let find = try connection.prepare(
            """
            SELECT 1 FROM sample WHERE sequence = ?2 AND id = ?1
            UNION ALL SELECT 1 FROM displaced WHERE id = ?1
            """)
        return try ids.count { id in
            defer { find.reset() }
            try find.bind(id, at: 1)
            try find.bind(integer: SampleRows.home(of: id), at: 2)
            return try find.step()
        }
    }

    /// Returns the sample with this id; nil when the store contains none.
    ///
    /// - Throws: `SQLiteStoreError` also when its type is not declared.
    package func sample(_ id: RecordID, types: QuantityTypes) throws -> QuantitySample? {
        guard let row = try DeletionRows(connection, .sample).find(id)?.position.row else {
            return nil
        }
        let find = try connection.prepare(
            "SELECT name FROM type WHERE id = (SELECT type FROM sample WHERE sequence = ?)")
        try find.bind(integer: row, at: 1)
        guard try find.step(), let type = find.text(at: 0).flatMap(types.named) else {
            throw SQLiteStoreError.unreadable(
                table: "sample", row: row, column: "type", path: connection.path)
        }
        return try StatisticsReader(connection, lookup, type).sample(row)
    }

    /// The number of samples that `newest` returns: one that started later may have ended earlier.
    package static var newestCount: Int { 100 }

    /// Returns up to 100 of the newest samples that started by a time, oldest first.
    package func newest(
        _ type: QuantityType, of person: String?, until time: Instant
    ) throws -> [QuantitySample] {
        try samples(
            matching: SampleQuery(
                type: type, to: time.adding(nanoseconds: 1), person: person,
                limit: Self.newestCount, order: .newestFirst)
        ).reversed()
    }

    /// The local identifiers of the devices that have measured or reported anything since a time.
    package func devices(seenSince time: Instant) throws -> Set<String> {
        // By type, because the index of samples begins with it.
        let find = try connection.prepare(
            """
            SELECT local_identifier FROM device WHERE local_identifier IS NOT NULL AND id IN (
                SELECT device FROM event WHERE at_ns >= ?1 UNION SELECT o.device FROM type t
                CROSS JOIN sample s ON s.type = t.id AND s.start_ns >= ?1
                CROSS JOIN origin o ON o.id = s.origin)
            """)
        try find.bind(integer: time.nanosecondsSince1970, at: 1)
        var devices: Set<String> = []
        while try find.step() { devices.formUnion([find.text(at: 0)].compactMap(\.self)) }
        return devices
    }
}
