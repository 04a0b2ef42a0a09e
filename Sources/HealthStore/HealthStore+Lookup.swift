package import HealthModel
import SQLite

extension HealthStore {
    /// Whether the store has a sample of this id.
    package func hasSample(_ id: RecordID) throws -> Bool {
        let find = try connection.prepare("SELECT 1 FROM sample WHERE id = ?")
        try withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) {
            try find.bind(blob: $0, at: 1)
        }
        return try find.step()
    }
}
