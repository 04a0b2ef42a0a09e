package import HealthModel

/// A sequence of pages of samples of a query.
///
/// Between two pages the store is not locked, so a slow reader blocks no other user. Samples saved
/// meanwhile are included if they sort after the last page.
package struct SamplePages: AsyncSequence, Sendable {
    package typealias Element = [QuantitySample]

    /// The maximum number of samples in a page.
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
            // A partial page is the last one.
            remaining = page.samples.count < size ? 0 : remaining - size
            last = page.last
            return page.samples.isEmpty ? nil : page.samples
        }
    }
}

/// A page of samples of a query.
struct SamplePage {
    var samples: [QuantitySample] = []
    /// The position after which the next page starts.
    var last: SamplePosition?
}

/// The position of a sample in the order of a query.
struct SamplePosition {
    let startNanoseconds: Int64
    let row: Int64
}
