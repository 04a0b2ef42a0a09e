import GatewayTesting
import HealthModel
import XCTest

/// Commands that read the store accept whoever has records there, also without an entry.
final class StoredPeopleTests: XCTestCase {
    /// A home whose only person is `me`, with records of `bob`.
    private func home() async throws -> Home {
        let home = try Home()
        try await home.fill(
            (0..<3).map { try Home.heartRate($0) }
                + (3..<7).map { try Home.heartRate($0, person: "bob") }
                + [
                    .workout(
                        try Workout(
                            id: RecordID(high: 0x0199_aaaa_0000_8000, low: 1),
                            activity: WorkoutActivity(.rowing), location: .indoor,
                            start: Home.fillTime,
                            end: Home.fillTime.adding(nanoseconds: 600_000_000_000),
                            person: "bob"))
                ])
        return home
    }

    /// The commands with `--person`, without a name.
    private var commands: [[String]] {
        [
            ["query", "heartRate"], ["statistics", "heartRate", "--from", "2026-01-01"],
            ["summary", "day", "--date", "2026-01-01"], ["summary", "month"],
            ["export", "-", "--format", "ndjson"], ["workout", "list"], ["workout", "trends"],
            ["workout", "show"], ["workout", "export", "-", "--format", "csv"],
            ["delete", "sample", "heartRate", "--dry-run"],
            ["delete", "workout", "last", "--dry-run"],
        ]
    }

    func testPersonOfTheStore_isAccepted_andAnUnknownOneIsRefusedWithTheNearestName()
        async throws
    {
        let home = try await home()
        for words in commands {
            let known = try await home.run(words + ["--person", "bob"])
            XCTAssertEqual(known.ending, .exited(0), "\(words): \(known.error)")
            let unknown = try await home.run(words + ["--person", "boob"])
            XCTAssertEqual(unknown.ending, .exited(64), "\(words): \(unknown.output)")
            XCTAssertEqual(
                unknown.error,
                "pulsegate: --person: unknown person `boob`; did you mean `bob`?\n", "\(words)")
        }
        let file = try home.write("type,start,value\n", to: "a.csv")
        let undo = try await home.run("delete", "import", file, "--person", "bob", "--dry-run")
        XCTAssertEqual(undo.ending, .exited(0), undo.error)
    }

    func testRecords_areThoseOfThePerson() async throws {
        let home = try await home()
        for (person, count) in [("bob", 4), ("me", 3)] {
            let queried = try await home.count("heartRate", "--person", person)
            XCTAssertEqual(queried, count)
            let statistics = try await home.run(
                "statistics", "heartRate", "--from", "2026-01-01", "--person", person, "--format",
                "ndjson")
            XCTAssertTrue(statistics.output.contains("\"count\":\(count)"), statistics.output)
            let exported = try await home.run(
                "export", "-", "--format", "ndjson", "--person", person)
            let lines = exported.output.split(separator: "\n").filter { $0.contains("heartRate") }
            XCTAssertEqual(lines.count, count)
            let workouts = try await home.run(
                "workout", "list", "--person", person, "--format", "ndjson")
            XCTAssertEqual(workouts.output.split(separator: "\n").count, person == "bob" ? 1 : 0)
        }
    }

    func testSearch_findsAPersonOfTheStore() async throws {
        let home = try await home()
        let found = try await home.run("search", "bob", "--in", "people")
        XCTAssertTrue(found.output.contains("person  bob"), found.output + found.error)
        XCTAssertTrue(found.output.hasSuffix("1 of 2 people\n"), found.output)
    }

    func testActivity_thatNoWorkoutCanHave_isRefusedWithTheNearestName() async throws {
        let home = try await home()
        try home.configure(#"{ activities: { "stair-run": {} } }"#)
        try await home.fill([
            .workout(
                try Workout(
                    id: RecordID(high: 0x0199_aaaa_0000_8000, low: 2),
                    activity: XCTUnwrap(WorkoutActivity(customName: "kite-surf")),
                    location: .outdoor, start: Home.fillTime, end: Home.fillTime, person: "me"))
        ])
        for words in [["workout", "list"], ["workout", "trends"]] {
            for (name, nearest) in [
                ("running2", "running"), ("prancersice", "prancercise"), ("Rowing", "rowing"),
                ("stair-rum", "stair-run"), ("kitesurf", "kite-surf"),
            ] {
                let refused = try await home.run(words + ["--activity", name])
                XCTAssertEqual(refused.ending, .exited(64), "\(name): \(refused.error)")
                XCTAssertEqual(
                    refused.error,
                    "pulsegate: --activity: unknown activity `\(name)`; did you mean "
                        + "`\(nearest)`?\n")
                let known = try await home.run(words + ["--activity", nearest])
                XCTAssertEqual(known.ending, .exited(0), known.error)
            }
            // HealthKit's numbers, also newer ones, are activities.
            let number = try await home.run(words + ["--activity", "3000"])
            XCTAssertEqual(number.ending, .exited(0), number.error)
        }
    }
}
