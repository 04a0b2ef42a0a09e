import Platform
import SQLite
import SQLiteStore

extension SQLiteSink {
    /// Removes expired records, a few thousand at a time.
    ///
    /// This frees space for the batch that follows. A failure affects the batch only if the file is
    /// corrupt.
    func remove(from store: SQLiteStore, withBatchOf count: Int) async throws {
        let now = clock.now()
        guard let bounds = retention.bounds(at: now, clock) else { return }
        do {
            var removed = 0
            while removed < RetentionSchedule.records(withBatchOf: count) {
                let step = try await store.removeNextBatch(beyond: bounds)
                guard step > 0 else {
                    retention.pause()
                    break
                }
                removed += step
                retention.note(removed: step)
            }
            lastRetentionFailure = nil
        } catch let error as SQLiteError where !Self.isDamage(error) {
            retention.pause()
            logRetentionFailure("\(error)")
        }
        if let removed = retention.report(at: now) {
            log.info("removed expired records", ["records": "\(removed)"])
        }
    }

    /// The number of samples that are read again at once.
    private static let samplesReadAgain: Int64 = 2_000
    /// The time between two readings in seconds; opening the file takes about a millisecond.
    private static let readingSeconds = 10.0

    /// Looks for damage of a store that is open; a batch counts as stored only when there is none.
    func check(_ store: SQLiteStore) async throws {
        try await store.checkSize()
        let now = clock.now()
        guard nextReading.map({ now >= $0 }) ?? true else { return }
        nextReading = now.adding(seconds: Self.readingSeconds)
        try await store.readAgain(samples: Self.samplesReadAgain)
    }

    /// Logs a repeated failure once.
    private func logRetentionFailure(_ failure: String) {
        if failure != lastRetentionFailure {
            log.warning("cannot remove expired records; retrying", ["reason": failure])
        }
        lastRetentionFailure = failure
    }

    /// Truncates a large write-ahead log, or logs the readers that prevent it.
    func watchLog(of store: SQLiteStore) async {
        guard let bytes = logWatch.excess(of: logPath, at: clock.now()) else { return }
        // A failure here will also fail the next batch, which reports it.
        let isTruncated = (try? await store.truncateLog()) ?? false
        guard logWatch.note(isTruncated: isTruncated) else { return }
        guard !isTruncated else { return log.info("write-ahead log truncated") }
        let readers = await store.logReaders()
        log.warning(
            "write-ahead log keeps growing: programs read the store without a pause; "
                + "stop the readers",
            [
                "file": logPath, "bytes": "\(bytes)",
                "readers": readers.isEmpty ? "unknown" : readers.joined(separator: ", "),
            ])
    }
}
