import GatewayCore
import HealthModel
import JSON
import Platform
package import Workouts

extension WorkoutManager {
    /// Does what somebody asks for, but for `status` and `watch`.
    /// - Returns: How the workout is doing then.
    package func handle(_ request: WorkoutRequest) async throws -> LiveWorkout {
        try await waitUntilReady()
        guard request.action != .start else {
            let person = try Self.person(request.person, among: await dependencies.people().names)
            return try await inTurn(person) { try await start(request, of: person) }
        }
        let person = try person(of: request)
        return try await inTurn(person) {
            switch request.action {
            case .discard: try await discard(person)
            case .stop: try await stop(person)
            default: try await change(person, request.action)
            }
        }
    }

    /// How all workouts are doing, or that of one person, by the name of the person.
    package func status(of person: String?) async -> [LiveWorkout] {
        await waitForBeginning()
        let now = dependencies.now()
        return workouts.values.filter { person == nil || $0.session.person == person }
            .map { $0.snapshot(at: now) }.sorted { $0.person < $1.person }
    }

    /// Sends a workout's state from now on, whenever it changes, and says when it is over.
    package func watch(
        _ request: WorkoutRequest, _ send: @escaping @Sendable (WorkoutUpdate) -> Void
    ) async throws -> WorkoutWatch {
        try await waitUntilReady()
        let person = try person(of: request)
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let watch = workout.watchers.add(send)
        send(WorkoutUpdate.live(workout.snapshot(at: dependencies.now())))
        return watch
    }

    /// The names of those who have a workout; some of them may not be known any more.
    package func people() -> [String] { (Array(workouts.keys) + Array(unreadable.keys)).sorted() }

    /// Waits until it is known which workouts there are.
    private func waitUntilReady() async throws {
        await waitForBeginning()
        if phase == .withoutClock {
            throw WorkoutProblem(
                "the clock of this machine is not set, so that nothing can be dated; set it, or try "
                    + "again when the network has")
        }
        if case .withoutStore = phase { _ = await restoreSessions() }
        if case .withoutStore(let reason) = phase {
            throw WorkoutProblem("the store of workouts cannot be used: \(reason)")
        }
    }

    // MARK: Start

    private func start(_ request: WorkoutRequest, of person: String) async throws -> LiveWorkout {
        try await makeRoom(for: person)
        let activity = try await activity(named: request.beginning.activity)
        let plan = try request.beginning.plan.map { text throws(JSONError) in
            try WorkoutPlan(json5: text)
        }
        let store = try await openStore()
        let now = dependencies.now()
        let reader = WorkoutSubjectReader(
            store: store, people: await dependencies.people(),
            activities: await dependencies.activities(),
            calendar: dependencies.calendar)
        let subject = await reader.subject(person, activity: activity, at: now)
        try Self.check(plan, for: subject, person)
        var session = WorkoutSession(
            id: RecordID.make(start: now, device: person, stream: "workout", key: 0),
            person: person, activity: activity, location: request.beginning.location, plan: plan)
        try session.start(at: now)
        // Only what is kept goes on after a crash.
        try await keep(session)
        var workout = RunningWorkout(session, subject: subject)
        workout.noteKept(session, in: storeNumber)
        begin(workout)
        return workout.snapshot(at: dependencies.now())
    }

    /// A plan by zones leads nowhere where nobody knows them.
    private static func check(
        _ plan: WorkoutPlan?, for subject: WorkoutSubject, _ person: String
    ) throws {
        guard let highest = plan?.highestZone else { return }
        guard let zones = subject.zones else {
            throw WorkoutProblem(
                "the plan goes by zones, and those of \(person) are not known; `pulsegate people set "
                    + "\(person) --birth-date D` or `--maximum-heart-rate N` tells them")
        }
        guard highest <= zones.count else {
            throw WorkoutProblem(
                "the plan has zone \(highest), and \(person) has zones up to \(zones.count)")
        }
    }

    /// A person has one workout at a time.
    private func makeRoom(for person: String) async throws {
        guard unreadable[person] == nil else { throw WorkoutProblem.unreadable(of: person) }
        // One that a gateway left which stopped in its last moment.
        await save(person)
        if let old = workouts[person] {
            guard old.session.state != .stopped || old.isSaved else {
                throw WorkoutProblem(
                    "the last workout of \(person) has stopped, and cannot be saved yet; "
                        + "`pulsegate workout stop --person \(person)` tries it at once, `discard` lets "
                        + "go of it")
            }
            guard old.isSaved else {
                throw WorkoutProblem(
                    "\(person) has a workout already, \(old.session.activity.name) since "
                        + "\(LocalTime.text(old.session.startedAt ?? dependencies.now())); stop or discard it first"
                )
            }
            // The heart does not recover from the next effort.
            await close(person)
        }
        try await removeLeftover(of: person)
    }

    private func activity(named name: String?) async throws -> WorkoutActivity {
        guard let name else { return WorkoutActivity(.other) }
        if let type = WorkoutActivityType.named(name) { return WorkoutActivity(type) }
        let own = await dependencies.activities().own
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
        let all = people()
        if let name = request.person {
            guard all.contains(name) else { throw noWorkout(of: name) }
            return name
        }
        // One that is saved, and only awaits the recovery, is not meant where another goes on.
        let going = all.filter { workouts[$0]?.isSaved != true }
        let meant = going.isEmpty ? all : going
        guard meant.count <= 1 else { throw Self.whose(meant) }
        guard let only = meant.first else {
            throw WorkoutProblem("no workout goes on; `pulsegate workout start` begins one")
        }
        return only
    }

    private static func person(_ name: String?, among names: [String]) throws -> String {
        if let name { return name }
        guard names.count == 1 else { throw whose(names) }
        return names[0]
    }

    private static func whose(_ names: [String]) -> ConfigurationError {
        ConfigurationError(
            path: "person",
            problem: "whose workout? Add --person with one of: \(names.joined(separator: ", "))")
    }

    package func noWorkout(of person: String) -> WorkoutProblem {
        guard unreadable[person] == nil else { return .unreadable(of: person) }
        return WorkoutProblem(
            "\(person) has no workout; `pulsegate workout start --person \(person)` begins one")
    }

    // MARK: Changes

    private func change(
        _ person: String, _ action: WorkoutRequest.Action
    ) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        guard workout.session.state != .stopped else {
            throw WorkoutProblem(
                "the workout of \(person) has stopped; `pulsegate workout start` begins another one"
            )
        }
        let now = workout.time(dependencies.now())
        try change(person) { session throws(WorkoutSessionError) in
            switch action {
            case .pause: try session.pause(at: now)
            case .resume: try session.resume(at: now)
            case .lap: try session.lap(at: now)
            default: try session.marker(at: now)
            }
        }
        if action == .lap { workouts[person]?.noteLap(at: now) }
        return try await kept(person)
    }

    package func change(
        _ person: String, _ body: (inout WorkoutSession) throws(WorkoutSessionError) -> Void
    ) throws {
        guard workouts[person] != nil else { throw noWorkout(of: person) }
        do {
            try workouts[person]?.change(body)
        } catch {
            throw WorkoutProblem("\(error)")
        }
    }

    /// Tells those who watch what has changed, and keeps it.
    package func kept(_ person: String) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let live = workout.snapshot(at: dependencies.now())
        workout.watchers.tell(live)
        await keepOrTell(person)
        return live
    }
}
