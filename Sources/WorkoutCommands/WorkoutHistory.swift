import GatewayCore
package import GatewayHost
package import HealthModel
import Platform
package import SQLiteStore
import StoreRequests
import Terminal
import WorkoutFiles
import WorkoutScreens
import WorkoutService
import Workouts

/// The workouts in the store.
package struct WorkoutHistory {
    let files: CommandFiles
    package let store: SQLiteStore
    let people: People

    package init(_ files: CommandFiles) throws(HostError) {
        self.files = files
        store = try files.openStore()
        people = try files.people()
    }

    /// The workouts in the store; nil when there is no store, or none yet.
    ///
    /// - Throws: ``HostError`` when the store cannot be read.
    init?(ifStored files: CommandFiles) throws(HostError) {
        guard let store = try files.openStoreIfCreated() else { return nil }
        self.files = files
        self.store = store
        people = try files.people()
    }

    /// The workouts of a query, newest first, and the ids of all workouts.
    func list(
        _ query: WorkoutQuery
    ) async throws(HostError) -> (workouts: [Workout], ids: [RecordID]) {
        try await reading {
            (
                try await store.workouts(matching: query, types: files.types),
                try await store.workoutIDs()
            )
        }
    }

    /// The workout whose id begins with a prefix; the newest workout, of a person or of all, when nil.
    func workout(
        _ prefix: String?, of person: String?
    ) async throws(HostError) -> Workout {
        let query = WorkoutQuery(person: person, limit: 1)
        let found = try await reading {
            guard let prefix else {
                return try await store.workouts(matching: query, types: files.types)
            }
            return try await store.workouts(withIDPrefix: prefix, types: files.types)
        }
        guard let workout = found.first(where: { person == nil || $0.person == person }) else {
            let id = prefix.map { " with an id that begins with `\(LogFormat.escaped($0))`" }
            throw HostError(
                prefix == nil ? .failure : .usage,
                "no workout\(id ?? "") found; list the workouts with `pulsegate workout list`")
        }
        guard found.count == 1 else {
            throw HostError(
                .usage,
                "several workouts have an id that begins with "
                    + "`\(LogFormat.escaped(prefix ?? ""))`; specify more characters")
        }
        return workout
    }

    /// Whether the store has a workout of this id.
    func has(_ id: RecordID) async throws(HostError) -> Bool {
        try await reading { try await store.workout(id, types: files.types) != nil }
    }

    /// A workout with its samples and totals; nil when there is none of this id.
    func recorded(_ id: RecordID) async throws(HostError) -> RecordedWorkout? {
        guard let workout = try await reading({ try await store.workout(id, types: files.types) })
        else { return nil }
        return try await recorded(workout)
    }

    /// A workout with its samples and totals.
    func recorded(_ workout: Workout) async throws(HostError) -> RecordedWorkout {
        try await reading { try await stored.recorded(workout) }
    }

    /// The facts about the person at the time of the workout.
    func subject(of workout: Workout) async -> WorkoutSubject {
        await stored.subject(of: workout)
    }

    /// The sample of the heart rate recovery after a workout; nil when it was not measured.
    package func recoverySample(of workout: Workout) async throws(HostError) -> QuantitySample? {
        try await reading { try await stored.recoverySample(of: workout) }
    }

    private var stored: StoredWorkouts {
        StoredWorkouts(
            store: store, people: people, activities: files.configuration.configuration.activities,
            calendar: .system)
    }

    /// Reads from the store.
    func reading<Result>(
        _ body: () async throws -> Result
    ) async throws(HostError) -> Result {
        do {
            return try await body()
        } catch {
            throw HostError(error)
        }
    }
}

extension CommandFiles {
    /// The style of workout texts for this terminal.
    func screenStyle(_ environment: Environment) throws(HostError) -> ScreenStyle {
        ScreenStyle(
            painter: Painter(.output, environment: environment),
            characters: TerminalCharacters(environment),
            format: QuantityFormat(unit: nil, people: try knownPeople()),
            width: TerminalWidth(.output, environment: environment))
    }
}
