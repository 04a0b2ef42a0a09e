package import HealthModel

/// The records of a query, a page at a time.
///
/// Between two pages the store is free, so a slow reader blocks nobody. Records that are saved
/// meanwhile appear when they come after the last page.
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
            // A page that is not full is the last.
            remaining = page.records.count < size ? 0 : remaining - size
            last = page.last
            return page.records.isEmpty ? nil : page.records
        }
    }
}

/// Some records of a query.
struct RecordPage {
    var records: [Record] = []
    /// Where the next page continues.
    var last: SamplePosition?
}
