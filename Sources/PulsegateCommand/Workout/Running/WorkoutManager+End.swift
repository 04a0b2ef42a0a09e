import GatewayCore
import HealthModel
import HealthStore
import Workouts

extension WorkoutManager {
    /// Stops the workout and saves it.
    ///
    /// One that cannot be saved now is kept, and saved as soon as that can be done.
    func stop(_ person: String) async throws -> LiveWorkout {
        let now = around.now()
        do {
            try workouts[person]?.change { session throws(WorkoutSessionError) in
                try session.stop(at: now)
            }
        } catch {
            throw WorkoutProblem("\(error)")
        }
        let live = try await kept(person)
        await save(person)
        return workouts[person]?.snapshot(at: around.now()) ?? live
    }

    /// Stops and saves all of them, because the gateway was only there for them.
    func stopAll() async {
        for person in workouts.keys.sorted() where workouts[person]?.isSaved == false {
            if workouts[person]?.session.state == .stopped {
                // Somebody stopped it a moment ago.
                await save(person)
            } else {
                _ = try? await stop(person)
            }
        }
        for person in workouts.keys.sorted() where workouts[person]?.isSaved == true {
            await close(person)
        }
    }

    /// Ends the workout without a record of it; the samples stay.
    func discard(_ person: String) async throws -> LiveWorkout {
        guard let workout = workouts[person], !workout.isSaved else {
            throw WorkoutProblem("the workout of \(person) is saved already")
        }
        let live = workout.snapshot(at: around.now())
        try await openStore().removeSession(workout.session.id)
        workout.watchers.finish()
        workouts[person] = nil
        return live
    }

    /// Makes the record of a workout that has stopped, of what the store has of it.
    func save(_ person: String) async {
        guard let workout = workouts[person], workout.session.state == .stopped,
            !workout.isSaved
        else { return }
        workouts[person]?.noteSave(at: around.now())
        do {
            let records = try await records(of: workout)
            guard workouts[person]?.isSaved == false else { return }
            guard case .accepted = await around.take(records) else { return }
            workouts[person]?.noteSaved(at: around.now())
            // Who is told that it is saved may look for it at once.
            _ = await around.settle()
        } catch {
            around.log.error(
                "a workout cannot be saved now; it is kept, and tried again",
                ["person": person, "reason": "\(error)"])
        }
    }

    private func records(of workout: RunningWorkout) async throws -> [Record] {
        let session = workout.session
        let store = try openStore()
        _ = await around.take([])
        if await !around.settle() {
            around.log.warning(
                "the store lags behind; the totals of a workout may lack the last seconds",
                ["person": session.person])
        }
        guard let start = session.startedAt, let end = session.endedAt else { return [] }
        let samples = try await store.allSamples(
            of: session.person, from: start, to: end, types: session.activity.sampleTypes)
        let source = Self.source
        let draft = try session.workout(device: around.box, source: source)
        let recorded = RecordedWorkout(
            workout: draft, allSamples: samples, wearer: workout.wearer)
        let whole = try session.with(recorded.backups).workout(
            totals: recorded.totals, device: around.box, source: source)
        let energies = recorded.energySamples(device: around.box, source: source)
        return energies.map(Record.sample) + [.workout(whole)]
    }

    /// Lets go of a workout that is saved, with the recovery of the heart when it can be told.
    func close(_ person: String) async {
        guard let workout = workouts[person] else { return }
        let now = around.now()
        if workout.hasRecovery(at: now) { await saveRecovery(of: workout) }
        workouts[person] = nil
        workout.watchers.finish(savedAs: workout.session.id)
        do {
            try await openStore().removeSession(workout.session.id)
        } catch {
            // It would be saved again after a restart, under the same id: the store keeps one.
            around.log.warning("a workout that has ended stays kept", ["reason": "\(error)"])
        }
    }

    /// What produces the records of workouts.
    private static var source: SourceRevision {
        SourceRevision(name: "workout", version: Version.current)
    }

    private func saveRecovery(of workout: RunningWorkout) async {
        guard let end = workout.session.endedAt, let store else { return }
        _ = await around.take([])
        _ = await around.settle()
        let from = end.adding(nanoseconds: -40_000_000_000)
        let to = end.adding(nanoseconds: Int64(RunningWorkout.recoverySeconds * 1e9))
        do {
            let rates = try await store.allSamples(
                of: workout.session.person, from: from, to: to, types: [.heartRate])
            let recorded = RecordedWorkout(
                workout: try workout.session.workout(), allSamples: rates, wearer: workout.wearer)
            let recovery = try recorded.recovery(of: rates, wearer: workout.wearer)
            var metadata = recovery.metadata
            try metadata.set(workout.session.id.description, for: .workout)
            let time = end.adding(nanoseconds: 60_000_000_000)
            let sample = try QuantitySample(
                id: .make(
                    start: time, device: "workout", stream: workout.session.id.description, key: 1),
                type: .heartRateRecoveryOneMinute, start: time, end: time,
                quantity: recovery.quantity, person: workout.session.person, device: around.box,
                source: Self.source, metadata: metadata)
            _ = await around.take([.sample(sample)])
        } catch {
            around.log.info("no recovery of the heart rate", ["reason": "\(error)"])
        }
    }
}

extension WorkoutSession {
    /// The session with the times in which a backup strap counted as parts of it.
    ///
    /// Those that it has no room for are left out; the samples tell of them all the same.
    fileprivate func with(_ backups: [BackupSpan]) -> WorkoutSession {
        var session = self
        for backup in backups {
            var metadata = Metadata()
            try? metadata.set(backup.device, for: .backupDevice)
            try? session.segment(
                from: backup.span.lowerBound, to: backup.span.upperBound, metadata: metadata)
        }
        return session
    }
}
