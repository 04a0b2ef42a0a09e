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
        let identity = FileIdentity(file)
        let first = try await store.newestAnchor()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            var last = first
            await watch.forEachEvent {
                // What is committed to another file is not seen through this connection.
                guard FileIdentity(file) == identity else { return false }
                // A file that is locked can be read after the next event.
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

/// Which file a path names.
private struct FileIdentity: Equatable {
    private var device: dev_t = 0
    private var number: ino_t = 0

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        device = status.st_dev
        number = status.st_ino
    }
}
