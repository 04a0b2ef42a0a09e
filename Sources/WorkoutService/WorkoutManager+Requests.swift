import GatewayCore
import HealthModel
import JSON
import Platform
package import Workouts

extension WorkoutManager {
    /// Handles a request, except `status` and `watch`.
    /// - Returns: The state of the workout after the request.
    package func handle(_ request: WorkoutRequest) async throws -> LiveWorkout {
        try await waitUntilReady()
        guard request.action != .start else {
            let person = try Self.person(of: request, among: await dependencies.people())
            return try await inTurn(person) { try await start(request, of: person) }
        }
        let person = try await person(of: request)
        return try await inTurn(person) {
            switch request.action {
            case .discard: try await discard(person)
            case .stop: try await stop(person)
            default: try await change(person, request.action)
            }
        }
    }

    /// The state of all workouts, or of one person, sorted by person.
    package func status(of person: String?) async -> [LiveWorkout] {
        await waitUntilRestored()
        let now = dependencies.now()
        return workouts.values.filter { person == nil || $0.session.person == person }
            .map { $0.snapshot(at: now) }.sorted { $0.person < $1.person }
    }

    /// Sends the state of a workout whenever it changes, and its end.
    package func watch(
        _ request: WorkoutRequest, _ send: @escaping @Sendable (WorkoutUpdate) -> Void
    ) async throws -> WorkoutWatch {
        try await waitUntilReady()
        let person = try await person(of: request)
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let watch = workout.watchers.add(send)
        send(WorkoutUpdate.live(workout.snapshot(at: dependencies.now())))
        return watch
    }

    /// The names of the people with a workout; some may have been removed from the configuration.
    package func people() -> [String] { (Array(workouts.keys) + Array(unreadable.keys)).sorted() }

    /// Waits until stored workouts are restored.
    private func waitUntilReady() async throws {
        await waitUntilRestored()
        try Task.checkCancellation()
        if phase == .clockNotSet {
            throw WorkoutProblem(
                "the system clock is not set; set it, or wait for time synchronization")
        }
        if case .storeUnavailable = phase { _ = await restoreSessions() }
        if case .storeUnavailable(let reason) = phase {
            throw WorkoutProblem("cannot open the workout store: \(reason)")
        }
    }

    // MARK: Start

    private func start(_ request: WorkoutRequest, of person: String) async throws -> LiveWorkout {
        try await closePrevious(for: person)
        let activity = try await activity(named: request.configuration.activity)
        let plan = try request.configuration.plan.map(Self.plan)
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
            person: person, activity: activity, location: request.configuration.location, plan: plan
        )
        try session.start(at: now)
        // Only a stored session is restored after a crash.
        try await storeSession(session)
        var workout = RunningWorkout(session, subject: subject)
        workout.noteStored(session, in: storeNumber)
        manage(workout)
        return workout.snapshot(at: dependencies.now())
    }

    /// Decodes a plan; an error has its key path in the request.
    private static func plan(_ text: String) throws(ConfigurationError) -> WorkoutPlan {
        do throws(JSONError) {
            return try WorkoutPlan(json5: text)
        } catch {
            throw planError(error.problem, at: error.path)
        }
    }

    private static func planError(_ problem: String, at path: String) -> ConfigurationError {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return ConfigurationError(path: "plan\(separator)\(path)", problem: problem)
    }

    /// Rejects a plan with heart rate zones that the person does not have.
    private static func check(
        _ plan: WorkoutPlan?, for subject: WorkoutSubject, _ person: String
    ) throws {
        guard let (highest, path) = plan?.highestZone else { return }
        guard let zones = subject.zones else {
            throw planError(
                "uses heart rate zones, but those of \(person) are unknown; set them: "
                    + "`pulsegate people set \(person) --birth-date D` or "
                    + "`pulsegate people set \(person) --maximum-heart-rate N`",
                at: path)
        }
        guard highest <= zones.count else {
            throw planError(
                "uses zone \(highest), but \(person) has zones up to \(zones.count); "
                    + "change the plan", at: path)
        }
    }

    /// Closes or saves the previous workout: a person has one workout at a time.
    private func closePrevious(for person: String) async throws {
        guard unreadable[person] == nil else { throw WorkoutProblem.unreadable(of: person) }
        // It may have been stopped just before the last run of the gateway ended.
        await save(person)
        if let old = workouts[person] {
            guard old.session.state != .stopped || old.isSaved else {
                throw WorkoutProblem(
                    "the last workout of \(person) is not saved yet; retry with "
                        + "`pulsegate workout stop --person \(person)`, or discard it")
            }
            guard old.isSaved else {
                throw WorkoutProblem(
                    "\(person) already has a workout: \(old.session.activity.name), started "
                        + "\(startTime(of: old)); stop it with `pulsegate workout stop`, "
                        + "or discard it")
            }
            // The recovery ends when the next effort starts.
            await close(person)
        }
        try await removeEndedSession(of: person)
    }

    /// `2026-11-21 18:15:00`, in local time.
    private func startTime(of workout: RunningWorkout) -> Substring {
        LocalTime.text(
            workout.session.startedAt ?? dependencies.now(), dependencies.calendar
        ).prefix(19)
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
            problem: "unknown activity `\(LogFormat.escaped(name))`; "
                + Suggestion.message(unknown: name, known: known))
    }

    // MARK: Person

    /// The named person, the only person with a workout, or the default person if there are several.
    private func person(of request: WorkoutRequest) async throws -> String {
        let standard = await dependencies.people().defaultName
        let all = people()
        if let name = request.person {
            guard all.contains(name) else { throw noWorkout(of: name) }
            return name
        }
        // A saved workout that waits for its heart rate recovery is ignored if another one is
        // active.
        let unsaved = all.filter { workouts[$0]?.isSaved != true }
        let candidates = unsaved.isEmpty ? all : unsaved
        guard candidates.count <= 1 else {
            guard let standard, candidates.contains(standard) else {
                throw Self.personRequired(candidates, request)
            }
            return standard
        }
        guard let only = candidates.first else {
            throw WorkoutProblem("no active workout; start one: `pulsegate workout start`")
        }
        return only
    }

    private static func person(
        of request: WorkoutRequest, among people: People
    ) throws -> String {
        if let name = request.person { return name }
        let names = people.names
        if names.count == 1 { return names[0] }
        guard let standard = people.defaultName, names.contains(standard) else {
            throw personRequired(names, request)
        }
        return standard
    }

    private static func personRequired(
        _ names: [String], _ request: WorkoutRequest
    ) -> ConfigurationError {
        let whom = request.namesPeople ? "; one of: \(names.joined(separator: ", "))" : ""
        return ConfigurationError(path: "person", problem: "is required\(whom)")
    }

    /// The problem that a person has no workout, or an unreadable one.
    package func noWorkout(of person: String) -> WorkoutProblem {
        guard unreadable[person] == nil else { return .unreadable(of: person) }
        return WorkoutProblem(
            "\(person) has no workout; start one: `pulsegate workout start --person \(person)`")
    }

    // MARK: Changes

    private func change(
        _ person: String, _ action: WorkoutRequest.Action
    ) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        guard workout.session.state != .stopped else {
            throw WorkoutProblem(
                "the workout of \(person) has stopped; start a new one: `pulsegate workout start`"
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
        return try await storeAndSend(person)
    }

    /// Changes the session of a workout; a call that is not allowed becomes a ``WorkoutProblem``.
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

    /// Sends the changed state to watchers, and stores the session.
    package func storeAndSend(_ person: String) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        let live = workout.snapshot(at: dependencies.now())
        sendState(of: workout, live)
        await storeOrReport(person)
        return live
    }
}
