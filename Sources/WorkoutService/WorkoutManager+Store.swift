import GatewayCore
import HealthModel
import Platform
package import SQLiteStore
package import Workouts

extension WorkoutManager {
    /// The open store.
    package func openStore() async throws -> SQLiteStore {
        let opened = try await stores.open()
        storeNumber = opened.number
        return opened.store
    }

    /// Stores a session.
    package func storeSession(_ session: WorkoutSession) async throws {
        try await openStore().saveSession(
            PersistedSession(
                id: session.id, person: session.person, text: session.json, seen: dependencies.now()
            ))
    }

    /// Stores the session of a workout; after a failure the next tick tries again.
    package func storeOrReport(_ person: String) async {
        guard let session = workouts[person]?.session else { return }
        do {
            try await storeSession(session)
            workouts[person]?.noteStored(session, in: storeNumber)
        } catch {
            report("cannot store workout; retrying", of: person, "\(error)")
        }
    }

    /// Logs a failure of a workout, unless it is the same as the last one.
    package func report(_ message: String, of person: String, _ reason: String) {
        guard workouts[person]?.isNewFailure(reason) == true else { return }
        dependencies.log.error(message, ["person": person, "reason": reason])
    }

    /// Stores the time at which the workouts were last seen in progress, so that a crash leaves a
    /// known gap.
    package func storeLastSeen() async {
        guard !workouts.isEmpty else { return }
        do {
            try await openStore().updateSessions(seen: dependencies.now())
        } catch {
            for person in workouts.keys {
                report("cannot store workout; retrying", of: person, "\(error)")
            }
        }
    }

    // MARK: After a restart

    /// Restores the workouts of an earlier run; false when the store cannot be opened now.
    package func restoreSessions() async -> Bool {
        await inTurn(Self.allPeople) {
            guard phase != .ready else { return true }
            do {
                if try await stores.hasFile() {
                    let store = try await openStore()
                    for persisted in try await store.sessions() {
                        await restore(persisted, from: store)
                    }
                }
                if workouts.isEmpty { await stores.close() }
                enter(.ready)
                return true
            } catch {
                let phase = Phase.storeUnavailable(reason: "\(error)")
                if self.phase != phase {
                    dependencies.log.error(
                        "cannot restore workouts; retrying",
                        ["reason": "\(error)"])
                }
                enter(phase)
                return false
            }
        }
    }

    /// A name that is not valid for a person, as the key of the turn for all people.
    private static let allPeople = ""

    private func restore(_ persisted: PersistedSession, from store: SQLiteStore) async {
        guard workouts[persisted.person] == nil else { return }
        guard var session = session(of: persisted) else { return }
        let now = dependencies.now()
        session.recover(lastSeen: persisted.seen, at: now)
        guard let start = session.startedAt, session.state != .ended else {
            // It has nothing to save.
            endedSessions[persisted.person] = persisted.id
            return
        }
        let workout = await restoredWorkout(session, from: start, to: now, store)
        dependencies.log.info(
            "workout restored",
            ["person": session.person, "activity": session.activity.name])
        manage(workout)
        await storeOrReport(session.person)
    }

    /// The session of a row; nil when it is corrupt, so that its person can only discard it.
    private func session(of persisted: PersistedSession) -> WorkoutSession? {
        var reason = "id or person differs from the database row"
        do {
            let session = try WorkoutSession(json: persisted.text)
            if session.id == persisted.id, session.person == persisted.person { return session }
        } catch {
            reason = "\(error)"
        }
        unreadable[persisted.person] = persisted.id
        dependencies.log.error(
            "cannot read stored workout",
            [
                "person": persisted.person, "reason": reason,
                "remedy": "pulsegate workout discard --person \(persisted.person)",
            ])
        return nil
    }

    /// The restored workout, with the earlier samples that still matter.
    private func restoredWorkout(
        _ session: WorkoutSession, from start: Instant, to now: Instant, _ store: SQLiteStore
    ) async -> RunningWorkout {
        let reader = WorkoutSubjectReader(
            store: store, people: await dependencies.people(),
            activities: await dependencies.activities(),
            calendar: dependencies.calendar)
        let subject = await reader.subject(session.person, activity: session.activity, at: start)
        var workout = RunningWorkout(session, subject: subject)
        let recent = now.adding(nanoseconds: -60_000_000_000)
        do {
            let samples = store.samples(
                of: session.person, from: session.endedAt == nil ? start : max(start, recent),
                to: now, types: session.activity.sampleTypes)
            for try await page in samples {
                for sample in page { workout.add(.sample(sample), at: now) }
            }
        } catch {
            dependencies.log.warning(
                "cannot read earlier samples of workout; live view incomplete",
                ["reason": "\(error)"])
        }
        workout.resumePlan(at: now)
        return workout
    }
}
