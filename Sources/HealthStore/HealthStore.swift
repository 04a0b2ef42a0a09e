package import GatewayCore
import Glibc
package import HealthModel
package import Platform
import SQLite

/// The store of samples, correlations, workouts and device events: one SQLite file.
///
/// It works on a queue of its own, because SQLite blocks. Several stores, in several processes,
/// may read a file while one writes it. Two may write it too: one waits until the other has written its
/// batch.
package actor HealthStore {
    /// A write-ahead log that grew beyond this, under a long read, is cut back.
    private static let logLimitBytes = 16 << 20

    private nonisolated let executor: QueueExecutor
    let connection: SQLiteConnection
    let lookup: RowLookup
    private var writer: RecordWriter?
    /// Made when a session is kept for the first time.
    var sessionStatements: SessionStatements?
    /// Made when something is removed for the first time.
    var remover: RecordRemover?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Opens the store for writing and reading, and makes it when it is missing.
    ///
    /// It works on the queue of its owner when that is given. Throws `SQLiteError`, also when the file is
    /// not a store or one of a newer program.
    package init(
        path: String, durability: Durability = .crash, executor: QueueExecutor? = nil
    ) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.migrate(applicationID: Schema.applicationID, steps: Schema.steps)
        guard try connection.pragma("journal_mode", to: "WAL") == "wal" else {
            throw HealthStoreError.noWriteAheadLog(path: path)
        }
        try connection.pragma("synchronous", to: durability == .powerLoss ? "FULL" : "NORMAL")
        try connection.pragma("foreign_keys", to: "ON")
        try connection.pragma("journal_size_limit", to: String(Self.logLimitBytes))
        // What is removed is overwritten: it is about somebody's body.
        try connection.pragma("secure_delete", to: "ON")
        try self.init(connection, executor)
    }

    /// Opens the store for reading only.
    ///
    /// Throws `HealthStoreError.noStore`, or `SQLiteError` when the file is not a store.
    package init(readingFrom path: String) throws {
        guard access(path, F_OK) == 0 else { throw HealthStoreError.noStore(path: path) }
        let connection: SQLiteConnection
        do {
            connection = try Self.reader(path, access: .readOnly)
        } catch let error as SQLiteError {
            // To share a file with its writer SQLite writes beside it. Where it may not, and no log is
            // left of a writer, the file alone is the store.
            guard [.missing, .cannotOpen, .readOnly].contains(error.reason),
                !Self.hasLog(path)
            else { throw error }
            connection = try Self.reader(path, access: .immutable)
        }
        try self.init(connection)
    }

    /// Whether a writer has left something beside the file, wherever a link to it leads.
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
        guard version > 0 else { throw HealthStoreError.noStore(path: path) }
        return connection
    }

    private init(_ connection: SQLiteConnection, _ executor: QueueExecutor? = nil) throws {
        self.executor = executor ?? QueueExecutor(label: "HealthStore")
        self.connection = connection
        lookup = try RowLookup(connection)
    }

    // MARK: Writing

    /// Saves all records or, when it throws, none; the store can be used further on.
    ///
    /// A record whose id the store has already is left as it is there. A correlation is one record, with
    /// all its members.
    package func save(_ records: [Record]) throws -> SaveOutcome {
        let writer = try self.writer ?? RecordWriter(connection)
        self.writer = writer
        return try writer.save(records)
    }

    // MARK: Reading

    /// Returns the samples, all at once; `pages(matching:)` is for many.
    package func samples(matching query: SampleQuery) throws -> [QuantitySample] {
        try SampleReader(connection, lookup).page(of: query, size: query.limit).samples
    }

    /// Returns the newest of the samples; nil when there is none.
    package func latestSample(matching query: SampleQuery) throws -> QuantitySample? {
        var query = query
        query.order = .newestFirst
        query.limit = 1
        return try samples(matching: query).first
    }

    /// Reads the samples page by page, so that memory does not grow with their number.
    package nonisolated func pages(matching query: SampleQuery) -> SamplePages {
        SamplePages(store: self, query: query)
    }

    func page(
        of query: SampleQuery, after position: SamplePosition?, size: Int
    ) throws -> SamplePage {
        try SampleReader(connection, lookup).page(of: query, after: position, size: size)
    }

    /// Returns the number of samples of a type.
    package func count(of type: QuantityType) throws -> Int {
        try SampleReader(connection, lookup).count(of: type)
    }
}
