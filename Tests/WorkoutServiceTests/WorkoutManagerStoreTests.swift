import Foundation
import GatewayTesting
import HealthModel
import Platform
import SQLiteStore
import XCTest

@testable import WorkoutService
@testable import Workouts

/// Stored sessions at the start of a gateway, changes of the store, and the clock.
final class WorkoutManagerStoreTests: XCTestCase {
    func testSessionThatCannotBeRead_isReported_andDiscardRemovesIt() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }")
        let id = RecordID.make(start: gym.now, device: "ada", stream: "workout", key: 0)
        try await gym.store.saveSession(
            PersistedSession(id: id, person: "ada", text: #"{"v":9}"#, seen: gym.now))
        gym.start()
        await assertProblem("`pulsegate workout discard --person ada`") {
            try await gym.ask(.start, "ada")
        }
        _ = try await gym.ask(.start, "bob")
        let gone = try await gym.ask(.discard, "ada")
        XCTAssertEqual(gone.id, id)
        _ = try await gym.ask(.start, "ada")
        let people = await gym.manager.status(of: nil).map(\.person)
        XCTAssertEqual(people, ["ada", "bob"])
        await gym.stop()
    }

    func testSessionOfAnotherPersonThanItsRowSays_isNotRestored() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }")
        var session = WorkoutSession(
            id: RecordID.make(start: gym.now, device: "bob", stream: "workout", key: 0),
            person: "bob", activity: WorkoutActivity(.running))
        try session.start(at: gym.now)
        try await gym.store.saveSession(
            PersistedSession(id: session.id, person: "ada", text: session.json, seen: gym.now))
        gym.start()
        let live = await gym.manager.status(of: nil)
        XCTAssertEqual(live.map(\.person), [])
        XCTAssertTrue(gym.log.text.contains("cannot read stored workout"), gym.log.text)
        await gym.stop()
    }

    func testSessionThatIsCorrupt_isOneProblemForEveryRequest_untilItIsDiscarded() async throws {
        let gym = try Gym("{ people: { ada: {} } }")
        var session = WorkoutSession(
            id: RecordID.make(start: gym.now, device: "ada", stream: "workout", key: 0),
            person: "ada", activity: WorkoutActivity(.running))
        try session.start(at: gym.now)
        let half = String(session.json.prefix(session.json.count / 2))
        try await gym.store.saveSession(
            PersistedSession(id: session.id, person: "ada", text: half, seen: gym.now))
        gym.start()
        for action in [WorkoutRequest.Action.start, .pause, .stop, .lap] {
            await assertProblem(
                "cannot read the stored workout of ada; discard it: "
                    + "`pulsegate workout discard --person ada`"
            ) { try await gym.ask(action) }
        }
        XCTAssertEqual(gym.log.count(of: "cannot read stored workout"), 1, gym.log.text)
        let discarded = try await gym.ask(.discard)
        XCTAssertEqual(discarded.id, session.id)
        let sessions = try await gym.store.sessions()
        XCTAssertEqual(sessions.map(\.id), [])
        _ = try await gym.ask(.start)
        await gym.stop()
    }

    func testStoreThatCannotBeOpened_isTriedAgain_andThenTheWorkoutContinues() async throws {
        let folder = try TemporaryFolder()
        let first = try Gym("{}", folder: folder)
        first.start()
        let live = try await first.ask(.start)
        await first.stop()
        let second = try Gym("{}", folder: folder, clock: first.clock)
        second.faults.fail(from: 1)
        second.start()
        await assertProblem("cannot open the workout store") {
            try await second.ask(.start)
        }
        second.clock.advance(seconds: 20)
        XCTAssertEqual(second.log.count(of: "cannot restore workouts"), 1)
        second.faults.remedy()
        let lap = try await second.ask(.lap)
        XCTAssertEqual(lap.id, live.id)
        await second.stop()
    }

    func testStoreThatWasRemoved_isNotCreatedAgain_andTheNextOneHasTheSession() async throws {
        let gym = try Gym("{}")
        gym.start()
        let live = try await gym.ask(.start)
        let path = gym.folder.path("health.sqlite")
        for end in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(atPath: path + end, toPath: path + ".old" + end)
        }
        _ = try await gym.ask(.lap)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        XCTAssertTrue(gym.log.text.contains("was moved or removed"), gym.log.text)
        let next = try SQLiteStore(path: path)
        try await gym.wait { try await next.sessions().map(\.id) == [live.id] }
        await gym.stop()
    }

    func testStore_isNotHeldOpen_whenNoWorkoutIsActive() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        _ = try await gym.ask(.discard)
        try await gym.wait { await !gym.manager.stores.isOpen }
        _ = try await gym.ask(.start)
        let isOpen = await gym.manager.stores.isOpen
        XCTAssertTrue(isOpen)
        await gym.stop()
    }

    func testSinkWithoutWorkouts_isReported() async throws {
        let folder = try TemporaryFolder()
        let location = WorkoutStoreLocation(
            path: folder.path("a.sqlite"), sink: "few", acceptsWorkouts: false)
        let store = WorkoutStore(
            location: { location }, clock: ManualClock(),
            log: Logger(component: "test") { _ in })
        do {
            _ = try await store.open()
            XCTFail("nothing was refused")
        } catch {
            XCTAssertTrue(
                "\(error)".contains("`few` does not accept workouts; add `workout`"), "\(error)")
        }
    }

    // MARK: The clock

    func testClockThatIsNotSet_startIsRefused_untilItIs() async throws {
        let gym = try Gym("{}", clock: ManualClock(epochOffset: 0))
        gym.start()
        await assertProblem("the system clock is not set") { try await gym.ask(.start) }
        let none = await gym.manager.status(of: nil)
        XCTAssertEqual(none.count, 0)
        gym.clock.stepWallClock(seconds: 1_795_000_000)
        while await gym.manager.phase != .ready { await Task.yield() }
        let live = try await gym.ask(.start)
        XCTAssertEqual(live.start, gym.now)
        await gym.stop()
    }

    func testClockThatIsSetBack_elapsedIsNotNegative_andItIsSavedInTime() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        for _ in 1...5 { try await gym.second(["me": 120]) }
        gym.clock.stepWallClock(seconds: -3_600)
        let live = try await gym.ask(.lap)
        XCTAssertGreaterThanOrEqual(live.measures.elapsedSeconds, 0)
        gym.journal.isFull = true
        _ = try await gym.ask(.stop)
        gym.journal.isFull = false
        try await gym.wait { try await gym.workouts().count == 1 }
        let workout = try await gym.workouts().first
        XCTAssertEqual(workout.map { $0.end.nanoseconds(since: $0.start) }, 5_000_000_000)
        await gym.stop()
    }

    func testClockThatIsSetToBeforeThisProgram_isNotFollowed() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        try await gym.second()
        gym.clock.stepWallClock(seconds: -1_795_000_000)
        try await gym.second()
        let live = try await gym.ask(.stop)
        XCTAssertEqual(live.measures.elapsedSeconds, 2)
        await gym.stop()
    }

    func testSampleOfTheFuture_isNotShown() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        try await gym.second(["me": 120])
        try await gym.measure(
            199, of: "me", device: "other", at: gym.now.adding(nanoseconds: 3_600_000_000_000))
        try await gym.second(["me": 121])
        let live = await gym.manager.status(of: nil).first
        XCTAssertEqual(live?.measures.heartRate?.maximum, 121)
        await gym.stop()
    }

    // MARK: Two straps

    func testBackupStrap_isMarkedInTheRecord() async throws {
        let gym = try Gym(
            #"""
            { people: { ada: {} }, devices: {
              "/dev/first": { person: "ada", role: "primary" },
              "/dev/second": { person: "ada", role: "backup" } } }
            """#)
        gym.start()
        _ = try await gym.ask(.start, "ada")
        for second in 1...120 {
            gym.clock.advance(seconds: 1)
            if second <= 30 || second > 90 {
                try await gym.measure(140, of: "ada", device: "/dev/first")
            }
            try await gym.measure(120, of: "ada", device: "/dev/second")
        }
        _ = try await gym.ask(.stop)
        let workout = try await gym.workouts().first
        let marks = workout?.events.filter { $0.metadata[.backupDevice] == "/dev/second's strap" }
        XCTAssertEqual(marks?.map(\.kind), [.segment])
        await gym.stop()
    }
}
