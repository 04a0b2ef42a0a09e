import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import XCTest

/// A workout outlives its gateway, whatever ends that.
final class WorkoutContinuesTests: XCTestCase {
    /// An open step, a short one, and an open one.
    private static let plan = """
        { name: "Steps", steps: [ { name: "warm up", open: true },
            { name: "short", time: "2s" }, { name: "cool down", open: true } ] }
        """

    private func step(_ home: Home) async throws -> Int? {
        let status = try await home.workoutStatus("--simulate")["me"]
        return (status?["step"] as? [String: Any])?["number"] as? Int
    }

    private func done(
        _ home: Home, _ words: String..., line: UInt = #line
    ) async throws -> String {
        let outcome = try await home.run(["workout"] + words + ["--simulate"])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        return outcome.output
    }

    private func store(_ home: Home) -> String {
        "\(home.dataDirectory)/simulation/health.sqlite"
    }

    /// A simulation whose workout is in the last step of its plan.
    private func startWithAPlan() async throws -> (Home, RunningCommand) {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        let path = try home.folder.write(Array(Self.plan.utf8), to: "plan.json5")
        _ = try await done(home, "start", "--activity", "running", "--plan", path)
        let first = try await step(home)
        XCTAssertEqual(first, 1)
        try await gateway.waitForLines(3, with: "heartRate", on: .output)
        _ = try await done(home, "lap")
        let second = try await step(home)
        XCTAssertEqual(second, 2)
        let clock = SystemClock()
        let end = clock.now().adding(seconds: RunningCommand.timeoutSeconds)
        while try await step(home) != 3, clock.now() < end {}
        let third = try await step(home)
        XCTAssertEqual(third, 3, "the second step ends by itself")
        return (home, gateway)
    }

    func testAfterAKill_thePlanAndTheLapsGoOn_andTheFilesAreRight() async throws {
        let (home, gateway) = try await startWithAPlan()
        let before = try await home.workoutStatus("--simulate")["me"]
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd()

        let second = try home.start("run", "--simulate")
        try await second.waitForLines(3, with: "heartRate", on: .output)
        let after = try await home.workoutStatus("--simulate")["me"]
        XCTAssertEqual(after?["id"] as? String, before?["id"] as? String)
        XCTAssertEqual(after?["lapNumber"] as? Int, 3)
        XCTAssertEqual(after?["gaps"] as? Int, 1)
        let third = try await step(home)
        XCTAssertEqual(third, 3, "the plan is where it was")
        _ = try await done(home, "lap")
        try await second.waitForLines(6, with: "heartRate", on: .output)
        _ = try await done(home, "stop")

        let workout = try await { try XCTUnwrap($0.first) }(
            home.workouts(inStoreAt: store(home)))
        XCTAssertEqual(workout.id.description, before?["id"] as? String)
        XCTAssertEqual(workout.events.count { $0.kind == .lap }, 3)
        XCTAssertEqual(workout.events.count { $0.kind == .segment }, 1)
        try await end(second)
        try await assertFilesAreRight(home, laps: 4)
    }

    func testAfterTheGatewayWasStopped_theNextOneContinues() async throws {
        let home = try Home()
        let first = try home.start("run", "--simulate")
        try await first.waitForLines(with: "heartRate", on: .output)
        _ = try await done(home, "start", "--activity", "running")
        let watch = try home.start("workout", "watch", "--json", "--simulate")
        try await watch.waitForLines(with: #""rate":"#, on: .output)
        try await end(first)
        let watched = try await watch.waitForEnd()
        XCTAssertEqual(watched, .exited(0))
        let ended = await watch.lines(of: .output, with: "ended")
        XCTAssertEqual(ended, [], "it has not ended")
        let none = try await home.workouts(inStoreAt: store(home))
        XCTAssertEqual(none, [])

        let second = try home.start("run", "--simulate")
        try await second.waitForLines(2, with: "heartRate", on: .output)
        let again = try await home.run("workout", "start", "--simulate")
        XCTAssertTrue(again.error.contains("already has a workout"), again.error)
        _ = try await done(home, "stop")
        let workout = try await { try XCTUnwrap($0.first) }(
            home.workouts(inStoreAt: store(home)))
        XCTAssertEqual(workout.events.map(\.kind), [.segment])
        try await end(second)
    }

    private func end(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("does not close"), log)
    }

    /// Other programs' readers take the files, and find the laps.
    private func assertFilesAreRight(_ home: Home, laps: Int) async throws {
        for (format, script) in [("fit", "read_fit.py"), ("tcx", "read_tcx.py")] {
            let path = home.folder.path("run.\(format)")
            _ = try await done(home, "export", path)
            for reading in try await ForeignReader.read(path, script, home) {
                XCTAssertNil(reading["error"], "\(reading)")
                if let errors = reading["errors"] as? [Any] { XCTAssertEqual(errors.count, 0) }
                if reading["reader"] as? String == "fitparse" {
                    let counts = try XCTUnwrap(reading["counts"] as? [String: Int])
                    XCTAssertEqual(counts["lap"], laps)
                    XCTAssertEqual(counts["session"], 1)
                }
            }
        }
    }
}
