import GatewayCore
package import HealthModel
import Platform
import Workouts

/// The workouts that go on in a gateway, one for each person.
///
/// Each is kept in the store at every change, so that it goes on after whatever ends this process.
package actor WorkoutManager {
    /// How often a workout is looked at while nothing happens, in seconds.
    package static let tickSeconds = 1.0
    /// How long the store may take to have what was accepted, in seconds.
    package static let settleSeconds = 3.0
    /// How often is noted that it goes on, in seconds.
    package static let noteSeconds = 10.0
    /// How often is looked whether a store can be opened by now, in seconds.
    package static let storeSeconds = 10.0
    /// So many records of the live lane may wait.
    private static let laneLimit = 10_000

    /// Whether it is known which workouts there are.
    package enum Phase: Equatable {
        /// In a moment.
        case beginning
        /// When somebody has set the clock.
        case withoutClock
        /// When the store can be opened.
        case withoutStore(reason: String)
        /// It is.
        case ready
    }

    package let dependencies: WorkoutDependencies
    package let stores: WorkoutStore
    /// By person.
    package var workouts: [String: RunningWorkout] = [:]
    package var turns = WorkoutTurns()
    /// Sessions in the store that cannot be read, by person.
    package var unreadable: [String: RecordID] = [:]
    /// Sessions of workouts that are over, which could not be removed from the store, by person.
    package var leftovers: [String: RecordID] = [:]
    /// The number of the store that was used last.
    package var storeNumber = 0
    package private(set) var phase = Phase.beginning
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    /// What is measured, as long as there is a workout.
    private var lane: SubscriptionBuffer?
    private var lastNote: BootInstant?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The signals of those who wait for records, by person.
    package var arrivals: [String: AsyncStream<Void>.Continuation] = [:]

    package init(_ dependencies: WorkoutDependencies) {
        self.dependencies = dependencies
        stores = WorkoutStore(place: dependencies.place)
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes up the workouts that an earlier run left, and looks after all there are until the task is
    /// cancelled.
    ///
    /// Those who watch see then that the gateway ends; their workouts go on with the next one.
    package func run() async {
        await begin()
        // Without a workout nothing happens here at all.
        for await _ in wakeUps { await lookAfterWorkouts() }
        // Those who watch are told nothing: the workouts go on with the next gateway.
        await noteAlive()
    }

    private func begin() async {
        if dependencies.dated.now() == nil {
            become(.withoutClock)
            guard (try? await dependencies.dated.waitUntilSet()) != nil else { return }
        }
        while await !restoreSessions() {
            guard (try? await dependencies.clock.sleep(seconds: Self.storeSeconds)) != nil else {
                return
            }
        }
    }

    /// It is known now, or at least why not.
    package func become(_ phase: Phase) {
        self.phase = phase
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Waits until it is known which workouts there are, or why not.
    package func waitForBeginning() async {
        await withCheckedContinuation { continuation in
            if phase == .beginning { waiting.append(continuation) } else { continuation.resume() }
        }
    }

    /// There is a workout to look after.
    package func begin(_ workout: RunningWorkout) {
        // From now on nothing that is measured is missed.
        lane = lane ?? dependencies.live.subscribeBuffered(limit: Self.laneLimit)
        workouts[workout.session.person] = workout
        wakeUp.yield()
    }

    // MARK: The live lane

    private func endListening() {
        if let lane { dependencies.live.cancel(lane) }
        lane = nil
    }

    /// Follows the live lane, and ticks, as long as there is a workout.
    private func lookAfterWorkouts() async {
        guard !workouts.isEmpty, let lane else { return endListening() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(lane) }
            while !workouts.isEmpty {
                let sleep: Void? = try? await dependencies.clock.sleep(seconds: Self.tickSeconds)
                guard sleep != nil else { break }
                tick(&group)
            }
            endListening()
        }
        if workouts.isEmpty { await stores.close() }
    }

    private func follow(_ lane: SubscriptionBuffer) async {
        while let delivery = await lane.next() {
            switch delivery {
            case .records(let records):
                let now = dependencies.now()
                for record in records { take(record, at: now) }
            case .gap(let missed):
                noteMissed(missed)
            }
        }
    }

    private func take(_ record: Record, at now: Instant) {
        guard let person = record.person, workouts[person] != nil else { return }
        workouts[person]?.take(record, at: now)
        arrivals[person]?.yield()
        // Who watches sees a heart rate as soon as it is there.
        guard record.type == .quantity(.heartRate),
            workouts[person]?.mayTell(at: dependencies.clock.now()) == true,
            let workout = workouts[person]
        else { return }
        workout.watchers.tell(workout.snapshot(at: now))
    }

    /// The live lane was too slow: what was missed is in the store all the same.
    private func noteMissed(_ count: Int) {
        dependencies.log.warning(
            "records came too fast for the live view of workouts; the store has them",
            ["records": "\(count)"])
        let now = dependencies.now()
        for person in workouts.keys { workouts[person]?.noteMissed(at: now) }
    }

    // MARK: Time

    /// What takes its time with one workout holds up none of the others.
    private func tick(_ group: inout DiscardingTaskGroup) {
        let (now, moment) = (dependencies.now(), dependencies.clock.now())
        for (person, workout) in workouts {
            workouts[person]?.noteSeen(at: now)
            workout.watchers.tell(workout.snapshot(at: now))
            guard !turns.isBusy(person), workout.wantsCare(at: moment, storeNumber) else {
                continue
            }
            group.addTask { await self.care(for: person) }
        }
        if lastNote.map({ moment.seconds(since: $0) >= Self.noteSeconds }) ?? true {
            lastNote = moment
            group.addTask { await self.noteAlive() }
        }
    }

    /// Does what the time has come for.
    private func care(for person: String) async {
        await inTurn(person) {
            let moment = dependencies.clock.now()
            guard let workout = workouts[person] else { return }
            if workout.isOver(at: moment) { return await close(person) }
            let now = workout.time(dependencies.now())
            if workouts[person]?.advancePlan(at: now) == true {
                workout.watchers.tell(
                    workouts[person]?.snapshot(at: now) ?? workout.snapshot(at: now))
            }
            if workouts[person]?.wantsKeeping(in: storeNumber) == true { await keepOrTell(person) }
            if workout.wantsSaving(at: moment) { await save(person) }
        }
    }
}
