import GatewayCore
import HealthModel
import Workouts

extension WorkoutManager {
    /// Does what somebody asks for, but for `status` and `watch`.
    /// - Returns: How the workout is doing then.
    func handle(_ request: WorkoutRequest) async throws -> LiveWorkout {
        await waitUntilReady()
        if request.action == .start { return try await start(request) }
        let person = try person(of: request)
        switch request.action {
        case .discard: return try await discard(person)
        case .stop: return try await stop(person)
        default: break
        }
        let now = around.now()
        try change(person) { session throws(WorkoutSessionError) in
            switch request.action {
            case .pause: try session.pause(at: now)
            case .resume: try session.resume(at: now)
            case .lap: try session.lap(at: now)
            default: try session.marker(at: now)
            }
        }
        if request.action == .lap { workouts[person]?.noteLap(at: now) }
        return try await kept(person)
    }

    /// How all workouts are doing, or that of one person, by the name of the person.
    func status(of person: String?) async -> [LiveWorkout] {
        await waitUntilReady()
        let now = around.now()
        return workouts.values.filter { person == nil || $0.session.person == person }
            .map { $0.snapshot(at: now) }.sorted { $0.person < $1.person }
    }

    /// Sends a workout's state from now on, whenever it changes, and says when it is over.
    func watch(
        _ request: WorkoutRequest, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> WorkoutWatch {
        await waitUntilReady()
        let person = try person(of: request)
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let watch = workout.watchers.add(send)
        workout.watchers.tell(workout.snapshot(at: around.now()))
        return watch
    }

    // MARK: Start

    private func start(_ request: WorkoutRequest) async throws -> LiveWorkout {
        let people = await around.people()
        let person = try Self.person(request.person, among: people.names)
        if let old = workouts[person] {
            guard old.isSaved else {
                throw WorkoutProblem(
                    "\(person) has a workout already, \(old.session.activity.name) since "
                        + "\(LocalTime.text(old.session.startedAt ?? around.now())); stop or discard it first"
                )
            }
            // The heart does not recover from the next effort.
            await close(person)
        }
        let activity = try await activity(named: request.beginning.activity)
        let plan = try request.beginning.plan.map { text throws(ConfigurationError) in
            try WorkoutPlan(json5: text)
        }
        let store = try openStore()
        let now = around.now()
        let reader = WearerReader(
            store: store, people: people, activities: await around.activities(),
            calendar: around.calendar)
        let wearer = await reader.wearer(person, activity: activity, at: now)
        var session = WorkoutSession(
            id: RecordID.make(start: now, device: person, stream: "workout", key: 0),
            person: person, activity: activity, location: request.beginning.location, plan: plan)
        try session.start(at: now)
        // Somebody may have been quicker while the store was asked.
        guard workouts[person] == nil else {
            throw WorkoutProblem("\(person) has a workout already; stop or discard it first")
        }
        begin(RunningWorkout(session, wearer: wearer))
        do {
            return try await kept(person)
        } catch {
            workouts[person] = nil
            throw error
        }
    }

    private func activity(named name: String?) async throws -> WorkoutActivity {
        guard let name else { return WorkoutActivity(.other) }
        if let type = WorkoutActivityType.named(name) { return WorkoutActivity(type) }
        let own = await around.activities().own
        if let activity = own.first(where: { $0.name == name }) { return activity }
        let known =
            own.map(\.name) + WorkoutActivityType.allCases.filter { !$0.isSuperseded }.map(\.name)
        throw ConfigurationError(
            path: "activity",
            problem: "`\(LogFormat.escaped(name))` is unknown; "
                + Suggestion.message(unknown: name, known: known))
    }

    // MARK: Whose

    /// The person that is named, or the only one with a workout.
    private func person(of request: WorkoutRequest) throws -> String {
        if let name = request.person {
            guard workouts[name] != nil else { throw noWorkout(of: name) }
            return name
        }
        guard workouts.count <= 1 else {
            throw WorkoutProblem(
                "whose workout? Add --person with one of: "
                    + workouts.keys.sorted().joined(separator: ", "))
        }
        guard let only = workouts.keys.first else {
            throw WorkoutProblem("no workout goes on; `pulsegate workout start` begins one")
        }
        return only
    }

    private static func person(_ name: String?, among names: [String]) throws -> String {
        if let name { return name }
        guard names.count == 1 else {
            throw WorkoutProblem(
                "whose workout? Add --person with one of: \(names.joined(separator: ", "))")
        }
        return names[0]
    }

    private func noWorkout(of person: String) -> WorkoutProblem {
        WorkoutProblem(
            "\(person) has no workout; `pulsegate workout start --person \(person)` begins one")
    }

    private func change(
        _ person: String, _ body: (inout WorkoutSession) throws(WorkoutSessionError) -> Void
    ) throws {
        guard workouts[person] != nil else { throw noWorkout(of: person) }
        do {
            try workouts[person]?.change(body)
        } catch {
            throw WorkoutProblem("\(error)")
        }
    }

    /// Keeps what has changed, and tells those who watch.
    func kept(_ person: String) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let live = workout.snapshot(at: around.now())
        workout.watchers.tell(live)
        try await keep(workout.session)
        return live
    }
}
