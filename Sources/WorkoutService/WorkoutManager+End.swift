import GatewayCore
import HealthModel
import Platform
import SQLiteStore
package import Workouts

extension WorkoutManager {
    /// Stops a workout and saves it.
    ///
    /// A workout that cannot be saved now stays stored, and saving is tried again.
    ///
    /// - Parameter immediately: Whether to skip the wait for devices that report their counts late.
    package func stop(_ person: String, immediately: Bool = false) async throws -> LiveWorkout {
        guard let workout = workouts[person] else { throw noWorkout(of: person) }
        guard !workout.isSaved else {
            throw WorkoutProblem(
                "the workout of \(person) is already saved; show it: `pulsegate workout show`"
            )
        }
        // A second request to stop only tries to save again.
        if workout.session.state != .stopped {
            let now = workout.time(dependencies.now())
            try change(person) { session throws(WorkoutSessionError) in try session.stop(at: now) }
        }
        let live = try await storeAndSend(person)
        if !immediately { await waitForPendingCounts(person) }
        await save(person)
        return workouts[person]?.snapshot(at: dependencies.now()) ?? live
    }

    private func waitForPendingCounts(_ person: String) async {
        let now = dependencies.now()
        guard let workout = workouts[person], workout.hasPendingCounts(at: now) else { return }
        let deadline = dependencies.clock.now().adding(seconds: workout.countWaitSeconds(at: now))
        await dependencies.clock.wait(until: deadline) {
            await self.waitUntilNonePending(of: person)
        }
    }

    /// Waits until no more counts are pending, checking after each record of the person.
    ///
    /// A person has one such wait.
    private func waitUntilNonePending(of person: String) async {
        let (records, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        recordSignals[person] = signal
        defer { recordSignals[person] = nil }
        // A record may have arrived before the signal was registered.
        signal.yield()
        for await _ in records {
            guard workouts[person]?.hasPendingCounts(at: dependencies.now()) == true else { return }
        }
    }

    /// Stops and saves a workout when the process ends that ran the gateway for it.
    package func finish(_ person: String) async {
        await inTurn(person) {
            guard let workout = workouts[person] else { return }
            if workout.session.state == .stopped {
                // Another client stopped it a moment ago.
                await save(person)
            } else {
                _ = try? await stop(person, immediately: true)
            }
            if workouts[person]?.isSaved == true { await close(person) }
        }
    }

    /// Discards a workout.
    ///
    /// Its samples remain.
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
                "the workout of \(person) is already saved; show it: `pulsegate workout show`")
        }
        let live = workout.snapshot(at: now)
        try await openStore().removeSession(workout.session.id)
        workouts[person] = nil
        sendEnd(of: workout)
        return live
    }

    /// Closes a saved workout, and saves its heart rate recovery if there is one.
    package func close(_ person: String) async {
        guard let workout = workouts[person] else { return }
        if workout.hasRecovery(at: dependencies.clock.now()) { await saveRecovery(of: workout) }
        endedSessions[person] = workout.session.id
        do {
            try await removeEndedSession(of: person)
        } catch {
            dependencies.log.warning(
                "cannot remove the session of an ended workout", ["reason": "\(error)"])
        }
        workouts[person] = nil
        sendEnd(of: workout, savedAs: workout.session.id)
    }

    /// Removes the stored session of an ended workout: a person has one session.
    package func removeEndedSession(of person: String) async throws {
        guard let id = endedSessions[person] else { return }
        try await openStore().removeSession(id)
        endedSessions[person] = nil
    }

    // MARK: The record

    /// Saves the record of a stopped workout, calculated from the stored samples.
    package func save(_ person: String) async {
        guard let workout = workouts[person], workout.session.state == .stopped,
            !workout.isSaved
        else { return }
        workouts[person]?.noteSaveAttempt(at: dependencies.clock.now())
        do {
            if workout.records == nil {
                let records = try await records(of: workout)
                workouts[person]?.noteRecords(records)
            }
            try await publish(workouts[person]?.records ?? [], of: person)
            // A client may read the workout immediately after the response.
            _ = await dependencies.waitForStore()
            workouts[person]?.noteSaved(at: dependencies.now(), dependencies.clock.now())
        } catch is CancellationError {
            // The gateway is stopping; its next run saves the workout.
        } catch {
            report("cannot save workout; retrying", of: person, "\(error)")
        }
    }

    /// Publishes records to the journal.
    private func publish(_ records: [Record], of person: String) async throws {
        switch await dependencies.publish(records) {
        case .accepted: return
        case .stopping: throw CancellationError()
        case .waiting(let reason): throw WorkoutProblem("cannot write the journal: \(reason)")
        case .duplicateID:
            dependencies.log.error(
                "another record has the id of the workout; workout record discarded",
                ["person": person])
        }
    }

    /// The records of a workout; empty when the store has it, because it was saved before a crash.
    private func records(of workout: RunningWorkout) async throws -> [Record] {
        try await publish([], of: workout.session.person)
        if await !dependencies.waitForStore() {
            try Task.checkCancellation()
            guard
                workouts[workout.session.person]?.hasStoreLagTimedOut(at: dependencies.clock.now())
                    == true
            else {
                throw WorkoutProblem("the store lags behind the journal; check `pulsegate status`")
            }
            dependencies.log.warning(
                "store lags behind the journal; workout totals may be incomplete",
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
            of: session, samples: samples, subject: workout.subject,
            device: dependencies.gatewayDevice,
            source: dependencies.source)
    }

    /// Calculates the records outside the actor, because it takes long.
    private nonisolated static func records(
        of session: WorkoutSession, samples: [QuantitySample], subject: WorkoutSubject,
        device: Device,
        source: SourceRevision
    ) async throws -> [Record] {
        let recorded = RecordedWorkout(
            workout: try session.workout(device: device, source: source), allSamples: samples,
            subject: subject)
        var marked = session
        for backup in recorded.backups {
            var metadata = Metadata()
            try? metadata.set(backup.device, for: .backupDevice)
            // Segments beyond the maximum number of events are omitted.
            try? marked.segment(
                from: backup.span.lowerBound, to: backup.span.upperBound, metadata: metadata)
        }
        func whole(_ session: WorkoutSession) throws -> Workout {
            try session.workout(totals: recorded.totals, device: device, source: source)
        }
        let workout = try (try? whole(marked)) ?? whole(session)
        let energies = recorded.energySamples(device: device, source: source)
        return energies.map(Record.sample) + [.workout(workout)]
    }

    // MARK: Heart rate recovery

    private func saveRecovery(of workout: RunningWorkout) async {
        do {
            _ = await dependencies.publish([])
            _ = await dependencies.waitForStore()
            guard let sample = try await recovery(of: workout) else { return }
            try await publish([.sample(sample)], of: workout.session.person)
        } catch {
            dependencies.log.info("heart rate recovery not available", ["reason": "\(error)"])
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
            quantity: recovery.quantity, person: session.person, device: dependencies.gatewayDevice,
            source: dependencies.source, metadata: metadata)
    }
}
