import GatewayCore
import HealthModel
import HealthStore
import Workouts

/// The workouts that go on in a gateway, one for each person.
///
/// Each is kept in the store at every change, so that it goes on after whatever ends this process.
actor WorkoutManager {
    /// How often a workout is looked at while nothing happens, in seconds.
    static let tickSeconds = 1.0
    /// How long the store may take to have what was accepted, in seconds.
    static let settleSeconds = 3.0
    /// How often is noted that it goes on, in seconds.
    static let noteSeconds = 10.0
    /// So many deliveries of the live lane may wait.
    private static let laneLimit = 10_000

    let around: WorkoutSurroundings
    /// By person.
    var workouts: [String: RunningWorkout] = [:]
    var store: HealthStore?
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private var lastNote: BootInstant?
    /// Whether what an earlier run left is taken up, and who waits for that.
    private var isReady = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ around: WorkoutSurroundings) {
        self.around = around
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes up the workouts that an earlier run left, and looks after all there are until the task is
    /// cancelled.
    func run() async {
        await takeUpKept()
        isReady = true
        for continuation in waiting { continuation.resume() }
        waiting = []
        // Without a workout nothing happens here at all.
        for await _ in wakeUps { await lookAfterWorkouts() }
        // Those who watch are told nothing: the workouts go on with the next gateway.
        await noteAlive()
    }

    /// Listens to the live lane, and ticks, as long as there is a workout.
    private func lookAfterWorkouts() async {
        guard !workouts.isEmpty else { return }
        let lane = around.live.subscribeToEvery(limit: Self.laneLimit)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow(lane) }
            while !workouts.isEmpty, !Task.isCancelled {
                try? await around.clock.sleep(seconds: Self.tickSeconds)
                await tick()
            }
            around.live.cancel(lane)
        }
    }

    private func follow(_ lane: EveryQueue) async {
        while let delivery = await lane.next() {
            switch delivery {
            case .records(let records):
                for record in records { take(record) }
            case .gap(let missed):
                noteMissed(missed)
            }
        }
    }

    private func take(_ record: Record) {
        guard let person = record.person, workouts[person] != nil else { return }
        workouts[person]?.take(record)
    }

    /// The live lane was too slow: what was missed is in the store all the same.
    private func noteMissed(_ count: Int) {
        around.log.warning(
            "records came too fast for the live view of workouts; the store has them",
            ["records": "\(count)"])
        let now = around.now()
        for person in workouts.keys { workouts[person]?.noteMissed(at: now) }
    }

    // MARK: Time

    private func tick() async {
        let now = around.now()
        for (person, workout) in workouts {
            if workout.isOver(at: now) {
                await close(person)
            } else if workout.wantsSaving(at: now) {
                await save(person)
            } else if let session = workouts[person]?.advancePlan(at: now) {
                try? await keep(session)
            }
            guard let workout = workouts[person] else { continue }
            workout.watchers.tell(workout.snapshot(at: now))
        }
        let moment = around.clock.now()
        if lastNote.map({ moment.seconds(since: $0) >= Self.noteSeconds }) ?? true {
            lastNote = moment
            await noteAlive()
        }
    }

    /// Waits until it is known which workouts there are.
    func waitUntilReady() async {
        await withCheckedContinuation { continuation in
            if isReady { continuation.resume() } else { waiting.append(continuation) }
        }
    }

    /// There is a workout to look after.
    func begin(_ workout: RunningWorkout) {
        workouts[workout.session.person] = workout
        wakeUp.yield()
    }
}
