import GatewayCore
import HealthModel
package import HealthStore
import Platform
package import Workouts

extension WorkoutManager {
    /// The store as it is now.
    package func openStore() async throws -> HealthStore {
        let opened = try await stores.open()
        storeNumber = opened.number
        return opened.store
    }

    /// Keeps a session as it is now.
    package func keep(_ session: WorkoutSession) async throws {
        try await openStore().saveSession(
            PersistedSession(
                id: session.id, person: session.person, text: session.json, seen: dependencies.now()
            ))
    }

    /// Keeps what has changed of a workout; what cannot be kept now is with the next tick.
    package func keepOrTell(_ person: String) async {
        guard let session = workouts[person]?.session else { return }
        do {
            try await keep(session)
            workouts[person]?.noteKept(session, in: storeNumber)
        } catch {
            tell("a workout cannot be kept now; it is tried again", of: person, "\(error)")
        }
    }

    /// Says what goes wrong with a workout, once and not with every try.
    package func tell(_ message: String, of person: String, _ reason: String) {
        guard workouts[person]?.isNews(reason) == true else { return }
        dependencies.log.error(message, ["person": person, "reason": reason])
    }

    /// Notes that the workouts go on, so that a gap is known after a crash.
    package func noteAlive() async {
        guard !workouts.isEmpty else { return }
        do {
            try await openStore().updateSessions(seen: dependencies.now())
        } catch {
            for person in workouts.keys {
                tell("a workout cannot be kept now; it is tried again", of: person, "\(error)")
            }
        }
    }

    // MARK: After a restart

    /// Goes on with what an earlier run left; false when the store cannot be opened now.
    package func restoreSessions() async -> Bool {
        await inTurn(Self.everybody) {
            guard phase != .ready else { return true }
            do {
                if try await stores.hasFile() {
                    let store = try await openStore()
                    for kept in try await store.sessions() { await takeUp(kept, from: store) }
                }
                if workouts.isEmpty { await stores.close() }
                become(.ready)
                return true
            } catch {
                let phase = Phase.withoutStore(reason: "\(error)")
                if self.phase != phase {
                    dependencies.log.error(
                        "workouts that went on before cannot be taken up now; it is tried again",
                        ["reason": "\(error)"])
                }
                become(phase)
                return false
            }
        }
    }

    /// No person has this name.
    private static let everybody = ""

    private func takeUp(_ kept: PersistedSession, from store: HealthStore) async {
        guard workouts[kept.person] == nil else { return }
        guard var session = session(of: kept) else { return }
        let now = dependencies.now()
        session.recover(lastSeen: kept.seen, at: now)
        guard let start = session.startedAt, session.state != .ended else {
            // There is nothing to save of it.
            leftovers[kept.person] = kept.id
            return
        }
        let workout = await running(session, from: start, to: now, store)
        dependencies.log.info(
            "a workout goes on",
            ["person": session.person, "activity": session.activity.name])
        begin(workout)
        await keepOrTell(session.person)
    }

    /// The session of a row; nil when it cannot be read, so that its person can only discard it.
    private func session(of kept: PersistedSession) -> WorkoutSession? {
        var reason = "it is another one than its row says"
        do {
            let session = try WorkoutSession(json: kept.text)
            if session.id == kept.id, session.person == kept.person { return session }
        } catch {
            reason = "\(error)"
        }
        unreadable[kept.person] = kept.id
        dependencies.log.error(
            "a workout that went on before cannot be read; it stays in the store until "
                + "`pulsegate workout discard` lets go of it",
            ["person": kept.person, "reason": reason])
        return nil
    }

    /// The workout with what was measured before, as far as that is of interest now.
    private func running(
        _ session: WorkoutSession, from start: Instant, to now: Instant, _ store: HealthStore
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
                for sample in page { workout.take(.sample(sample), at: now) }
            }
        } catch {
            dependencies.log.warning(
                "what was measured before is not shown live", ["reason": "\(error)"])
        }
        workout.resumePlan(at: now)
        return workout
    }
}
