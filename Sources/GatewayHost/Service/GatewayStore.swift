package import GatewayCore

/// The store of a running gateway: the database of the sink that uses SQLite.
package struct GatewayStore: Sendable {
    private let locate: @Sendable () async throws(HostError) -> StoreFile
    private let wait: @Sendable () async -> Bool
    private let deliver: @Sendable () async -> SinkProgress

    /// Creates a store from a function that finds its file, one that waits for its sink, and one that lets the
    /// sink have what it collects.
    package init(
        locate: @escaping @Sendable () async throws(HostError) -> StoreFile,
        wait: @escaping @Sendable () async -> Bool,
        refresh: @escaping @Sendable () async -> SinkProgress = { .complete }
    ) {
        self.locate = locate
        self.wait = wait
        deliver = refresh
    }

    /// The file of the store, by the configuration in force.
    ///
    /// - Throws: ``HostError`` when no sink is a store.
    package func file() async throws(HostError) -> StoreFile { try await locate() }

    /// Waits until the store has all records accepted so far.
    ///
    /// - Returns: False after a timeout, and when no sink is a store.
    package func waitForRecords() async -> Bool { await wait() }

    /// Lets the store have the records accepted so far, which its sink may still collect.
    ///
    /// - Returns: Whether the store has them; the answer comes after a few seconds at most, and at once when
    ///   it cannot be written.
    @discardableResult
    package func refresh() async -> SinkProgress { await deliver() }
}
