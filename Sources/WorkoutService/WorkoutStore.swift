package import GatewayCore
package import Platform
package import SQLiteStore

/// The location of the workout store: the database of a SQLite sink.
package struct WorkoutStoreLocation: Equatable, Sendable {
    /// The path of the database.
    package let path: String
    /// The name of the sink.
    package var sink = "store"
    /// The durability of writes.
    package var durability = Durability.crash
    /// Whether the sink accepts workout records.
    package var acceptsWorkouts = true

    /// Creates a value from its parts.
    package init(
        path: String, sink: String = "store", durability: Durability = Durability.crash,
        acceptsWorkouts: Bool = true
    ) {
        self.path = path
        self.sink = sink
        self.durability = durability
        self.acceptsWorkouts = acceptsWorkouts
    }
}

/// The store of active workouts, which is open while there is any.
///
/// It runs on its own queue, because opening a store waits for the disk.
package actor WorkoutStore {
    /// An open store and its sequence number.
    package struct Opened: Sendable {
        /// The store.
        package let store: SQLiteStore
        /// The sequence number, from 1.
        package let number: Int
    }

    private let clock: any BootClock
    private let log: Logger
    private let location: @Sendable () async throws -> WorkoutStoreLocation?
    private nonisolated let executor = CallerRunsExecutor(label: "workouts")
    private var opened: Opened?
    private var openLocation: WorkoutStoreLocation?
    private var identity: FileIdentity?
    /// The path where the file was last seen.
    private var lastPath: String?
    private var count = 0

    /// Creates a closed store at a location that may change.
    package init(
        location: @escaping @Sendable () async throws -> WorkoutStoreLocation?,
        clock: any BootClock, log: Logger
    ) {
        self.clock = clock
        self.location = location
        self.log = log
    }

    /// The executor of the queue.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Whether a file exists that can contain workouts.
    package func hasFile() async throws -> Bool {
        guard let location = try await location(), location.acceptsWorkouts,
            FileIdentity(path: location.path) != nil
        else { return false }
        lastPath = location.path
        return true
    }

    /// Opens the store: creates a missing file once, and reopens it when the file was replaced.
    package func open() async throws -> Opened {
        guard let location = try await location() else {
            throw WorkoutProblem(
                "a workout needs a SQLite sink; add `store: \"sqlite\"` to `sinks`"
            )
        }
        guard location.acceptsWorkouts else {
            throw WorkoutProblem(
                "the sink `\(location.sink)` does not accept workouts; add `workout` to its `types`"
            )
        }
        let found = FileIdentity(path: location.path)
        if let opened, openLocation == location, identity == found, found != nil { return opened }
        opened = nil
        // Only its sink can recover the write-ahead log of a moved file.
        guard found != nil || lastPath != location.path else {
            throw WorkoutProblem(
                "the store \(location.path) was moved or removed; the next sample creates it again"
            )
        }
        // At a start, a workout in progress opens the store before the sink does.
        let update = StoreUpdateLog(location.path, clock: clock, log: log)
        let store = try SQLiteStore(
            path: location.path, durability: location.durability, executor: executor,
            willMigrate: update.begin)
        update.end()
        count += 1
        let new = Opened(store: store, number: count)
        (opened, openLocation, lastPath) = (new, location, location.path)
        identity = FileIdentity(path: location.path)
        return new
    }

    /// Whether the store is open.
    package var isOpen: Bool { opened != nil }

    /// Closes the store until it is needed again.
    package func close() { opened = nil }
}
