package import HealthModel
import HealthStore
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
    ///
    /// - Parameter select: Selects the records of a page that count; nil for all of them.
    package func read(
        selecting select: (([Record]) -> [Record])? = nil,
        _ receive: ([Record]) async throws -> Void
    ) async throws {
        guard let limit = query.limit else {
            for try await page in store.pages(matching: query, types: types) {
                try await receive(select?(page) ?? page)
            }
            return
        }
        var newest = query
        newest.order = .newestFirst
        guard let select else {
            let records = try await store.records(matching: newest, types: types)
            return try await receive(records.reversed())
        }
        // Those that do not count must not take the place of others.
        newest.limit = nil
        var records: [Record] = []
        for try await page in store.pages(matching: newest, types: types) {
            records += select(page).prefix(limit - records.count)
            guard records.count < limit else { break }
        }
        try await receive(records.reversed())
    }
}
