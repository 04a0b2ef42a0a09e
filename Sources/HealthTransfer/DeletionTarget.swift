package import SQLiteStore

/// The records that a command deletes.
package protocol DeletionTarget: Sendable {
    /// Calls `body` with one page of selections after the other; the records of a page are counted
    /// once.
    ///
    /// - Returns: What could not be read, one line each.
    @discardableResult
    func forEachPage(
        _ body: ([DeletionSelection]) async throws -> Void
    ) async throws -> [String]
}

/// Records that are selected by their ids, their properties or their person, in one page.
package struct SelectedRecords: DeletionTarget {
    private let selections: [DeletionSelection]

    package init(_ selections: [DeletionSelection]) { self.selections = selections }

    package func forEachPage(
        _ body: ([DeletionSelection]) async throws -> Void
    ) async throws -> [String] {
        try await body(selections)
        return []
    }
}
