import HealthStore
import Platform
import SQLite

extension SQLiteSink {
    /// Removes what is not kept any longer, a few thousand records at once.
    ///
    /// It goes before the batch, which then finds the room. When it fails, that is the batch's business only
    /// if the file is damaged.
    func remove(from store: HealthStore, withBatchOf count: Int) async throws {
        let now = clock.now()
        guard let bounds = retention.bounds(at: now, clock) else { return }
        do {
            var removed = 0
            while removed < RetentionSchedule.records(withBatchOf: count) {
                let step = try await store.removeNextBatch(beyond: bounds)
                guard step > 0 else {
                    retention.rest()
                    break
                }
                removed += step
                retention.note(removed: step)
            }
            lastRetentionFailure = nil
        } catch let error as SQLiteError where !Self.isCorruption(error) {
            retention.rest()
            tellRetentionFailure("\(error)")
        }
        if let removed = retention.report(at: now) {
            log.info("removed records that are not kept any longer", ["records": "\(removed)"])
        }
    }

    /// The same failure many times over is said once.
    private func tellRetentionFailure(_ failure: String) {
        if failure != lastRetentionFailure {
            log.warning("cannot remove old records: \(failure); trying again in a minute")
        }
        lastRetentionFailure = failure
    }

    /// Cuts a write-ahead log back that has grown too large, or tells who is in the way.
    func watchLog(of store: HealthStore) async {
        guard let bytes = logWatch.excess(of: logPath, at: clock.now()) else { return }
        // What fails here fails with the next batch too, and is told there.
        let isCut = (try? await store.truncateLog()) ?? false
        guard logWatch.note(isCut: isCut) else { return }
        guard !isCut else { return log.info("the write-ahead log is small again") }
        let readers = await store.logReaders()
        log.warning(
            "the write-ahead log grows, because somebody reads the store without a pause; "
                + "end the reading, or the file keeps growing",
            [
                "file": logPath, "bytes": "\(bytes)",
                "readers": readers.isEmpty ? "unknown" : readers.joined(separator: ", "),
            ])
    }
}
