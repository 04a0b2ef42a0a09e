import GatewayCore
import HealthModel
import Workouts

/// A workout that goes on in this process.
struct RunningWorkout {
    /// So long after the stop the heart rate is of interest, in seconds: for its recovery.
    static let recoverySeconds = 76.0
    /// So often is tried to save what could not be saved, in seconds.
    static let saveSeconds = 5.0

    private(set) var session: WorkoutSession
    let wearer: Wearer
    let watchers = WorkoutWatchers()
    private var builder: LiveWorkoutBuilder
    private var progress: PlanProgress?
    /// When it was tried to save it last.
    private var lastSave: Instant?
    /// Whether the workout has been accepted as a record.
    private(set) var isSaved = false
    /// Until when the recovery of the heart is awaited; nil when there is none to await.
    private var recoveryEnd: Instant?

    init(_ session: WorkoutSession, wearer: Wearer) {
        self.session = session
        self.wearer = wearer
        builder = LiveWorkoutBuilder(session: session, wearer: wearer)
        progress = session.plan.map { plan in
            // After a crash: each step that was over ended with a lap.
            let mark = session.lapMarks.last
            return PlanProgress(
                plan, finished: session.lapMarks.count,
                activeSeconds: mark.map(session.activeSeconds) ?? 0)
        }
    }

    /// Takes what was measured on the person.
    mutating func take(_ record: Record) {
        // What was reckoned for a workout is no measurement.
        if case .sample(let sample) = record, sample.metadata[.workout] != nil { return }
        builder.take(record)
    }

    /// Records were missed just now.
    mutating func noteMissed(at now: Instant) {
        builder.noteGap(from: now, to: now)
    }

    /// Does something with the session; nothing has changed when it throws.
    mutating func change(
        _ body: (inout WorkoutSession) throws(WorkoutSessionError) -> Void
    ) throws(WorkoutSessionError) {
        var changed = session
        try body(&changed)
        session = changed
        builder.update(changed)
    }

    /// How it is doing.
    func snapshot(at now: Instant) -> LiveWorkout {
        var live = builder.snapshot(at: now)
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

    /// Brings the plan up to the present; the session when a step is over and a lap was marked.
    mutating func advancePlan(at now: Instant) -> WorkoutSession? {
        guard session.state == .running, progress != nil else { return nil }
        let moment = PlanProgress.Moment(builder.snapshot(at: now))
        guard progress?.take(moment) == true else { return nil }
        // A workout that can take no more laps goes on without.
        try? change { session throws(WorkoutSessionError) in try session.lap(at: now) }
        progress?.next()
        return session
    }

    /// A lap was marked by hand, which ends a step that waits for it.
    mutating func noteLap(at now: Instant) {
        _ = progress?.take(PlanProgress.Moment(builder.snapshot(at: now)))
        progress?.next()
    }

    // MARK: The end

    /// Whether it has stopped, and is not saved yet though it is time to try.
    func wantsSaving(at now: Instant) -> Bool {
        guard session.state == .stopped, !isSaved else { return false }
        return lastSave.map { now.seconds(since: $0) >= Self.saveSeconds } ?? true
    }

    mutating func noteSave(at now: Instant) { lastSave = now }

    /// It is in the journal; whether the recovery is awaited depends on a heart rate being there.
    mutating func noteSaved(at now: Instant) {
        isSaved = true
        // Of an effort that ended in a pause nobody knows when it was over.
        let isPausedAtEnd =
            session.events.last { $0.kind == .pause || $0.kind == .resume }?.kind == .pause
        guard let end = session.endedAt, !isPausedAtEnd,
            case .rate = builder.snapshot(at: now).heart
        else { return }
        let recovery = end.adding(nanoseconds: Int64(Self.recoverySeconds * 1e9))
        if recovery > now { recoveryEnd = recovery }
    }

    /// Whether nothing is awaited any more.
    func isOver(at now: Instant) -> Bool {
        isSaved && (recoveryEnd.map { now >= $0 } ?? true)
    }

    /// Whether the recovery of the heart was awaited to its end.
    func hasRecovery(at now: Instant) -> Bool { recoveryEnd.map { now >= $0 } ?? false }
}

extension Instant {
    fileprivate func seconds(since earlier: Instant) -> Double {
        Double(nanoseconds(since: earlier)) / 1e9
    }
}
