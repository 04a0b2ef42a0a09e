import Foundation
import GatewayTesting
import Glibc
import HealthModel
import SQLiteStore
import XCTest

/// `workout`: begun, paused, stopped and kept, with a running gateway and without one.
final class WorkoutCommandTests: XCTestCase {
    /// A home whose simulation runs, with a heart rate already measured.
    private func simulation() async throws -> (Home, RunningCommand) {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        return (home, gateway)
    }

    private func done(
        _ home: Home, _ words: String..., line: UInt = #line
    ) async throws -> String {
        let outcome = try await home.run(["workout"] + words + ["--simulate"])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        let lines = outcome.output.split(separator: "\n")
        XCTAssertEqual(lines.filter { $0.hasSuffix(" ") }, [], line: line)
        return outcome.output
    }

    private func workouts(in home: Home) async throws -> [Workout] {
        try await SQLiteStore(readingFrom: "\(home.dataDirectory)/simulation/health.sqlite")
            .workouts(matching: WorkoutQuery())
    }

    private func end(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("does not close"), log)
    }

    // MARK: With a running gateway

    func testAWorkout_isStartedPausedAndStopped_andKeptWithItsTotals() async throws {
        let (home, gateway) = try await simulation()
        let started = try await done(home, "start", "--activity", "prancercise", "--indoor")
        XCTAssertEqual(started, "me: prancercise started\n")
        try await gateway.waitForLines(4, with: "heartRate", on: .output)
        let lap = try await done(home, "lap")
        XCTAssertTrue(lap.contains("lap 2 started"), lap)
        let paused = try await done(home, "pause")
        XCTAssertTrue(paused.contains("paused"), paused)
        let status = try await done(home, "status")
        XCTAssertTrue(status.lowercased().contains("paused"), status)
        _ = try await done(home, "resume")
        try await gateway.waitForLines(8, with: "heartRate", on: .output)
        let stopped = try await done(home, "stop")
        XCTAssertTrue(stopped.contains("stopped"), stopped)

        let workout = try await { try XCTUnwrap($0.first) }(workouts(in: home))
        XCTAssertEqual(workout.activity, WorkoutActivity(customName: "prancercise"))
        XCTAssertEqual(workout.location, .indoor)
        XCTAssertEqual(workout.person, "me")
        XCTAssertEqual(workout.events.map(\.kind), [.lap, .pause, .resume])
        let energy = try XCTUnwrap(workout.totals.first { $0.type == .activeEnergyBurned })
        XCTAssertNotNil(energy.method, "how it was found is said")
        let rate = try XCTUnwrap(workout.totals.first { $0.type == .heartRate })
        XCTAssertNotNil(rate.average)
        let list = try await done(home, "list")
        XCTAssertTrue(list.contains("prancercise"), list)
        XCTAssertTrue(list.contains("1 of 1"), list)
        let show = try await done(home, "show")
        XCTAssertTrue(show.contains("prancercise"), show)
        try await end(gateway)
    }

    func testADiscardedOne_isNotListed_andItsSamplesStay() async throws {
        let (home, gateway) = try await simulation()
        _ = try await done(home, "start", "--activity", "running")
        try await gateway.waitForLines(3, with: "heartRate", on: .output)
        let discarded = try await done(home, "discard")
        XCTAssertTrue(discarded.contains("discarded"), discarded)
        let status = try await home.run("workout", "status", "--simulate")
        XCTAssertEqual(status.output, "")
        XCTAssertTrue(status.error.contains("no workout in progress"), status.error)
        try await end(gateway)
        let kept = try await workouts(in: home)
        XCTAssertEqual(kept, [])
        let samples = try await Home.samples(
            of: .heartRate, inStoreAt: "\(home.dataDirectory)/simulation/health.sqlite")
        XCTAssertGreaterThanOrEqual(samples.count, 3)
    }

    func testAfterAKill_itContinues_withTheGapRecorded() async throws {
        let (home, gateway) = try await simulation()
        _ = try await done(home, "start", "--activity", "running")
        try await gateway.waitForLines(3, with: "heartRate", on: .output)
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd()

        let second = try home.start("run", "--simulate")
        try await second.waitForLines(3, with: "heartRate", on: .output)
        let status = try await done(home, "status")
        XCTAssertTrue(status.contains("running"), status)
        _ = try await done(home, "stop")
        let workout = try await { try XCTUnwrap($0.first) }(workouts(in: home))
        let gap = try XCTUnwrap(workout.events.first { $0.kind == .segment })
        XCTAssertGreaterThan(gap.end, gap.start)
        XCTAssertNotNil(gap.metadata[MetadataKey<String>("PulsegateGap")])
        let show = try await done(home, "show")
        XCTAssertTrue(show.contains("the gateway was not running"), show)
        try await end(second)
    }

    // MARK: Without a gateway

    func testWithoutAGateway_startIsOne_andSIGINTSaves() async throws {
        let home = try Home()
        let command = try home.start("workout", "start", "--simulate", "--activity", "cycling")
        try await command.waitForLines(with: "cycling started", on: .output)
        let watch = try home.start("workout", "watch", "--json", "--simulate")
        try await watch.waitForLines(with: #""rate":"#, on: .output)
        await command.send(SIGINT)
        let ending = try await command.waitForEnd()
        let error = await command.text(of: .error)
        XCTAssertEqual(ending, .exited(0), error)
        let watched = try await watch.waitForEnd()
        XCTAssertEqual(watched, .exited(0))
        let last = await watch.lines(of: .output, with: "ended").last
        XCTAssertNotNil(last)
        let kept = try await workouts(in: home)
        XCTAssertEqual(kept.map(\.activity), [WorkoutActivity(.cycling)])
        let list = try await done(home, "list", "--json")
        XCTAssertTrue(list.contains(#""activity":"cycling""#), list)
    }

    // MARK: What is refused

    func testWrongWords_areRejectedWithTheNearestKnown() async throws {
        let home = try Home()
        let action = try await home.run("workout", "strat")
        XCTAssertEqual(action.ending, .exited(64))
        XCTAssertEqual(
            action.error,
            "pulsegate: unknown action of `workout`: `strat`; did you mean `start`?\n")
        let none = try await home.run("workout")
        XCTAssertEqual(none.ending, .exited(64))
        let help = try await home.run("workout", "--help")
        XCTAssertEqual(help.ending, .exited(0))
        XCTAssertTrue(help.output.contains("workout start"), help.output)
        let alone = try await home.run("workout", "pause")
        XCTAssertEqual(alone.ending, .exited(69))
    }

    func testWhatCannotBe_isRejectedWithTheReason() async throws {
        let (home, gateway) = try await simulation()
        let stop = try await home.run("workout", "stop", "--simulate")
        XCTAssertEqual(stop.ending, .exited(1))
        XCTAssertTrue(stop.error.contains("no active workout"), stop.error)
        let activity = try await home.run(
            "workout", "start", "--simulate", "--activity", "runing")
        XCTAssertEqual(activity.ending, .exited(64), activity.error)
        XCTAssertTrue(activity.error.contains("did you mean `running`"), activity.error)
        _ = try await done(home, "start")
        let again = try await home.run("workout", "start", "--simulate")
        XCTAssertEqual(again.ending, .exited(1))
        XCTAssertTrue(again.error.contains("already has a workout"), again.error)
        let resume = try await home.run("workout", "resume", "--simulate")
        XCTAssertEqual(resume.ending, .exited(1))
        XCTAssertEqual(
            resume.error,
            "pulsegate: the workout is not paused; pause it with `pulsegate workout pause`\n")
        let person = try await home.run("workout", "pause", "--simulate", "--person", "eve")
        XCTAssertEqual(person.ending, .exited(64), person.error)
        XCTAssertEqual(person.error, "pulsegate: --person: unknown person `eve`; known: me\n")
        _ = try await done(home, "discard")
        try await assertPlanIsRefused(in: home)
        try await end(gateway)
    }

    /// An error of a plan names its file and the key path, also when only the gateway finds it.
    private func assertPlanIsRefused(in home: Home) async throws {
        let path = try home.folder.write(
            Array("{ name: \"p\", steps: [{ time: \"1m\" }, { time: \"1m\", zone: 3 }] }".utf8),
            to: "plan.json5")
        let plan = try await home.run("workout", "start", "--simulate", "--plan", path)
        XCTAssertEqual(plan.ending, .exited(64), plan.error)
        XCTAssertTrue(
            plan.error.hasPrefix("pulsegate: \(path): steps[1]: uses heart rate zones"), plan.error)
    }
}
