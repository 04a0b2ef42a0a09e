import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// `pulsegate delete workout`: workouts by id, and their samples only if asked for.
final class DeleteWorkoutTests: XCTestCase {
    private func workout(_ minute: Int, person: String? = "me") throws -> Record {
        let start = Home.fillTime.adding(nanoseconds: Int64(minute) * 60_000_000_000)
        return .workout(
            try Workout(
                id: RecordID.make(start: start, device: "w", stream: "w", key: UInt64(minute)),
                activity: WorkoutActivity(.running), start: start,
                end: start.adding(nanoseconds: 300_000_000_000), person: person))
    }

    /// Two workouts of five minutes each with a heart rate in each minute, also of somebody else.
    private func filledHome() async throws -> Home {
        let home = try Home()
        try await home.fill(
            [workout(0), workout(10)] + (0..<20).map { try Home.heartRate($0) }
                + (0..<20).map { try Home.heartRate($0, person: "bob") })
        return home
    }

    private func counts(_ home: Home) async throws -> [Int] {
        [
            try await home.count("workout"), try await home.count("heartRate", "--person", "me"),
            try await home.count("heartRate", "--person", "bob"),
        ]
    }

    func testWorkout_isDeleted_andItsSamplesStay() async throws {
        let home = try await filledHome()
        let id = "\(try workout(0).id)"
        let outcome = try await home.run("delete", "workout", String(id.prefix(18)), "--yes")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.hasSuffix("1 record deleted\n"), outcome.output)
        let left = try await counts(home)
        XCTAssertEqual(left, [1, 20, 20])
        let again = try await home.run("delete", "workout", id, "--yes")
        XCTAssertEqual(again.ending, .exited(64))
        XCTAssertTrue(again.error.contains("pulsegate workout list"), again.error)
    }

    func testWithSamples_deletesThoseOfThePersonDuringTheWorkout() async throws {
        let home = try await filledHome()
        let outcome = try await home.run(
            "delete", "workout", "last", "--with-samples", "--yes")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.hasSuffix("7 records deleted\n"), outcome.output)
        let left = try await counts(home)
        XCTAssertEqual(left, [1, 14, 20])
        let rest = try await home.samples(of: .heartRate).filter { $0.person == "me" }
        let minutes = rest.map { $0.start.nanoseconds(since: Home.fillTime) / 60_000_000_000 }
        XCTAssertEqual(minutes, Array(0..<10) + Array(16..<20))
    }

    func testSeveralWorkouts_andWrongWords() async throws {
        let home = try await filledHome()
        let cases: [(words: [String], status: Int32)] = [
            ([], 64), (["zz"], 64), (["last", "--person", "eve"], 64), (["last", "--json"], 64),
            (["0"], 64),
        ]
        for (words, status) in cases {
            let yes = words.contains("--json") ? [] : ["--yes"]
            let outcome = try await home.run(["delete", "workout"] + words + yes)
            XCTAssertEqual(outcome.ending, .exited(status), "\(words): \(outcome.error)")
        }
        let unchanged = try await counts(home)
        XCTAssertEqual(unchanged, [2, 20, 20])
        let both = try await home.run(
            "delete", "workout", "\(try workout(0).id)", "last", "last", "--yes")
        XCTAssertTrue(both.output.hasSuffix("2 records deleted\n"), both.output + both.error)
        let none = try await home.run("delete", "workout", "last", "--yes")
        XCTAssertEqual(none.ending, .exited(1))
    }
}
