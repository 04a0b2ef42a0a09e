package import GatewayCore
import Glibc
package import HealthModel
package import HealthStore
package import Platform
import SQLite

/// A store of samples, correlations, workouts and device events in one SQLite file.
///
/// It runs on its own queue, because SQLite calls block. Several stores, in several processes, can
/// read the file while one writes to it. Several can write too: each waits until the other has
/// committed its batch.
package actor SQLiteStore {
    /// The size to which the write-ahead log is truncated after a long read made it grow.
    private static let logLimitBytes = 16 << 20

    private nonisolated let executor: CallerRunsExecutor
    let connection: SQLiteConnection
    let lookup: RowLookup
    /// The clock that dates replacements.
    private let now: @Sendable () -> Instant
    var writer: RecordWriter?
    /// Created when the first session is saved.
    var sessionStatements: SessionStatements?
    /// Created when records are removed for the first time.
    var remover: RecordRemover?
    var watch: StoreWatch
    /// The rows of the types whose samples could not be read for a summary.
    var unsummarisedTypes: Set<Int64> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Opens the store for reading and writing, and creates it if missing.
    ///
    /// - Parameters:
    ///   - executor: The queue to run on; nil for a new one.
    ///   - now: The clock that dates what is replaced by a later version.
    ///   - willMigrate: Called with the schema version before a store of an earlier version is updated.
    /// - Throws: `SQLiteError`, also when the file is not a store or has a newer schema version.
    package init(
        path: String, durability: Durability = .crash, executor: CallerRunsExecutor? = nil,
        now: @escaping @Sendable () -> Instant = SQLiteHealthStore.systemTime,
        willMigrate: @Sendable (Int) -> Void = { _ in }
    ) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.migrate(
            applicationID: Schema.applicationID, steps: Schema.steps, willMigrate: willMigrate)
        guard try connection.pragma("journal_mode", to: "WAL") == "wal" else {
            throw SQLiteStoreError.noWriteAheadLog(path: path)
        }
        try connection.pragma("synchronous", to: durability == .powerLoss ? "FULL" : "NORMAL")
        // The writer takes care that the rows exist that a record refers to.
        try connection.pragma("foreign_keys", to: "OFF")
        // A sample that a correlation takes with it is removed as any other.
        try connection.pragma("recursive_triggers", to: "ON")
        try connection.pragma("cell_size_check", to: "ON")
        try connection.pragma("journal_size_limit", to: String(Self.logLimitBytes))
        // Removed records are overwritten with zeros, because they are health data.
        try connection.pragma("secure_delete", to: "ON")
        var watch = StoreWatch(path: connection.path)
        try watch.noteRows(of: connection)
        try self.init(connection, watch, executor, now: now)
    }

    /// Opens the store read-only.
    ///
    /// Throws `SQLiteStoreError.noStore`, or `SQLiteError` when the file is not a store.
    package init(readingFrom path: String) throws {
        guard access(path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else {
            throw SQLiteStoreError.noStore(path: path)
        }
        let connection: SQLiteConnection
        do {
            connection = try Self.reader(path, access: .readOnly)
        } catch let error as SQLiteError {
            // SQLite needs to write the -shm file to share the database with its writer. Without
            // the permission, and without a leftover log, the file alone is the complete store.
            guard [.missing, .cannotOpen, .readOnly].contains(error.reason),
                !Self.hasLog(path)
            else { throw error }
            connection = try Self.reader(path, access: .immutable)
        }
        try EarlierSamples.show(in: connection)
        try self.init(connection, StoreWatch(path: connection.path))
    }

    /// Whether a writer has left a write-ahead log beside the file (with symbolic links resolved).
    private static func hasLog(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return true }
        defer { free(resolved) }
        var status = stat()
        return stat("\(String(cString: resolved))-wal", &status) == 0 && status.st_size > 0
    }

    static func reader(
        _ path: String, access: SQLiteConnection.Access
    ) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: access)
        let version = try connection.version(
            applicationID: Schema.applicationID, newest: Schema.steps.count)
        guard version > 0 else { throw SQLiteStoreError.noStore(path: path) }
        return connection
    }

    private init(
        _ connection: SQLiteConnection, _ watch: StoreWatch, _ executor: CallerRunsExecutor? = nil,
        now: @escaping @Sendable () -> Instant = SQLiteHealthStore.systemTime
    ) throws {
        self.executor = executor ?? CallerRunsExecutor(label: "SQLiteStore")
        self.connection = connection
        self.watch = watch
        self.now = now
        lookup = try RowLookup(connection)
    }

    // MARK: Writing

    /// Saves all records or, when it throws, none; the store remains usable.
    ///
    /// A record whose id is already stored is skipped. A correlation counts as one record together
    /// with its members.
    ///
    /// - Parameter restoring: Whether a record that was deleted is stored again, as by an import;
    ///   otherwise it is skipped, because a journal may deliver it once more.
    ///
    /// Deletions are done too, each run of them in transactions of their own; they do not count.
    package func save(_ records: [Record], restoring: Bool = false) throws -> SaveOutcome {
        var outcome = SaveOutcome()
        for part in records.splitAtDeletions() {
            switch part {
            case .records(let records):
                outcome.add(try write { try $0.save(records, restoring: restoring) })
            case .deletions(let deleted): try delete(deleted)
            }
        }
        return outcome
    }

    /// Saves records of an imported file, also deleted ones, and notes which of them are new.
    ///
    /// - Throws: `SQLiteStoreError.deletedPerson` when a person of the import is deleted meanwhile.
    package func save(_ records: [Record], of file: ImportedFile) throws -> SaveOutcome {
        try write { try $0.save(records, restoring: true, of: file) }
    }

    /// Saves all records or, when it throws, none; returns what became of each, in their order.
    package func saveEach(_ records: [Record]) throws -> [SaveResult] {
        try records.splitAtDeletions().flatMap { part in
            switch part {
            case .records(let records): return try write { try $0.saveEach(records) }
            case .deletions(let deleted):
                try delete(deleted)
                return deleted.map { _ in SaveResult.deleted }
            }
        }
    }

    private func write<Outcome>(_ body: (RecordWriter) throws -> Outcome) throws -> Outcome {
        let writer = try self.writer ?? RecordWriter(connection, now: now)
        self.writer = writer
        let outcome = try body(writer)
        try watch.noteRows(of: connection)
        watch.note(samples: writer.takeInserted())
        return outcome
    }

    // MARK: Reading

    /// Returns all samples of a query; use `pages(matching:)` for large results.
    package func samples(matching query: SampleQuery) throws -> [QuantitySample] {
        try SampleReader(connection, lookup).page(of: query, size: query.limit).items
    }

    /// Returns the newest sample of a query; nil when there is none.
    package func latestSample(matching query: SampleQuery) throws -> QuantitySample? {
        var query = query
        query.order = .newestFirst
        query.limit = 1
        return try samples(matching: query).first
    }

    /// Returns the samples of a query as pages, so that memory use does not depend on their number.
    package nonisolated func pages(matching query: SampleQuery) -> StorePages<QuantitySample> {
        StorePages(limit: query.limit) { try await self.page(of: query, after: $0, size: $1) }
    }

    func page(
        of query: SampleQuery, after position: SamplePosition?, size: Int
    ) throws -> StorePage<QuantitySample> {
        try SampleReader(connection, lookup).page(of: query, after: position, size: size)
    }

    /// Returns the number of samples of a type.
    package func count(of type: QuantityType) throws -> Int {
        try SampleReader(connection, lookup).count(of: type)
    }
}
