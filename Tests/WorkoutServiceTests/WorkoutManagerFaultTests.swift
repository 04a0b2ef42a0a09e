import GatewayTesting
import XCTest

@testable import SQLiteStore
@testable import WorkoutService
@testable import Workouts

/// A workout is saved once or continues, whatever fails and whenever the process ends.
final class WorkoutManagerFaultTests: XCTestCase {
    func testEndAtEveryCall_leavesOneWorkout_orOneThatContinues() async throws {
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let folder = try TemporaryFolder()
            let clock = ManualClock()
            let first = try Gym("{}", folder: folder, clock: clock)
            let hasBegun = await lead(first, failingFrom: call)
            hasFailed = first.faults.hasFailed
            let second = try Gym("{}", folder: folder, clock: clock)
            second.start()
            if let live = await second.manager.status(of: nil).first, live.state != .stopped {
                _ = try await second.ask(.stop)
            }
            try await second.wait { await second.manager.status(of: nil).isEmpty }
            let workouts = try await second.workouts()
            let sessions = try await second.store.sessions()
            XCTAssertEqual(workouts.count, hasBegun ? 1 : min(workouts.count, 1), "call \(call)")
            XCTAssertEqual(
                first.journal.workoutCount + second.journal.workoutCount, workouts.count,
                "call \(call): no record twice")
            XCTAssertEqual(sessions.count, 0, "call \(call)")
            await second.stop()
        }
        XCTAssertGreaterThan(call, 10)
    }

    /// A workout from its start to its end, and then the end of the process; whether it was begun.
    private func lead(_ gym: Gym, failingFrom call: Int) async -> Bool {
        gym.start()
        gym.faults.fail(from: call)
        let live = try? await gym.ask(.start)
        try? await gym.second()
        _ = try? await gym.ask(.lap)
        try? await gym.second()
        _ = try? await gym.ask(.stop)
        for _ in 1...7 {
            gym.clock.advance(seconds: 1)
            for _ in 1...20 { await Task.yield() }
        }
        await gym.stop()
        return live != nil
    }

    func testWhatCannotBeStoredNow_counts_andIsStoredLater() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        try await gym.second()
        gym.faults.fail(from: 1)
        _ = try await gym.ask(.lap)
        gym.faults.remedy()
        try await gym.wait {
            try await gym.store.sessions().first?.text.contains("lap") == true
        }
        XCTAssertEqual(gym.log.count(of: "cannot store workout"), 1)
        await gym.stop()
    }

    func testStoreThatLagsBehind_delaysSaving_untilItHasAllSamples() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        for _ in 1...3 { try await gym.second() }
        gym.journal.isLate = true
        let live = try await gym.ask(.stop)
        XCTAssertEqual(live.state, .stopped)
        for _ in 1...20 {
            gym.clock.advance(seconds: 1)
            for _ in 1...20 { await Task.yield() }
        }
        let none = try await gym.workouts()
        XCTAssertEqual(none.count, 0)
        XCTAssertEqual(gym.log.count(of: "cannot save workout"), 1, "it is logged once")
        gym.journal.isLate = false
        try await gym.wait { try await gym.workouts().count == 1 }
        await gym.stop()
    }

    func testStop_onceMore_savesImmediatelyWhatCouldNotBeSaved() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        gym.journal.isFull = true
        _ = try await gym.ask(.stop)
        await assertProblem("is not saved yet; retry") { try await gym.ask(.start) }
        gym.journal.isFull = false
        _ = try await gym.ask(.stop)
        let kept = try await gym.workouts()
        XCTAssertEqual(kept.count, 1)
        await gym.stop()
    }

    func testStoreThatLagsBehindForever_doesNotBlockTheWorkout() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        gym.journal.isLate = true
        _ = try await gym.ask(.stop)
        gym.clock.advance(seconds: RunningWorkout.maximumLagSeconds)
        try await gym.wait { try await gym.workouts().count == 1 }
        await gym.stop()
    }

    func testShutdown_endsImmediately_alsoWhileWaitingForTheStore() async throws {
        let gym = try Gym("{}")
        gym.start()
        _ = try await gym.ask(.start)
        await gym.clock.waitForSleepers(1)
        await gym.stop()
        let kept = try await gym.store.sessions()
        XCTAssertEqual(kept.count, 1, "it goes on with the next run")
        XCTAssertEqual(kept.first?.seen, gym.now)
    }
}
