import GatewayTesting
import HealthModel
import SQLiteStore
import XCTest

@testable import WorkoutService
@testable import Workouts

/// The workouts of a gateway, on a clock that the test moves and a store of its own.
final class WorkoutManagerTests: XCTestCase {
    private func total(_ type: QuantityType, of workout: Workout) -> WorkoutTotal? {
        workout.totals.first { $0.type == type }
    }

    // MARK: Prancercise

    func testPrancercise_twoIntervals_whoseEnergySamplesAddUpToTheTotal() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start, activity: "prancercise")
        for _ in 1...10 { try await gym.second() }
        _ = try await gym.ask(.pause)
        for _ in 1...5 { try await gym.second() }
        _ = try await gym.ask(.resume)
        for _ in 1...10 { try await gym.second() }
        let live = try await gym.ask(.stop)
        XCTAssertEqual(live.measures.elapsedSeconds, 25)
        XCTAssertEqual(live.measures.activeSeconds, 20)

        let workouts = try await gym.workouts()
        let workout = try XCTUnwrap(workouts.first)
        XCTAssertEqual(workout.seconds, 20)
        let samples = try await gym.store.samples(
            matching: SampleQuery(type: .activeEnergyBurned))
        XCTAssertEqual(
            samples.map { $0.end.nanoseconds(since: $0.start) },
            [10, 10].map { $0 * 1_000_000_000 })
        let sum = try samples.reduce(0) { try $0 + $1.quantity.value(in: .kilocalorie) }
        XCTAssertEqual(sum, 450 * 20 / 3_600, accuracy: 1e-9)
        let whole = try XCTUnwrap(total(.activeEnergyBurned, of: workout)?.sum)
        XCTAssertEqual(try whole.value(in: .kilocalorie), sum, accuracy: 1e-9)

        try await gym.second()
        _ = try await gym.ask(.start, activity: "prancercise")
        try await gym.second()
        _ = try await gym.ask(.discard)
        let kept = try await gym.workouts()
        XCTAssertEqual(kept.map(\.id), [workout.id], "the discarded one is not listed")
        await gym.stop()
    }

    // MARK: Two people

    func testTwoPeopleAtOneRate_areInDifferentZones_eachWithOnlyTheOwnSamples() async throws {
        let gym = try Gym(
            #"{ people: { ada: { birthDate: "1960-01-01" }, bob: { birthDate: "2005-01-01" } } }"#)
        gym.start()
        _ = try await gym.ask(.start, "ada", activity: "running")
        _ = try await gym.ask(.start, "bob", activity: "cycling")
        for _ in 1...10 { try await gym.second(["ada": 150, "bob": 150]) }
        // The last of them come by another task.
        try await gym.wait(seconds: 0) {
            await gym.manager.status(of: nil).allSatisfy {
                $0.measures.zoneSeconds.reduce(0, +) == 9
            }
        }
        let live = await gym.manager.status(of: nil)
        XCTAssertEqual(live.map(\.person), ["ada", "bob"])
        // 208 - 0.7 * 66 = 161.8: 150 is 93 %; 208 - 0.7 * 21 = 193.3: 150 is 78 %.
        XCTAssertEqual(
            live.map { live -> Int? in
                guard case .rate(_, let zone, _, _) = live.heart else { return nil }
                return zone
            }, [5, 3])
        XCTAssertEqual(live[0].measures.zoneSeconds, [0, 0, 0, 0, 0, 9])
        XCTAssertEqual(live[1].measures.zoneSeconds, [0, 0, 0, 9, 0, 0])
        _ = try await gym.ask(.stop, "ada")
        _ = try await gym.ask(.stop, "bob")
        let workouts = try await gym.workouts()
        XCTAssertEqual(Set(workouts.map(\.person)), ["ada", "bob"])
        await gym.stop()
    }

    func testPerson_isRequired_whereThereAreSeveral() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }")
        gym.start()
        await assertProblem("is required; one of: ada, bob") { try await gym.ask(.start) }
        _ = try await gym.ask(.start, "ada")
        _ = try await gym.ask(.lap)
        await assertProblem("bob has no workout") { try await gym.ask(.pause, "bob") }
        _ = try await gym.ask(.start, "bob")
        await assertProblem("is required; one of: ada, bob") { try await gym.ask(.pause) }
        await gym.stop()
    }

    func testDefaultPerson_isUsed_whereThereAreSeveral() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }", default: "bob")
        gym.start()
        let started = try await gym.ask(.start)
        XCTAssertEqual(started.person, "bob")
        _ = try await gym.ask(.start, "ada")
        let paused = try await gym.ask(.pause)
        XCTAssertEqual(paused.person, "bob")
        _ = try await gym.ask(.discard)
        let only = try await gym.ask(.lap)
        XCTAssertEqual(only.person, "ada", "the only workout")
        await gym.stop()
    }

    func testDefaultPerson_whoIsUnknown_isNotUsed() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }", default: "eve")
        gym.start()
        await assertProblem("is required; one of: ada, bob") { try await gym.ask(.start) }
        await gym.stop()
    }

    // MARK: A crash

    func testAfterACrash_itContinues_withTheGapAndWhatWasMeasuredBefore() async throws {
        let folder = try TemporaryFolder()
        let first = try Gym("{}", folder: folder)
        first.start()
        _ = try await first.ask(.start, activity: "rowing")
        for _ in 1...20 { try await first.second(["me": 120]) }
        // No end: the process is gone.
        let second = try Gym("{}", folder: folder)
        second.clock.advance(seconds: 60)
        second.start()
        let live = await second.manager.status(of: "me")
        XCTAssertEqual(live.first?.activity, WorkoutActivity(.rowing))
        XCTAssertEqual(live.first?.state, .running)
        XCTAssertEqual(live.first?.gapCount, 1)
        XCTAssertEqual(live.first?.measures.elapsedSeconds, 60)
        for _ in 1...10 { try await second.second(["me": 130]) }
        _ = try await second.ask(.stop)
        let workouts = try await second.workouts()
        let workout = try XCTUnwrap(workouts.first)
        XCTAssertEqual(workout.end.nanoseconds(since: workout.start), 70_000_000_000)
        XCTAssertEqual(workout.events.map(\.kind), [.segment])
        let rate = total(.heartRate, of: workout)
        XCTAssertEqual(rate?.minimum, try Quantity(120, .countPerMinute))
        XCTAssertEqual(rate?.maximum, try Quantity(130, .countPerMinute))
        await second.stop()
        await first.stop()
    }

    func testWhatCannotBeSavedNow_isSavedLater() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start, activity: "running")
        for _ in 1...3 { try await gym.second() }
        gym.journal.isFull = true
        let live = try await gym.ask(.stop)
        XCTAssertEqual(live.state, .stopped)
        let none = try await gym.workouts()
        XCTAssertEqual(none, [])
        gym.journal.isFull = false
        while try await gym.workouts().isEmpty {
            gym.clock.advance(seconds: 1)
            await Task.yield()
        }
        let kept = try await gym.workouts()
        XCTAssertEqual(kept.first?.seconds, 3)
        await gym.stop()
    }

    func testRecovery_isSavedAfterTheStop_whenTheHeartisStillBeingMeasured() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start, activity: "running")
        for _ in 1...60 { try await gym.second(["me": 170]) }
        _ = try await gym.ask(.stop)
        for second in 1...80 { try await gym.second(["me": max(130, 170 - Double(second))]) }
        while await !gym.manager.status(of: "me").isEmpty {
            gym.clock.advance(seconds: 1)
            await Task.yield()
        }
        let samples = try await gym.store.samples(
            matching: SampleQuery(type: .heartRateRecoveryOneMinute))
        XCTAssertEqual(samples.map(\.quantity.value), [40])
        let sessions = try await gym.store.sessions()
        XCTAssertEqual(sessions.map(\.person), [], "it is not taken up again")
        await gym.stop()
    }

    // MARK: What comes after the stop

    /// A walk with a pedometer report of its first ten seconds, which is being stopped after
    /// fifteen.
    private func stopWalk(in gym: Gym) async throws -> (start: Instant, stop: Task<Void, any Error>)
    {
        gym.start()
        let started = try await gym.ask(.start, activity: "walking")
        try await gym.count(steps: 20, from: started.start, seconds: 10)
        // A received heart rate shows that the count before it was received too.
        for _ in 1...15 { try await gym.second(["me": 100]) }
        let stop = Task { _ = try await gym.ask(.stop) }
        while await gym.manager.status(of: "me").first?.state != .stopped { await Task.yield() }
        return (started.start, stop)
    }

    func testStop_waitsForWhatWasCountedUntilThen_andNoLonger() async throws {
        let gym = try Gym("{}")
        let (start, stop) = try await stopWalk(in: gym)
        let ten = start.adding(nanoseconds: 10_000_000_000)
        try await gym.count(steps: 20, from: ten, seconds: 10)
        try await stop.value
        let workouts = try await gym.workouts()
        let workout = try XCTUnwrap(workouts.first)
        XCTAssertEqual(workout.end.nanoseconds(since: workout.start), 15_000_000_000)
        let sum = try XCTUnwrap(workout.totals.first { $0.type == .stepCount }?.sum?.value)
        XCTAssertEqual(sum, 20 + 2 * 5, accuracy: 1e-6)
        await gym.stop()
    }

    func testStop_endsAfterItsTimeout_whenNothingMoreIsCounted() async throws {
        let gym = try Gym("{}")
        let (_, stop) = try await stopWalk(in: gym)
        let before = try await gym.workouts()
        XCTAssertEqual(before.count, 0)
        // The tick of the manager, and the wait of the stop.
        await gym.clock.waitForSleepers(2)
        gym.clock.advance(seconds: PendingCounts.timeoutSeconds)
        try await stop.value
        let workouts = try await gym.workouts()
        XCTAssertEqual(workouts.count, 1)
        await gym.stop()
    }

    func testAPlanByZones_isRefused_whereTheyAreNotKnown() async throws {
        let gym = try Gym(
            #"{ people: { ada: {}, bob: { maximumHeartRate: { value: 190, unit: "count/min" } } } }"#
        )
        gym.start()
        func plan(_ zone: Int) -> String {
            "{ name: \"p\", steps: [{ until: { zone: \(zone) } }] }"
        }
        await assertProblem("plan.steps[0]: uses heart rate zones") {
            try await gym.ask(.start, "ada", plan: plan(1))
        }
        await assertProblem("plan.steps[0]: uses zone 6") {
            try await gym.ask(.start, "bob", plan: plan(6))
        }
        await assertProblem("plan.steps[0].tim: unknown key") {
            try await gym.ask(.start, "bob", plan: "{ name: \"p\", steps: [{ tim: 1 }] }")
        }
        await assertProblem("plan[0]: line 1") { try await gym.ask(.start, "bob", plan: "[") }
        let live = try await gym.ask(.start, "bob", plan: plan(5))
        XCTAssertEqual(live.step?.count, 1)
        await gym.stop()
    }

    func testAPlan_continuesAfterACrash_whereItWas() async throws {
        let folder = try TemporaryFolder()
        let first = try Gym("{}", folder: folder)
        first.start()
        let plan = #"{ name: "p", steps: [{ repeat: 3, steps: [{ time: "10s" }] }] }"#
        _ = try await first.ask(.start, plan: plan)
        // Looked at every second and a half: the lap is marked where the step was over.
        try await first.wait(seconds: 1.5, forTicks: true) {
            await first.manager.status(of: "me").first?.step?.number == 2
        }
        let second = try Gym("{}", folder: folder, clock: first.clock)
        await first.stop()
        second.start()
        let live = await second.manager.status(of: "me").first
        XCTAssertEqual(live?.step?.number, 2)
        XCTAssertEqual(live?.lapNumber, 2)
        _ = try await second.ask(.stop)
        let workouts = try await second.workouts()
        let lap = try XCTUnwrap(workouts.first?.events.first { $0.kind == .lap })
        XCTAssertEqual(lap.end.nanoseconds(since: lap.start), 10_000_000_000)
        await second.stop()
    }
}
