package import HealthModel

/// A sequence of pages of records of a query.
///
/// Between two pages the store is not locked, so a slow reader blocks no other user. Records saved
/// meanwhile are included if they sort after the last page.
package struct RecordPages: AsyncSequence, Sendable {
    package typealias Element = [Record]

    let store: HealthStore
    let query: RecordQuery
    let types: QuantityTypes

    package func makeAsyncIterator() -> Iterator {
        Iterator(store: store, query: query, types: types, remaining: query.limit ?? .max)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let store: HealthStore
        let query: RecordQuery
        let types: QuantityTypes
        var remaining: Int
        var last: SamplePosition?

        /// Returns the next page, which is not empty; nil at the end.
        package mutating func next() async throws -> [Record]? {
            let size = Swift.min(remaining, SamplePages.maximumPageSize)
            guard size > 0 else { return nil }
            let page = try await store.page(of: query, types: types, after: last, size: size)
            // A partial page is the last one.
            remaining = page.records.count < size ? 0 : remaining - size
            last = page.last
            return page.records.isEmpty ? nil : page.records
        }
    }
}

/// A page of records of a query.
struct RecordPage {
    var records: [Record] = []
    /// The position after which the next page starts.
    var last: SamplePosition?
}
