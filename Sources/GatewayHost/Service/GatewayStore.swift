/// The store of a running gateway: the database of the sink that uses SQLite.
package struct GatewayStore: Sendable {
    private let locate: @Sendable () async throws(HostError) -> StoreFile
    private let wait: @Sendable () async -> Bool

    /// Creates a store from a function that finds its file and one that waits for its sink.
    package init(
        locate: @escaping @Sendable () async throws(HostError) -> StoreFile,
        wait: @escaping @Sendable () async -> Bool
    ) {
        self.locate = locate
        self.wait = wait
    }

    /// The file of the store, by the configuration in force.
    ///
    /// - Throws: ``HostError`` when no sink is a store.
    package func file() async throws(HostError) -> StoreFile { try await locate() }

    /// Waits until the store has all records accepted so far.
    ///
    /// - Returns: False after a timeout, and when no sink is a store.
    package func waitForRecords() async -> Bool { await wait() }
}
