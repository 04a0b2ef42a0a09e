import GatewayCore
package import HealthModel
package import Platform
package import Workouts

/// A workout in progress: its session, live statistics, plan, watchers and save state.
package struct RunningWorkout {
    /// How long the heart rate is recorded after the stop, in seconds, for the heart rate recovery.
    package static let recoverySeconds = 76.0
    /// The delay between two attempts to save, in seconds.
    package static let saveRetrySeconds = 5.0
    /// The minimum interval between two updates to watchers that a reading triggers, in seconds.
    private static let updateSeconds = 0.2
    /// The maximum wait for a store that lags behind the journal, in seconds.
    package static let maximumLagSeconds = 600.0

    /// The session.
    package private(set) var session: WorkoutSession
    /// The facts about the person.
    package let subject: WorkoutSubject
    /// The clients that watch the workout.
    package let watchers = WorkoutWatchers()
    private var builder: LiveWorkoutBuilder
    private var progress: PlanProgress?
    private var pendingCounts = PendingCounts()
    /// When watchers last got an update that a reading triggered.
    private var lastUpdate: BootInstant?
    /// The latest time at which the workout was seen in progress.
    ///
    /// It never ends before, whatever the clock is set to.
    private var lastSeen: Instant?
    /// The session as last stored, and the number of the store that has it.
    private var stored: (session: WorkoutSession, number: Int)?
    /// The reason of the last failure, so that it is logged once.
    private var lastFailure: String?
    /// When the first and the last attempt to save were made.
    private var saveAttempts: (first: BootInstant, last: BootInstant)?
    /// The records of the workout, from the first attempt to publish them on: the journal may have
    /// them.
    package private(set) var records: [Record]?
    /// Whether the journal has accepted the workout record.
    package private(set) var isSaved = false
    /// When the heart rate recovery is complete; nil when none is expected.
    private var recoveryEnd: BootInstant?

    /// Creates a workout without records.
    package init(_ session: WorkoutSession, subject: WorkoutSubject) {
        self.session = session
        self.subject = subject
        builder = LiveWorkoutBuilder(session: session, subject: subject)
        progress = session.plan.map { PlanProgress($0) }
    }

    /// Restores the progress of the plan after a crash, once the earlier samples are added.
    ///
    /// Each finished step ended with a lap.
    package mutating func resumePlan(at now: Instant) {
        guard let plan = session.plan, let mark = session.lapMarks.last else { return }
        let live = builder.snapshot(at: now)
        let distance = (live.measures.distanceMeters ?? 0) - (live.lap.distanceMeters ?? 0)
        progress = PlanProgress(
            plan, finished: session.lapMarks.count, activeSeconds: session.activeSeconds(at: mark),
            distanceMeters: distance)
    }

    /// Adds a record of the person to the live statistics.
    package mutating func add(_ record: Record, at now: Instant) {
        // A sample that was calculated for a workout is not a measurement.
        if case .sample(let sample) = record {
            guard sample.metadata[.workout] == nil else { return }
            pendingCounts.add(sample)
        }
        builder.add(record, at: now)
    }

    /// Whether a reading should trigger an update to watchers now; the time is remembered.
    package mutating func shouldSendUpdate(at moment: BootInstant) -> Bool {
        guard !watchers.isEmpty,
            lastUpdate.map({ moment.seconds(since: $0) >= Self.updateSeconds }) ?? true
        else { return false }
        lastUpdate = moment
        return true
    }

    /// Records a gap: the live lane dropped records.
    package mutating func noteMissed(at now: Instant) {
        builder.noteGap(from: now, to: now)
    }

    /// Changes the session; nothing changes when the closure throws.
    package mutating func change(
        _ body: (inout WorkoutSession) throws(WorkoutSessionError) -> Void
    ) throws(WorkoutSessionError) {
        var changed = session
        try body(&changed)
        session = changed
        builder.update(changed)
    }

    /// Notes that the workout is in progress.
    package mutating func noteSeen(at now: Instant) { lastSeen = time(now) }

    /// The time of a request, never before the last time at which the workout was seen in progress.
    package func time(_ now: Instant) -> Instant { max(now, lastSeen ?? now) }

    /// The live state of the workout at a time.
    package func snapshot(at now: Instant) -> LiveWorkout {
        var live = builder.snapshot(at: now)
        live.isSaved = isSaved
        switch session.state {
        case .running: live.step = progress?.step
        case .paused:
            live.step = progress?.step
            // A paused workout has no advice.
            live.step?.advice = nil
        // The plan is shown only while the workout is active.
        case .notStarted, .prepared, .stopped, .ended: break
        }
        return live
    }

    /// Updates the plan to the present.
    ///
    /// - Returns: Whether a step ended, which ends a lap too.
    @discardableResult
    package mutating func advancePlan(at now: Instant) -> Bool {
        guard session.state == .running, progress != nil else { return false }
        let moment = PlanProgress.Moment(builder.snapshot(at: now))
        guard progress?.update(moment) == true else { return false }
        // The lap ends when the step ended, not when this was noticed.
        let late = Int64((progress?.overshootSeconds ?? 0) * 1e9)
        // A workout with the maximum number of events continues without the lap.
        try? change { session throws(WorkoutSessionError) in
            try session.lap(at: now.adding(nanoseconds: -late))
        }
        progress?.next()
        return true
    }

    /// Updates the plan after a lap of the user, which ends an open step.
    package mutating func noteLap(at now: Instant) {
        _ = progress?.update(PlanProgress.Moment(builder.snapshot(at: now)))
        progress?.next()
    }

    // MARK: Storage

    /// Whether timed work is due: closing, saving, storing, or checking the plan.
    package func isWorkDue(at moment: BootInstant, _ storeNumber: Int) -> Bool {
        isOver(at: moment) || needsSaving(at: moment) || needsStoring(in: storeNumber)
            || (session.state == .running && progress?.current != nil)
    }

    /// Whether the store with this number lacks the present session.
    package func needsStoring(in storeNumber: Int) -> Bool {
        guard let stored else { return true }
        return stored.number != storeNumber || stored.session != session
    }

    /// Notes that a store has a session.
    package mutating func noteStored(_ session: WorkoutSession, in storeNumber: Int) {
        stored = (session, storeNumber)
        lastFailure = nil
    }

    /// Whether a failure differs from the last one; it is remembered.
    package mutating func isNewFailure(_ reason: String) -> Bool {
        defer { lastFailure = reason }
        return lastFailure != reason
    }

    // MARK: The end

    /// Whether devices may still report samples from before the end.
    package func hasPendingCounts(at now: Instant) -> Bool {
        session.endedAt.map { pendingCounts.arePending(before: $0, at: now) } ?? false
    }

    /// The maximum wait for samples from before the end, in seconds.
    package func countWaitSeconds(at now: Instant) -> Double {
        guard let end = session.endedAt else { return 0 }
        return PendingCounts.remainingSeconds(after: end, at: now)
    }

    /// Whether the workout has stopped, is not saved, and an attempt to save is due.
    package func needsSaving(at moment: BootInstant) -> Bool {
        guard session.state == .stopped, !isSaved else { return false }
        return saveAttempts.map { moment.seconds(since: $0.last) >= Self.saveRetrySeconds } ?? true
    }

    /// Notes an attempt to save.
    package mutating func noteSaveAttempt(at moment: BootInstant) {
        saveAttempts = (saveAttempts?.first ?? moment, moment)
    }

    /// Whether the wait for a store that lags behind has timed out.
    package func hasStoreLagTimedOut(at moment: BootInstant) -> Bool {
        saveAttempts.map { moment.seconds(since: $0.first) >= Self.maximumLagSeconds } ?? false
    }

    /// Notes the records to publish.
    package mutating func noteRecords(_ records: [Record]) { self.records = records }

    /// Marks the workout as saved.
    ///
    /// A heart rate recovery is expected only if a heart rate is being measured.
    package mutating func noteSaved(at now: Instant, _ moment: BootInstant) {
        isSaved = true
        // An effort that ended in a pause has no known end.
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

    /// Whether the workout is saved and its heart rate recovery is complete or not expected.
    package func isOver(at moment: BootInstant) -> Bool {
        isSaved && (recoveryEnd.map { moment >= $0 } ?? true)
    }

    /// Whether the time for a heart rate recovery has passed.
    package func hasRecovery(at moment: BootInstant) -> Bool {
        recoveryEnd.map { moment >= $0 } ?? false
    }
}
