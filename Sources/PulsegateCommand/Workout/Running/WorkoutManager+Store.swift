import GatewayCore
import HealthModel
import HealthStore
import Workouts

extension WorkoutManager {
    /// The store, opened when it is first needed.
    func openStore() throws -> HealthStore {
        if let store { return store }
        guard let open = around.openStore else {
            throw WorkoutProblem(
                "a workout is kept in a store, and no sink is one; add `store: \"sqlite\"` to `sinks`"
            )
        }
        let new = try open()
        store = new
        return new
    }

    /// Keeps a session as it is now.
    func keep(_ session: WorkoutSession) async throws {
        try await openStore().keepSession(
            KeptSession(
                id: session.id, person: session.person, text: session.json, seen: around.now()))
    }

    /// Notes that the workouts go on, so that a gap is known after a crash.
    func noteAlive() async {
        guard !workouts.isEmpty, let store else { return }
        do {
            try await store.noteSessions(seen: around.now())
        } catch {
            around.log.warning("a workout cannot be kept", ["reason": "\(error)"])
        }
    }

    /// Goes on with what an earlier run left.
    func takeUpKept() async {
        guard around.openStore != nil else { return }
        do {
            let store = try openStore()
            for kept in try await store.sessions() { await takeUp(kept, from: store) }
        } catch {
            around.log.error(
                "workouts that went on before cannot be taken up", ["reason": "\(error)"])
        }
    }

    private func takeUp(_ kept: KeptSession, from store: HealthStore) async {
        var session: WorkoutSession
        do {
            session = try WorkoutSession(json: kept.text)
        } catch {
            around.log.error(
                "a workout that went on before cannot be read; it stays in the store",
                ["reason": "\(error)"])
            return
        }
        let now = around.now()
        session.recover(lastSeen: kept.seen, at: now)
        let people = await around.people()
        let reader = WearerReader(
            store: store, people: people, activities: await around.activities(),
            calendar: around.calendar)
        let start = session.startedAt ?? now
        let wearer = await reader.wearer(session.person, activity: session.activity, at: start)
        var workout = RunningWorkout(session, wearer: wearer)
        do {
            let types = session.activity.sampleTypes
            for try await page in store.samples(
                of: session.person, from: start, to: now, types: types)
            {
                for sample in page { workout.take(.sample(sample)) }
            }
        } catch {
            around.log.warning(
                "what was measured before is not shown live", ["reason": "\(error)"])
        }
        around.log.info(
            "a workout goes on",
            ["person": session.person, "activity": session.activity.name])
        begin(workout)
        try? await keep(session)
    }
}
