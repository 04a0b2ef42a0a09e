package import HealthModel
import SQLite

extension HealthStore {
    /// Whether the store has a sample of this id.
    package func hasSample(_ id: RecordID) throws -> Bool {
        let find = try connection.prepare("SELECT 1 FROM sample WHERE id = ?")
        try find.bind(id, at: 1)
        return try find.step()
    }

    /// So many of the newest samples are looked at: one that began later may have ended earlier.
    private static var newestCount: Int { 100 }

    /// The newest samples that began by a time, the oldest of them first.
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
