package import GatewayCore
import Glibc
package import HealthModel
import HealthStore
import SQLite

/// Keeps every record in the store, a SQLite file that `query` and other programs read.
///
/// The file is opened with the first batch, and again when it could not be, or when somebody has moved
/// it away: what is stored in a file without a name is lost.
package actor SQLiteSink: Sink {
    private let path: String
    private let durability: Durability
    private let log: Logger
    private var store: HealthStore?
    private var identity: FileIdentity?

    /// What makes two paths the same file.
    private struct FileIdentity: Equatable {
        let device: dev_t
        let number: ino_t

        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// The factory for `use: "sqlite"`.
    package static let factory = SinkFactory(
        use: StoreSettings.use, keys: StoreSettings.keys, about: about
    ) { object, context throws(ConfigurationError) in
        let path = try StoreSettings(object).path
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard !DataFiles.reserved.contains(name) else {
            throw ConfigurationError(
                path: "\(object.path).path", problem: "`\(name)` is the gateway's own file")
        }
        return SQLiteSink(
            path: context.resolve(path), durability: context.durability, log: context.log)
    }

    init(path: String, durability: Durability, log: Logger) {
        self.log = log
        self.path = path
        self.durability = durability
    }

    /// Stores the batch in one transaction.
    ///
    /// What is there already stays as it is.
    package func write(_ batch: [Record]) async throws {
        do {
            try await letGoOfAMovedStore()
            _ = try await openStore().save(batch)
        } catch let error as SQLiteError {
            throw Self.sinkError(error)
        } catch let error as HealthStoreError {
            throw SinkError.hold(reason: "\(error)")
        }
    }

    /// What is still in the old file's log belongs to the old file: else a new file of the same name
    /// would throw it away, or take it for its own.
    private func letGoOfAMovedStore() async throws {
        guard let store, identity != FileIdentity(path: path) else { return }
        log.warning(
            "the store was moved, replaced or removed; going on in the file", ["path": path])
        do {
            try await store.checkpoint()
        } catch let error as SQLiteError where error.reason == .full || error.reason == .busy {
            throw error
        } catch {
            log.error("the file that was moved could not be completed", ["reason": "\(error)"])
        }
        self.store = nil
        removeEmptyLog()
    }

    /// SQLite leaves the log of a file that has moved where it was, and a reader of the old file may
    /// still use it: the new file must not share it.
    private func removeEmptyLog() {
        var status = stat()
        guard stat("\(path)-wal", &status) == 0, status.st_size == 0 else { return }
        unlink("\(path)-wal")
        unlink("\(path)-shm")
    }

    private func openStore() throws -> HealthStore {
        if let store { return store }
        let opened = try HealthStore(path: path, durability: durability)
        store = opened
        identity = FileIdentity(path: path)
        return opened
    }

    /// A file that is locked or a disk that is full may be free again; the rest somebody must mend.
    private static func sinkError(_ error: SQLiteError) -> SinkError {
        switch error.reason {
        case .busy, .full, .inputOutput, .other: .retry(reason: "\(error)", after: nil)
        default: .hold(reason: "\(error)")
        }
    }
}
