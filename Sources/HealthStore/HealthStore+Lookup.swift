package import HealthModel
import SQLite

extension HealthStore {
    /// Whether the store contains a sample with this id.
    package func hasSample(_ id: RecordID) throws -> Bool {
        let find = try connection.prepare(
            """
            SELECT 1 FROM sample WHERE sequence = ?2 AND id = ?1
            UNION ALL SELECT 1 FROM displaced WHERE id = ?1
            """)
        try find.bind(id, at: 1)
        try find.bind(integer: SampleRows.home(of: id), at: 2)
        return try find.step()
    }

    /// The number of samples that `newest` returns: one that started later may have ended earlier.
    private static var newestCount: Int { 100 }

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
}
