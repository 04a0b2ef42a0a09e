import HealthStore
import Platform
import SQLite

extension SQLiteSink {
    /// Removes expired records, a few thousand at a time.
    ///
    /// This frees space for the batch that follows. A failure affects the batch only if the file is
    /// corrupt.
    func remove(from store: HealthStore, withBatchOf count: Int) async throws {
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

    /// Logs a repeated failure once.
    private func logRetentionFailure(_ failure: String) {
        if failure != lastRetentionFailure {
            log.warning("cannot remove expired records; retrying", ["reason": failure])
        }
        lastRetentionFailure = failure
    }

    /// Truncates a large write-ahead log, or logs the readers that prevent it.
    func watchLog(of store: HealthStore) async {
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
