package import HealthModel

/// The samples of a query, a page at a time.
///
/// Between two pages the store is free, so a slow reader holds up nobody. Samples that are saved
/// meanwhile appear when they come after the last page.
package struct SamplePages: AsyncSequence, Sendable {
    package typealias Element = [QuantitySample]

    /// The most samples of a page.
    package static let maximumPageSize = 1_000

    let store: HealthStore
    let query: SampleQuery

    package func makeAsyncIterator() -> Iterator {
        Iterator(store: store, query: query, remaining: query.limit ?? .max)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let store: HealthStore
        let query: SampleQuery
        var remaining: Int
        var last: SamplePosition?

        /// Returns the next page, which is not empty; nil at the end.
        package mutating func next() async throws -> [QuantitySample]? {
            let size = Swift.min(remaining, SamplePages.maximumPageSize)
            guard size > 0 else { return nil }
            let page = try await store.page(of: query, after: last, size: size)
            // A page that is not full is the last.
            remaining = page.samples.count < size ? 0 : remaining - size
            last = page.last
            return page.samples.isEmpty ? nil : page.samples
        }
    }
}

/// Some samples of a query.
struct SamplePage {
    var samples: [QuantitySample] = []
    /// Where the next page goes on.
    var last: SamplePosition?
}

/// The place of a sample in the order of a query.
struct SamplePosition {
    let startNanoseconds: Int64
    let row: Int64
}
