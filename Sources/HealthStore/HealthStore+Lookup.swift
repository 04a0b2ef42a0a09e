package import HealthModel
import SQLite

extension HealthStore {
    /// Whether the store contains a sample with this id.
    package func hasSample(_ id: RecordID) throws -> Bool {
        let find = try connection.prepare("SELECT 1 FROM sample WHERE id = ?")
        try find.bind(id, at: 1)
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
