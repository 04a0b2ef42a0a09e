import GatewayCore
package import HealthModel
package import Platform
package import Workouts

/// A workout that goes on in this process.
package struct RunningWorkout {
    /// So long after the stop the heart rate is of interest, in seconds: for its recovery.
    package static let recoverySeconds = 76.0
    /// So often is tried to save what could not be saved, in seconds.
    package static let saveSeconds = 5.0
    /// No more often than that are those who watch told of readings, in seconds.
    private static let tellSeconds = 0.2
    /// So long is waited for a store that lags behind, in seconds.
    package static let lagSeconds = 600.0

    package private(set) var session: WorkoutSession
    package let subject: WorkoutSubject
    package let watchers = WorkoutWatchers()
    private var builder: LiveWorkoutBuilder
    private var progress: PlanProgress?
    private var counts = LateCounts()
    /// When those who watch were told of a reading last.
    private var lastTold: BootInstant?
    /// The latest time at which it was seen to go on: it does not end before, whatever the clock is set to.
    private var seen: Instant?
    /// The session as it was kept last, and the number of the store that has it.
    private var kept: (session: WorkoutSession, number: Int)?
    /// What went wrong last.
    private var trouble: String?
    /// When it was tried to save it for the first time, and last.
    private var saves: (first: BootInstant, last: BootInstant)?
    /// The records of the workout, as soon as the journal was asked to take them: it may have them.
    package private(set) var records: [Record]?
    /// Whether the workout has been accepted as a record.
    package private(set) var isSaved = false
    /// Until when the recovery of the heart is awaited; nil when there is none to await.
    private var recoveryEnd: BootInstant?

    package init(_ session: WorkoutSession, subject: WorkoutSubject) {
        self.session = session
        self.subject = subject
        builder = LiveWorkoutBuilder(session: session, subject: subject)
        progress = session.plan.map { PlanProgress($0) }
    }

    /// Goes on with the plan after a crash, when it is known what was measured before: each step that was
    /// over ended with a lap.
    package mutating func resumePlan(at now: Instant) {
        guard let plan = session.plan, let mark = session.lapMarks.last else { return }
        let live = builder.snapshot(at: now)
        let distance = (live.measures.distanceMeters ?? 0) - (live.lap.distanceMeters ?? 0)
        progress = PlanProgress(
            plan, finished: session.lapMarks.count, activeSeconds: session.activeSeconds(at: mark),
            distanceMeters: distance)
    }

    /// Takes what was measured on the person.
    package mutating func take(_ record: Record, at now: Instant) {
        // What was reckoned for a workout is no measurement.
        if case .sample(let sample) = record {
            guard sample.metadata[.workout] == nil else { return }
            counts.take(sample)
        }
        builder.take(record, at: now)
    }

    /// Whether it is time to tell those who watch of a reading.
    package mutating func mayTell(at moment: BootInstant) -> Bool {
        guard !watchers.isEmpty,
            lastTold.map({ moment.seconds(since: $0) >= Self.tellSeconds }) ?? true
        else { return false }
        lastTold = moment
        return true
    }

    /// Records were missed just now.
    package mutating func noteMissed(at now: Instant) {
        builder.noteGap(from: now, to: now)
    }

    /// Does something with the session; nothing has changed when it throws.
    package mutating func change(
        _ body: (inout WorkoutSession) throws(WorkoutSessionError) -> Void
    ) throws(WorkoutSessionError) {
        var changed = session
        try body(&changed)
        session = changed
        builder.update(changed)
    }

    package mutating func noteSeen(at now: Instant) { seen = time(now) }

    /// The time of a call that comes now.
    package func time(_ now: Instant) -> Instant { max(now, seen ?? now) }

    /// How it is doing.
    package func snapshot(at now: Instant) -> LiveWorkout {
        var live = builder.snapshot(at: now)
        live.isSaved = isSaved
        switch session.state {
        case .running: live.step = progress?.step
        case .paused:
            live.step = progress?.step
            // Nobody who rests is told to go harder.
            live.step?.advice = nil
        // Nothing of the plan is done any more.
        case .notStarted, .prepared, .stopped, .ended: break
        }
        return live
    }

    /// Brings the plan up to the present; whether a step was over, which ends a lap.
    @discardableResult
    package mutating func advancePlan(at now: Instant) -> Bool {
        guard session.state == .running, progress != nil else { return false }
        let moment = PlanProgress.Moment(builder.snapshot(at: now))
        guard progress?.take(moment) == true else { return false }
        // The lap ends where the step did, and not where that was found.
        let late = Int64((progress?.overshootSeconds ?? 0) * 1e9)
        // A workout that can take no more laps goes on without.
        try? change { session throws(WorkoutSessionError) in
            try session.lap(at: now.adding(nanoseconds: -late))
        }
        progress?.next()
        return true
    }

    /// A lap was marked by hand, which ends a step that waits for it.
    package mutating func noteLap(at now: Instant) {
        _ = progress?.take(PlanProgress.Moment(builder.snapshot(at: now)))
        progress?.next()
    }

    // MARK: What is kept of it

    /// Whether there is something to do that the time brings.
    package func wantsCare(at moment: BootInstant, _ storeNumber: Int) -> Bool {
        isOver(at: moment) || wantsSaving(at: moment) || wantsKeeping(in: storeNumber)
            || (session.state == .running && progress?.current != nil)
    }

    /// Whether the store with this number does not have the session as it is now.
    package func wantsKeeping(in storeNumber: Int) -> Bool {
        guard let kept else { return true }
        return kept.number != storeNumber || kept.session != session
    }

    package mutating func noteKept(_ session: WorkoutSession, in storeNumber: Int) {
        kept = (session, storeNumber)
        trouble = nil
    }

    /// Whether something else went wrong before; it is remembered.
    package mutating func isNews(_ trouble: String) -> Bool {
        defer { self.trouble = trouble }
        return self.trouble != trouble
    }

    // MARK: The end

    /// Whether what was counted until its end may still come.
    package func awaitsCounts(at now: Instant) -> Bool {
        session.endedAt.map { counts.areAwaited(of: $0, at: now) } ?? false
    }

    /// For how long at most what was counted may still come, in seconds.
    package func countSeconds(at now: Instant) -> Double {
        guard let end = session.endedAt else { return 0 }
        return LateCounts.remainingSeconds(of: end, at: now)
    }

    /// Whether it has stopped, and is not saved yet though it is time to try.
    package func wantsSaving(at moment: BootInstant) -> Bool {
        guard session.state == .stopped, !isSaved else { return false }
        return saves.map { moment.seconds(since: $0.last) >= Self.saveSeconds } ?? true
    }

    package mutating func noteSave(at moment: BootInstant) {
        saves = (saves?.first ?? moment, moment)
    }

    /// Whether the store lags behind for so long that it is not waited for any more.
    package func hasWaitedLong(at moment: BootInstant) -> Bool {
        saves.map { moment.seconds(since: $0.first) >= Self.lagSeconds } ?? false
    }

    package mutating func noteRecords(_ records: [Record]) { self.records = records }

    /// It is in the journal; whether the recovery is awaited depends on a heart rate being there.
    package mutating func noteSaved(at now: Instant, _ moment: BootInstant) {
        isSaved = true
        // Of an effort that ended in a pause nobody knows when it was over.
        let isPausedAtEnd =
            session.events.last { $0.kind == .pause || $0.kind == .resume }?.kind == .pause
        guard let end = session.endedAt, !isPausedAtEnd,
            case .rate = builder.snapshot(at: now).heart
        else { return }
        let seconds = Self.recoverySeconds - Double(now.nanoseconds(since: end)) / 1e9
        if seconds > 0 {
            recoveryEnd = moment.adding(seconds: min(seconds, Self.recoverySeconds))
        }
    }

    /// Whether nothing is awaited any more.
    package func isOver(at moment: BootInstant) -> Bool {
        isSaved && (recoveryEnd.map { moment >= $0 } ?? true)
    }

    /// Whether the recovery of the heart was awaited to its end.
    package func hasRecovery(at moment: BootInstant) -> Bool {
        recoveryEnd.map { moment >= $0 } ?? false
    }
}
