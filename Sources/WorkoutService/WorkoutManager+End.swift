import GatewayCore
import HealthModel
import HealthStore
import Platform
package import Workouts

extension WorkoutManager {
    /// Stops the workout and saves it.
    ///
    /// One that cannot be saved now is kept, and saved as soon as that can be done.
    ///
    /// What was counted until then is awaited for some seconds, unless there is no time.
    package func stop(_ person: String, inHaste: Bool = false) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        guard !workout.isSaved else {
            throw WorkoutProblem(
                "the workout of \(person) has stopped and is saved; `pulsegate workout show` shows it"
            )
        }
        // Who asks once more wants it saved.
        if workout.session.state != .stopped {
            let now = workout.time(dependencies.now())
            try change(person) { session throws(WorkoutSessionError) in try session.stop(at: now) }
        }
        let live = try await kept(person)
        if !inHaste { await waitForCounts(person) }
        await save(person)
        return workouts[person]?.snapshot(at: dependencies.now()) ?? live
    }

    private func waitForCounts(_ person: String) async {
        let now = dependencies.now()
        guard let workout = workouts[person], workout.awaitsCounts(at: now) else { return }
        let deadline = dependencies.clock.now().adding(seconds: workout.countSeconds(at: now))
        await dependencies.clock.wait(until: deadline) { await self.followCounts(of: person) }
    }

    /// Looks after each record of a person whether more are awaited; a person has one such wait.
    private func followCounts(of person: String) async {
        let (records, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        arrivals[person] = signal
        defer { arrivals[person] = nil }
        // One may have come before the signal was there.
        signal.yield()
        for await _ in records {
            guard workouts[person]?.awaitsCounts(at: dependencies.now()) == true else { return }
        }
    }

    /// Stops somebody's workout and saves it, because the gateway was only there for that.
    package func finish(_ person: String) async {
        await inTurn(person) {
            guard let workout = workouts[person] else { return }
            if workout.session.state == .stopped {
                // Somebody stopped it a moment ago.
                await save(person)
            } else {
                _ = try? await stop(person, inHaste: true)
            }
            if workouts[person]?.isSaved == true { await close(person) }
        }
    }

    /// Ends the workout without a record of it; the samples stay.
    package func discard(_ person: String) async throws -> LiveWorkout {
        let now = dependencies.now()
        guard let workout = workouts[person] else {
            guard let id = unreadable[person] else { throw noWorkout(of: person) }
            try await openStore().removeSession(id)
            unreadable[person] = nil
            return LiveWorkout(
                id: id, person: person, activity: WorkoutActivity(.other), location: .unknown,
                state: .ended, at: now, start: now)
        }
        guard workout.records == nil, !workout.isSaved else {
            throw WorkoutProblem(
                "the workout of \(person) is saved already; `pulsegate workout show` shows it")
        }
        let live = workout.snapshot(at: now)
        try await openStore().removeSession(workout.session.id)
        workouts[person] = nil
        workout.watchers.finish()
        return live
    }

    /// Lets go of a workout that is saved, with the recovery of the heart when it can be told.
    package func close(_ person: String) async {
        guard let workout = workouts[person] else { return }
        if workout.hasRecovery(at: dependencies.clock.now()) { await saveRecovery(of: workout) }
        leftovers[person] = workout.session.id
        do {
            try await removeLeftover(of: person)
        } catch {
            dependencies.log.warning("a workout that has ended stays kept", ["reason": "\(error)"])
        }
        workouts[person] = nil
        workout.watchers.finish(savedAs: workout.session.id)
    }

    /// Removes the session of a workout that is over: a person has one.
    package func removeLeftover(of person: String) async throws {
        guard let id = leftovers[person] else { return }
        try await openStore().removeSession(id)
        leftovers[person] = nil
    }

    // MARK: The record

    /// Makes the record of a workout that has stopped, of what the store has of it.
    package func save(_ person: String) async {
        guard let workout = workouts[person], workout.session.state == .stopped,
            !workout.isSaved
        else { return }
        workouts[person]?.noteSave(at: dependencies.clock.now())
        do {
            if workout.records == nil {
                let records = try await records(of: workout)
                workouts[person]?.noteRecords(records)
            }
            try await hand(workouts[person]?.records ?? [], of: person)
            // Who is told that it is saved may look for it at once.
            _ = await dependencies.settle()
            workouts[person]?.noteSaved(at: dependencies.now(), dependencies.clock.now())
        } catch is CancellationError {
            // The gateway ends; the next one saves it.
        } catch {
            tell(
                "a workout cannot be saved now; it is kept, and tried again", of: person, "\(error)"
            )
        }
    }

    /// Gives records to the journal.
    private func hand(_ records: [Record], of person: String) async throws {
        switch await dependencies.take(records) {
        case .accepted: return
        case .stopping: throw CancellationError()
        case .waiting(let reason): throw WorkoutProblem("the journal cannot be written: \(reason)")
        case .duplicateID:
            dependencies.log.error(
                "there is another record with the id of a workout, which stays",
                ["person": person])
        }
    }

    /// The records of a workout; none when the store has it, because it was saved before a crash.
    private func records(of workout: RunningWorkout) async throws -> [Record] {
        try await hand([], of: workout.session.person)
        if await !dependencies.settle() {
            try Task.checkCancellation()
            guard
                workouts[workout.session.person]?.hasWaitedLong(at: dependencies.clock.now())
                    == true
            else { throw WorkoutProblem("the store lags behind; see `pulsegate status`") }
            dependencies.log.warning(
                "the store lags behind; the totals of a workout may lack something",
                ["person": workout.session.person])
        }
        let session = workout.session
        let store = try await openStore()
        guard let start = session.startedAt, let end = session.endedAt,
            try await store.workout(session.id) == nil
        else { return [] }
        let samples = try await store.allSamples(
            of: session.person, from: start, to: end.next, types: session.activity.sampleTypes)
        return try await Self.records(
            of: session, samples: samples, subject: workout.subject, box: dependencies.box,
            source: dependencies.source)
    }

    /// It is much to reckon, beside what goes on meanwhile.
    private nonisolated static func records(
        of session: WorkoutSession, samples: [QuantitySample], subject: WorkoutSubject, box: Device,
        source: SourceRevision
    ) async throws -> [Record] {
        let recorded = RecordedWorkout(
            workout: try session.workout(device: box, source: source), allSamples: samples,
            subject: subject)
        var marked = session
        for backup in recorded.backups {
            var metadata = Metadata()
            try? metadata.set(backup.device, for: .backupDevice)
            // What there is no room for is left out.
            try? marked.segment(
                from: backup.span.lowerBound, to: backup.span.upperBound, metadata: metadata)
        }
        func whole(_ session: WorkoutSession) throws -> Workout {
            try session.workout(totals: recorded.totals, device: box, source: source)
        }
        let workout = try (try? whole(marked)) ?? whole(session)
        let energies = recorded.energySamples(device: box, source: source)
        return energies.map(Record.sample) + [.workout(workout)]
    }

    // MARK: The recovery of the heart

    private func saveRecovery(of workout: RunningWorkout) async {
        do {
            _ = await dependencies.take([])
            _ = await dependencies.settle()
            guard let sample = try await recovery(of: workout) else { return }
            try await hand([.sample(sample)], of: workout.session.person)
        } catch {
            dependencies.log.info("no recovery of the heart rate", ["reason": "\(error)"])
        }
    }

    private func recovery(of workout: RunningWorkout) async throws -> QuantitySample? {
        let session = workout.session
        guard let end = session.endedAt else { return nil }
        let from = end.adding(nanoseconds: -40_000_000_000)
        let to = end.adding(nanoseconds: Int64(RunningWorkout.recoverySeconds * 1e9))
        let rates = try await openStore().allSamples(
            of: session.person, from: from, to: to, types: [.heartRate])
        let recorded = RecordedWorkout(
            workout: try session.workout(), allSamples: rates, subject: workout.subject)
        let recovery = try recorded.recovery(of: rates, subject: workout.subject)
        var metadata = recovery.metadata
        try metadata.set(session.id.description, for: .workout)
        let time = end.adding(nanoseconds: 60_000_000_000)
        return try QuantitySample(
            id: .make(start: time, device: "workout", stream: session.id.description, key: 1),
            type: .heartRateRecoveryOneMinute, start: time, end: time,
            quantity: recovery.quantity, person: session.person, device: dependencies.box,
            source: dependencies.source, metadata: metadata)
    }
}
