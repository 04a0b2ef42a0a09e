package import GatewayCore
import Glibc
package import HealthModel
import JSON
import Platform
import SQLite
import SQLiteStore

/// A sink that stores records in a SQLite file, which `query` and other programs read.
///
/// The file is checked and opened with the first batch, and again after a failure or when the file
/// was moved. A corrupt file is not used until it is repaired or moved; records wait in the
/// journal.
package actor SQLiteSink: Sink, SelfChecking {
    let path: String
    private let keyPath: String
    private let durability: Durability
    let clock: any GatewayClock
    let log: Logger
    /// The queue of the sink and of the store, where calls may block.
    private nonisolated let executor = CallerRunsExecutor(label: "SQLiteStore")
    private(set) var store: SQLiteStore?
    private(set) var files: StoreFiles?
    private var damage: CorruptStore?
    var retention: RetentionSchedule
    var lastRetentionFailure: String?
    let types: QuantityTypes
    /// When to look for hours without a summary.
    var nextSummary: BootInstant?
    var lastSummaryFailure: String?
    private(set) var logPath: String
    var logWatch: LogWatch
    /// When samples are read again.
    var nextReading: BootInstant?
    /// When new rows are verified at the earliest.
    var nextVerification: BootInstant?
    /// When new rows were verified.
    var lastVerification: BootInstant?
    /// What the store had when it was opened; nil once ``verify(isAtEnd:)`` has returned it.
    var openedContent: StoreContent?
    /// The last rows of the store that was open before.
    private var lastRows = StoreRows()
    /// The number of records that were written since the last verification.
    var unverifiedCount = 0
    /// Whether the last attempt found no space.
    var isFull = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package nonisolated var acceptsDeletions: Bool { true }

    /// Each transaction writes some ten pages that change with it, whatever it stores: at a few records a
    /// second that is most of what a gateway writes to a flash memory.
    package nonisolated var longestPause: Double { 60 }

    /// The factory for `use: "sqlite"`.
    package static let factory = SinkFactory(
        use: StoreSettings.use, keys: StoreSettings.keys, about: about
    ) { object, context throws(ConfigurationError) in
        let settings = try StoreSettings(object)
        let name = settings.path.split(separator: "/").last.map(String.init) ?? settings.path
        guard !DataFiles.reserved.contains(name) else {
            throw ConfigurationError(
                path: "\(object.path).path",
                problem: "`\(name)` is reserved for the gateway; use another name")
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
        types = context.types
        retention = RetentionSchedule(settings.retention)
        logPath = "\(path)-wal"
        logWatch = LogWatch(limitBytes: logLimitBytes)
    }

    /// Checks that the file can be opened, is not corrupt and is a store.
    package nonisolated func check() throws(ConfigurationError) {
        if let flaw = FileAccess.problem(at: path) {
            throw ConfigurationError(path: keyPath, problem: "\(flaw.problem); \(flaw.remedy)")
        }
        do {
            try StoreCheck(path: path).run()
        } catch let error as SQLiteError
            where !Self.isTransient(error) && error.reason != .cannotOpen
        {
            throw ConfigurationError(path: keyPath, problem: "\(error)")
        } catch {
            // A file that cannot be read now may be valid.
        }
    }

    /// Stores the batch in one transaction.
    ///
    /// Existing records are not changed.
    ///
    /// - Throws: `SinkError.rejected` for correlations with the id of a sample of another person or type.
    package func write(_ batch: [Record]) async throws {
        do {
            try await closeMovedStore()
            try await skipCorruptStore()
            let store = try await openStore()
            unverifiedCount += batch.count
            try await store.checkSize()
            try await remove(from: store, withBatchOf: batch.count)
            let outcome = try await store.save(batch)
            files?.noteLog()
            try await check(store)
            try await summarise(store)
            await watchLog(of: store)
            if let reason = outcome.refusal {
                throw SinkError.rejected(Set(outcome.conflicts), reason: reason)
            }
        } catch {
            throw note(error)
        }
    }

    /// Notes damage, and returns the error for the runner.
    func note(_ error: any Error) -> any Error {
        switch error {
        case let error as SQLiteError:
            noteCorruption(error)
            isFull = error.reason == .full
            return Self.sinkError(error)
        case let error as SQLiteStoreError: return SinkError.blocked(reason: "\(error)")
        default: return error
        }
    }

    func openStore() async throws -> SQLiteStore {
        if let store { return store }
        try StoreCheck(path: path).run()
        let update = StoreUpdateLog(path, clock: clock, log: log)
        let opened = try SQLiteStore(
            path: path, durability: durability, executor: executor, willMigrate: update.begin)
        update.end()
        store = opened
        logPath = await opened.logPath
        files = StoreFiles(path: path, logPaths: [logPath, await opened.logIndexPath])
        damage = nil
        openedContent = await content(of: opened)
        retention.checkImmediately()
        return opened
    }
}

// MARK: - A store that was moved or is corrupt

extension SQLiteSink {
    /// Closes a store that was moved, after a checkpoint of its log: a new file with the same name
    /// would discard the log or use it.
    ///
    /// The same holds for a log that was moved or removed: other programs do not see what is in it.
    func closeMovedStore() async throws {
        guard let store, let files, let change = files.change else { return }
        do {
            try await store.checkpoint()
        } catch let error as SQLiteError where error.reason == .full || error.reason == .busy {
            throw error
        } catch {
            log.error("cannot checkpoint the moved store", ["reason": "\(error)"])
        }
        log.warning("\(change.rawValue); opening the file again", ["path": path])
        let indexPath = await store.logIndexPath
        await forget(store)
        removeEmptyLog(indexPath: indexPath)
    }

    private func forget(_ store: SQLiteStore) async {
        lastRows = await store.lastRows
        self.store = nil
    }

    /// Returns what a store that was opened has of what was stored before, as far as this run knows.
    private func content(of opened: SQLiteStore) async -> StoreContent {
        guard await !opened.lastRows.isEmpty else { return .nothing }
        let missing = await opened.missing(since: lastRows)
        return missing > 0 ? .earlier(missing: missing) : .everything
    }

    /// Removes the log that SQLite leaves at the old path: a reader of the old file may still use
    /// it, and the new file must not share it.
    private func removeEmptyLog(indexPath: String) {
        var status = stat()
        guard stat(logPath, &status) == 0, status.st_size == 0 else { return }
        unlink(logPath)
        unlink(indexPath)
    }

    /// Throws while a corrupt store is unchanged: further writes could make it worse.
    func skipCorruptStore() async throws {
        guard let damage else { return }
        guard damage.hasChanged(at: path) else { throw SinkError.blocked(reason: damage.reason) }
        if let store { await forget(store) }
    }

    private func noteCorruption(_ error: SQLiteError) {
        guard Self.isDamage(error) else { return }
        damage = CorruptStore(reason: "\(error)", path: path, logPath: logPath)
    }

    /// Returns whether an error means corruption; a constraint may come from a trigger that a user
    /// added.
    static func isDamage(_ error: SQLiteError) -> Bool {
        error.isCorruption && error.reason != .constraint
    }

    /// Returns the sink error: a locked file is transient, space may be freed, other errors need
    /// the user.
    private static func sinkError(_ error: SQLiteError) -> SinkError {
        if error.reason == .full { return .storageFull(reason: "\(error)") }
        return isTransient(error)
            ? .retry(reason: "\(error)", after: nil) : .blocked(reason: "\(error)")
    }

    private static func isTransient(_ error: SQLiteError) -> Bool {
        switch error.reason {
        case .busy, .full, .inputOutput: true
        case .other: !error.isCorruption
        default: false
        }
    }
}
