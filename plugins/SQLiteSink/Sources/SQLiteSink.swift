package import GatewayCore
import Glibc
package import HealthModel
import HealthStore
import JSON
import Platform
import SQLite

/// Keeps every record in the store, a SQLite file that `query` and other programs read.
///
/// The file is looked over and opened with the first batch, and again when it could not be, or when
/// somebody has moved it away: what is stored in a file without a name is lost. A damaged file is left
/// alone until somebody has mended or moved it; what comes waits in the journal.
package actor SQLiteSink: Sink, SelfChecking {
    private let path: String
    private let keyPath: String
    private let durability: Durability
    let clock: any GatewayClock
    let log: Logger
    /// The store's queue too, so that whatever blocks does so there.
    private nonisolated let executor = QueueExecutor(label: "HealthStore")
    private var store: HealthStore?
    private var identity: FileIdentity?
    private var damage: DamagedStore?
    var retention: RetentionSchedule
    var lastRetentionFailure: String?
    private(set) var logPath: String
    var logWatch: LogWatch

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The factory for `use: "sqlite"`.
    package static let factory = SinkFactory(
        use: StoreSettings.use, keys: StoreSettings.keys, about: about
    ) { object, context throws(ConfigurationError) in
        let settings = try StoreSettings(object)
        let name = settings.path.split(separator: "/").last.map(String.init) ?? settings.path
        guard !DataFiles.reserved.contains(name) else {
            throw ConfigurationError(
                path: "\(object.path).path", problem: "`\(name)` is the gateway's own file")
        }
        return SQLiteSink(settings, keyPath: "\(object.path).path", context)
    }

    init(
        _ settings: StoreSettings, keyPath: String, _ context: ComponentContext,
        logLimitBytes: Int64 = LogWatch.defaultLimitBytes
    ) {
        path = context.resolve(settings.path)
        self.keyPath = keyPath
        durability = context.durability
        clock = context.clock
        log = context.log
        retention = RetentionSchedule(settings.retention)
        logPath = "\(path)-wal"
        logWatch = LogWatch(limitBytes: logLimitBytes)
    }

    /// Whether the file is damaged, or not a store at all.
    package nonisolated func check() throws(ConfigurationError) {
        do {
            try StoreCheck(path: path).run()
        } catch let error as SQLiteError where !Self.mayPass(error) && error.reason != .cannotOpen {
            throw ConfigurationError(path: keyPath, problem: "\(error)")
        } catch {
            // What only this user cannot read now is no fault of the store.
        }
    }

    /// Stores the batch in one transaction.
    ///
    /// What is there already stays as it is.
    package func write(_ batch: [Record]) async throws {
        do {
            try await letGoOfAMovedStore()
            try leaveADamagedStoreAlone()
            let store = try await openStore()
            try await remove(from: store, withBatchOf: batch.count)
            _ = try await store.save(batch)
            await watchLog(of: store)
        } catch let error as SQLiteError {
            noteDamage(error)
            throw Self.sinkError(error)
        } catch let error as HealthStoreError {
            throw SinkError.blocked(reason: "\(error)")
        }
    }

    private func openStore() async throws -> HealthStore {
        if let store { return store }
        try StoreCheck(path: path).run()
        let opened = try HealthStore(path: path, durability: durability, executor: executor)
        store = opened
        identity = FileIdentity(path: path)
        logPath = await opened.logPath
        damage = nil
        retention.lookAtOnce()
        return opened
    }
}

// MARK: - A store that was moved or is damaged

extension SQLiteSink {
    /// What is still in the old file's log belongs to the old file: else a new file of the same name
    /// would throw it away, or take it for its own.
    private func letGoOfAMovedStore() async throws {
        guard let store, identity != FileIdentity(path: path) else { return }
        do {
            try await store.checkpoint()
        } catch let error as SQLiteError where error.reason == .full || error.reason == .busy {
            throw error
        } catch {
            log.error("the file that was moved could not be completed", ["reason": "\(error)"])
        }
        log.warning(
            "the store was moved, replaced or removed; going on in the file", ["path": path])
        let indexPath = await store.logIndexPath
        self.store = nil
        removeEmptyLog(indexPath: indexPath)
    }

    /// SQLite leaves the log of a file that has moved where it was, and a reader of the old file may
    /// still use it: the new file must not share it.
    private func removeEmptyLog(indexPath: String) {
        var status = stat()
        guard stat(logPath, &status) == 0, status.st_size == 0 else { return }
        unlink(logPath)
        unlink(indexPath)
    }

    /// Every further write could make it worse, and to look again is of no use before it has changed.
    private func leaveADamagedStoreAlone() throws {
        guard let damage else { return }
        guard damage.hasChanged(at: path) else { throw SinkError.blocked(reason: damage.reason) }
        store = nil
    }

    private func noteDamage(_ error: SQLiteError) {
        guard Self.isCorruption(error) else { return }
        damage = DamagedStore(reason: "\(error)", path: path, logPath: logPath)
    }

    /// A constraint may also be a trigger that somebody has added, and then the file is sound.
    static func isCorruption(_ error: SQLiteError) -> Bool {
        error.isCorruption && error.reason != .constraint
    }

    /// A file that is locked or a disk that is full may be free again; the rest somebody must mend.
    private static func sinkError(_ error: SQLiteError) -> SinkError {
        mayPass(error) ? .retry(reason: "\(error)", after: nil) : .blocked(reason: "\(error)")
    }

    private static func mayPass(_ error: SQLiteError) -> Bool {
        switch error.reason {
        case .busy, .full, .inputOutput: true
        case .other: !error.isCorruption
        default: false
        }
    }
}
