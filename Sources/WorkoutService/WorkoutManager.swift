import GatewayCore
package import HealthModel
import Platform
import Workouts

/// Manages the active workouts of a gateway, one for each person.
///
/// Each session is stored at every change, so that a workout continues after a restart or crash.
package actor WorkoutManager {
    /// The interval between two ticks of active workouts, in seconds.
    package static let tickSeconds = 1.0
    /// The maximum wait until the store has the accepted records, in seconds.
    package static let storeWaitSeconds = 3.0
    /// The interval at which the last seen time is stored, in seconds.
    package static let lastSeenSeconds = 10.0
    /// The delay between two attempts to open the store, in seconds.
    package static let storeRetrySeconds = 10.0
    /// The maximum number of records of the live lane that wait.
    private static let laneLimit = 10_000

    /// The progress of restoring stored workouts.
    package enum Phase: Equatable {
        /// The restore has not finished.
        case restoring
        /// The system clock is not set.
        case clockNotSet
        /// The store cannot be opened.
        case storeUnavailable(reason: String)
        /// All stored workouts are restored.
        case ready
    }

    /// The services of the gateway.
    package let dependencies: WorkoutDependencies
    /// The store of sessions.
    package let stores: WorkoutStore
    /// The workouts by person.
    package var workouts: [String: RunningWorkout] = [:]
    /// The observers of all workouts.
    let observers = WorkoutObservers()
    /// The turns on workouts.
    package var turns = WorkoutTurns()
    /// Sessions in the store that cannot be read, by person.
    package var unreadable: [String: RecordID] = [:]
    /// Sessions of workouts that are over, which could not be removed from the store, by person.
    package var endedSessions: [String: RecordID] = [:]
    /// The number of the last opened store.
    package var storeNumber = 0
    /// The progress of the restore.
    package private(set) var phase = Phase.restoring
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    /// The subscription to the live lane while there is a workout.
    private var lane: SubscriptionBuffer?
    private var lastSeenStored: BootInstant?
    /// The streams of the tasks that wait for the restore; they only end.
    private var waiting: [AsyncStream<Never>.Continuation] = []
    /// The signals that a record has arrived, by person.
    package var recordSignals: [String: AsyncStream<Void>.Continuation] = [:]

    /// Creates a manager without workouts.
    package init(_ dependencies: WorkoutDependencies) {
        self.dependencies = dependencies
        stores = WorkoutStore(
            location: dependencies.storeLocation, clock: dependencies.clock, log: dependencies.log)
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Restores the workouts of an earlier run, and manages all workouts until the task is
    /// cancelled.
    ///
    /// Watchers then lose their connection; the workouts continue with the next run.
    package func run() async {
        await restoreWhenReady()
        // Without a workout this loop only waits.
        for await _ in wakeUps { await manageWorkouts() }
        // No end is sent to watchers: the workouts continue with the next run.
        await storeLastSeen()
    }

    private func restoreWhenReady() async {
        if dependencies.dated.now() == nil {
            enter(.clockNotSet)
            guard (try? await dependencies.dated.waitUntilSet()) != nil else { return }
        }
        while await !restoreSessions() {
            guard (try? await dependencies.clock.sleep(seconds: Self.storeRetrySeconds)) != nil
            else {
                return
            }
        }
    }

    /// Enters a phase, and resumes the tasks that wait for it.
    package func enter(_ phase: Phase) {
        self.phase = phase
        for continuation in waiting { continuation.finish() }
        waiting = []
    }

    /// Waits until the restore has finished or failed, or until the task is cancelled.
    package func waitUntilRestored() async {
        guard phase == .restoring else { return }
        let (end, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append(continuation)
        for await _ in end {}
    }

    /// Adds a workout to the managed ones.
    package func manage(_ workout: RunningWorkout) {
        // Subscribe first, so that no record is missed.
        lane = lane ?? dependencies.live.subscribeBuffered(limit: Self.laneLimit)
        workouts[workout.session.person] = workout
        sendState(of: workout)
        wakeUp.yield()
    }

    // MARK: The live lane

    private func unsubscribe() {
        if let lane { dependencies.live.cancel(lane) }
        lane = nil
    }

    /// Follows the live lane and ticks while there is a workout.
    private func manageWorkouts() async {
        guard !workouts.isEmpty, let lane else { return unsubscribe() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.consume(lane) }
            while !workouts.isEmpty {
                let sleep: Void? = try? await dependencies.clock.sleep(seconds: Self.tickSeconds)
                guard sleep != nil else { break }
                tick(&group)
            }
            unsubscribe()
        }
        if workouts.isEmpty { await stores.close() }
    }

    private func consume(_ lane: SubscriptionBuffer) async {
        while let delivery = await lane.next() {
            switch delivery {
            case .records(let records):
                let now = dependencies.now()
                for record in records { receive(record, at: now) }
            case .gap(let missed):
                noteMissed(missed)
            }
        }
    }

    private func receive(_ record: Record, at now: Instant) {
        guard let person = record.person, workouts[person] != nil else { return }
        workouts[person]?.add(record, at: now)
        recordSignals[person]?.yield()
        // Watchers see a heart rate immediately.
        guard record.type == .quantity(.heartRate),
            workouts[person]?.shouldSendUpdate(at: dependencies.clock.now()) == true,
            let workout = workouts[person]
        else { return }
        workout.watchers.send(workout.snapshot(at: now))
    }

    /// Records a gap: the live lane dropped records.
    ///
    /// The store has them.
    private func noteMissed(_ count: Int) {
        dependencies.log.warning(
            "live view of workouts dropped records; the store has them",
            ["records": "\(count)"])
        let now = dependencies.now()
        for person in workouts.keys { workouts[person]?.noteMissed(at: now) }
    }

    // MARK: Time

    /// Runs the timed work of each workout in a task of its own, so that a slow one does not delay
    /// the others.
    private func tick(_ group: inout DiscardingTaskGroup) {
        let (now, moment) = (dependencies.now(), dependencies.clock.now())
        for (person, workout) in workouts {
            workouts[person]?.noteSeen(at: now)
            sendState(of: workout)
            guard !turns.isBusy(person), workout.isWorkDue(at: moment, storeNumber) else {
                continue
            }
            group.addTask { await self.doTimedWork(for: person) }
        }
        if lastSeenStored.map({ moment.seconds(since: $0) >= Self.lastSeenSeconds }) ?? true {
            lastSeenStored = moment
            group.addTask { await self.storeLastSeen() }
        }
    }

    /// Does the timed work of a workout.
    private func doTimedWork(for person: String) async {
        await inTurn(person) {
            let moment = dependencies.clock.now()
            guard let workout = workouts[person] else { return }
            if workout.isOver(at: moment) { return await close(person) }
            let now = workout.time(dependencies.now())
            if workouts[person]?.advancePlan(at: now) == true {
                sendState(of: workout, workouts[person]?.snapshot(at: now))
            }
            if workouts[person]?.needsStoring(in: storeNumber) == true {
                await storeOrReport(person)
            }
            if workout.needsSaving(at: moment) { await save(person) }
        }
    }
}
