package import GatewayCore
package import HealthStore
import Platform

/// Where workouts are kept: the store of a sink.
package struct WorkoutPlace: Equatable, Sendable {
    package let path: String
    /// The name of the sink.
    package var sink = "store"
    package var durability = Durability.crash
    /// Whether the sink takes workouts at all.
    package var takesWorkouts = true

    /// Creates a value from its parts.
    package init(
        path: String, sink: String = "store", durability: Durability = Durability.crash,
        takesWorkouts: Bool = true
    ) {
        self.path = path
        self.sink = sink
        self.durability = durability
        self.takesWorkouts = takesWorkouts
    }
}

/// The store of the workouts that go on, which is open while there are any.
///
/// It has a queue of its own, because to open a store is to wait for the disk.
package actor WorkoutStore {
    /// A store, and the how many-th it is that was opened.
    package struct Opened: Sendable {
        package let store: HealthStore
        package let number: Int
    }

    private let place: @Sendable () async throws -> WorkoutPlace?
    private nonisolated let executor = QueueExecutor(label: "workouts")
    private var opened: Opened?
    private var openPlace: WorkoutPlace?
    private var identity: FileIdentity?
    /// Where a file was seen before.
    private var lastPath: String?
    private var count = 0

    package init(place: @escaping @Sendable () async throws -> WorkoutPlace?) {
        self.place = place
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Whether there is a file in which workouts may be.
    package func hasFile() async throws -> Bool {
        guard let place = try await place(), place.takesWorkouts,
            FileIdentity(path: place.path) != nil
        else { return false }
        lastPath = place.path
        return true
    }

    /// The store as it is now: made when it was never there, and opened anew when it is another file.
    package func open() async throws -> Opened {
        guard let place = try await place() else {
            throw WorkoutProblem(
                "a workout is kept in a store, and no sink is one; add `store: \"sqlite\"` to `sinks`"
            )
        }
        guard place.takesWorkouts else {
            throw WorkoutProblem(
                "a workout is kept in a store, and the sink `\(place.sink)` takes none; add `workout` "
                    + "to its `types`")
        }
        let found = FileIdentity(path: place.path)
        if let opened, openPlace == place, identity == found, found != nil { return opened }
        opened = nil
        // Only its sink knows what is still in the log of a file that has moved.
        guard found != nil || lastPath != place.path else {
            throw WorkoutProblem(
                "the store \(place.path) was moved or removed; it is made anew with the next sample"
            )
        }
        let store = try HealthStore(
            path: place.path, durability: place.durability, executor: executor)
        count += 1
        let new = Opened(store: store, number: count)
        (opened, openPlace, lastPath) = (new, place, place.path)
        identity = FileIdentity(path: place.path)
        return new
    }

    /// Whether it is open.
    package var isOpen: Bool { opened != nil }

    /// Lets go of it until it is needed again.
    package func close() { opened = nil }
}
