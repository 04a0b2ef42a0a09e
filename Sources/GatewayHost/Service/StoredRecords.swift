package import HealthModel
package import SQLiteStore

/// Reads the records of a query from a store, oldest first, for the command and the service.
package struct StoredRecords {
    /// The name of device events, which have no record type.
    package static let eventName = "deviceEvent"

    private let query: RecordQuery
    private let store: SQLiteStore
    private let types: QuantityTypes

    /// Creates a reader; a query with a limit selects the newest records.
    package init(_ query: RecordQuery, in store: SQLiteStore, types: QuantityTypes) {
        self.query = query
        self.store = store
        self.types = types
    }

    /// Calls `receive` with each page of records.
    ///
    /// Without a limit in the query, memory use does not depend on the number of records.
    package func read(_ receive: ([Record]) async throws -> Void) async throws {
        guard query.limit != nil else {
            for try await page in store.pages(matching: query, types: types) {
                try await receive(page)
            }
            return
        }
        var newest = query
        newest.order = .newestFirst
        let records = try await store.records(matching: newest, types: types)
        try await receive(records.reversed())
    }
}
