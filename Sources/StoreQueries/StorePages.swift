import HealthModel

/// A sequence of pages of the results of a query.
///
/// Between two pages the store is not locked, so a slow reader blocks no other user. Records saved
/// meanwhile are included if they sort after the last page.
package struct StorePages<Item: Sendable>: AsyncSequence, Sendable {
    package typealias Element = [Item]

    /// The maximum number of records in a page.
    package static var maximumPageSize: Int { 1_000 }

    /// The maximum number of records in all pages; nil for any number.
    package let limit: Int?
    /// Reads a page of up to so many records after a position.
    package let read: @Sendable (SamplePosition?, Int) async throws -> StorePage<Item>

    /// Makes a sequence of at most some records.
    package init(
        limit: Int?,
        read: @escaping @Sendable (SamplePosition?, Int) async throws -> StorePage<Item>
    ) {
        self.limit = limit
        self.read = read
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(pages: self, remaining: limit ?? .max)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let pages: StorePages
        var remaining: Int
        var last: SamplePosition?

        /// Returns the next page, which is not empty; nil at the end.
        package mutating func next() async throws -> [Item]? {
            let size = Swift.min(remaining, maximumPageSize)
            guard size > 0 else { return nil }
            let page = try await pages.read(last, size)
            // A partial page is the last one.
            remaining = page.items.count < size ? 0 : remaining - size
            last = page.last
            return page.items.isEmpty ? nil : page.items
        }
    }
}

/// A page of the results of a query.
package struct StorePage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The position after which the next page starts.
    package var last: SamplePosition?

    /// Makes a page.
    package init(items: [Item] = [], last: SamplePosition? = nil) {
        self.items = items
        self.last = last
    }
}

/// The position of a record in the order of a query.
package struct SamplePosition: Sendable {
    package let startNanoseconds: Int64
    package let row: Int64

    /// Makes a position.
    package init(startNanoseconds: Int64, row: Int64) {
        self.startNanoseconds = startNanoseconds
        self.row = row
    }
}
