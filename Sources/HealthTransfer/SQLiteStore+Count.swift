package import HealthModel
package import SQLiteStore

extension SQLiteStore {
    /// The number of samples of all types, which are nearly all records of a store.
    package nonisolated func count(of types: QuantityTypes) async throws -> Int {
        var count = 0
        for type in types.all { count += try await self.count(of: type) }
        return count
    }
}
