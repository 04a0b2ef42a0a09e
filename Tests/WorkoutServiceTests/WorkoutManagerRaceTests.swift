import SQLiteStore
import XCTest

@testable import GatewayTesting
@testable import HealthModel
@testable import WorkoutService
@testable import Workouts

/// Two clients at once, and clients beside the passing of time.
final class WorkoutManagerRaceTests: XCTestCase {
    func testDiscard_whileTheWorkoutIsBeingSaved_isRefused() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        try await gym.second()
        gym.faults.close("publish")
        async let stopped = gym.ask(.stop)
        await gym.faults.waitForArrival()
        async let discarded: Void = assertProblem("is already saved") {
            try await gym.ask(.discard)
        }
        for _ in 1...50 { await Task.yield() }
        gym.faults.open()
        _ = try await stopped
        await discarded
        let workouts = try await gym.workouts()
        XCTAssertEqual(workouts.count, 1)
        await gym.stop()
    }

    func testLap_whileTheWorkoutIsDiscarded_leavesNothingBehind() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        gym.faults.close("location")
        async let discarded = gym.ask(.discard)
        await gym.faults.waitForArrival()
        async let lap: Void = assertProblem("me has no workout") { try await gym.ask(.lap) }
        for _ in 1...50 { await Task.yield() }
        gym.faults.open()
        _ = try await discarded
        await lap
        let sessions = try await gym.store.sessions()
        XCTAssertEqual(sessions.count, 0)
        await gym.stop()
    }

    func testTwoStartsAtTheSameTime_oneIsRefused() async throws {
        let gym = try Gym("{}")
        gym.start()
        // It knows by then which workouts there are, so that the start comes to the gate first.
        _ = await gym.manager.status(of: nil)
        gym.faults.close("location")
        async let first = gym.ask(.start)
        await gym.faults.waitForArrival()
        async let second: Void = assertProblem("already has a workout") {
            try await gym.ask(.start)
        }
        for _ in 1...50 { await Task.yield() }
        gym.faults.open()
        let live = try await first
        await second
        let kept = try await gym.store.sessions()
        XCTAssertEqual(kept.map(\.id), [live.id])
        await gym.stop()
    }

    func testStart_whileTheRecoveryOfTheLastOneIsSaved_continues() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        for _ in 1...30 { try await gym.second(["me": 170]) }
        _ = try await gym.ask(.stop)
        for _ in 1...75 { try await gym.second(["me": 130]) }
        gym.faults.close("wait")
        // The tick that closes it waits for the store.
        gym.clock.advance(seconds: 2)
        await gym.faults.waitForArrival()
        async let started = gym.ask(.start)
        for _ in 1...50 { await Task.yield() }
        gym.faults.open()
        let live = try await started
        let status = await gym.manager.status(of: nil)
        XCTAssertEqual(status.map(\.id), [live.id], "the new one is not closed with the old one")
        let kept = try await gym.store.sessions()
        XCTAssertEqual(kept.map(\.id), [live.id])
        let recoveries = try await gym.store.samples(
            matching: SampleQuery(type: .heartRateRecoveryOneMinute))
        XCTAssertEqual(recoveries.count, 1)
        await gym.stop()
    }

    func testRequests_beforeTheRestore_endWithTheirTasks() async throws {
        let gym = try Gym("{}")
        let ended = expectation(description: "both have ended")
        let asking = Task {
            async let status = gym.manager.status(of: nil)
            async let start = gym.ask(.start)
            _ = await status
            do {
                _ = try await start
                XCTFail("it is started without a restore")
            } catch {
                XCTAssertTrue(error is CancellationError, "\(error)")
            }
            ended.fulfill()
        }
        for _ in 1...50 { await Task.yield() }
        asking.cancel()
        await fulfillment(of: [ended], timeout: 30)
    }

    func testAStandstillOfOne_delaysNoOtherPerson() async throws {
        let gym = try Gym("{ people: { ada: {}, bob: {} } }")
        gym.start()
        _ = try await gym.ask(.start, "ada")
        _ = try await gym.ask(.start, "bob")
        try await gym.second()
        gym.faults.close("wait")
        async let stopped = gym.ask(.stop, "ada")
        await gym.faults.waitForArrival()
        let paused = try await gym.ask(.pause, "bob")
        XCTAssertEqual(paused.state, .paused)
        gym.faults.open()
        _ = try await stopped
        await gym.stop()
    }

    func testStop_onceMore_reportsThatItIsSaved() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        for _ in 1...3 { try await gym.second(["me": 120]) }
        _ = try await gym.ask(.stop)
        await assertProblem("is already saved; show it: `pulsegate workout show`") {
            try await gym.ask(.stop)
        }
        await assertProblem("start a new one: `pulsegate workout start`") {
            try await gym.ask(.pause)
        }
        await gym.stop()
    }
}
