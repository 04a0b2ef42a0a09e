import Glibc
import HealthStore
import Platform

/// Watches the folder of a store for commits of any process: each writes to the write-ahead log.
enum CommitWatch {
    /// Returns a sequence with an element after each commit that stored or removed records.
    ///
    /// - Throws: `DirectoryWatch.Failure` when the folder cannot be watched, and errors of the store.
    static func commits(of store: SQLiteStore) async throws -> AsyncStream<Void> {
        // With symbolic links resolved, as SQLite does it for the log.
        let file = resolved(await store.path)
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        let watch = try DirectoryWatch(folder, includingWrites: true)
        let first = try await store.newestAnchor()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            var last = first
            await watch.forEachEvent {
                // A file that is being replaced can be read a moment later.
                guard let newest = try? await store.newestAnchor() else { return true }
                if newest != last { continuation.yield() }
                last = newest
                return true
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
