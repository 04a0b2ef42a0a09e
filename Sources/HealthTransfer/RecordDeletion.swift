package import GatewayHost
package import HealthModel
package import Platform
package import SQLiteStore
package import Terminal

/// Deletes records of a store, batch by batch.
///
/// After each batch it waits as long as the batch took while a gateway runs: the gateway's writer asks
/// again and again whether the store is free, and finds it free half of the time.
package struct RecordDeletion {
    private let store: SQLiteStore
    private let folder: DataDirectory
    private let at: Instant
    private let clock: any BootClock
    private var progress: ProgressLine
    /// The expected number of records.
    private let expected: Int
    /// The number of deleted records, with those that were deleted together with them.
    package private(set) var count = 0

    /// - Parameters:
    ///   - store: The store, opened for writing.
    ///   - folder: The data directory whose gateway may write to the store meanwhile.
    ///   - at: The time that is noted.
    package init(
        _ store: SQLiteStore, _ folder: DataDirectory, at: Instant, expected: Int,
        clock: any BootClock, progress: ProgressLine
    ) {
        self.store = store
        self.folder = folder
        self.at = at
        self.expected = expected
        self.clock = clock
        self.progress = progress
    }

    /// Deletes the records of a selection.
    package mutating func delete(_ selection: DeletionSelection) async throws {
        defer { progress.end() }
        let before = count
        var deletion = Deletion(selection, at: at)
        while !deletion.isComplete {
            let start = clock.now()
            deletion = try await store.deleteNext(of: deletion)
            count = deletion.counts.reduce(before) { $0 + $1.count }
            progress.show(count: count, of: expected)
            guard !deletion.isComplete, DataDirectoryLock.owner(of: folder) != nil else {
                continue
            }
            let end = clock.now()
            try await clock.sleep(until: end.adding(nanoseconds: end.nanoseconds(since: start)))
        }
    }
}
