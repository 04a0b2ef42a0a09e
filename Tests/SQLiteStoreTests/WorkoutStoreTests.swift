import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// Workouts in the store.
final class WorkoutStoreTests: WorkoutStoreTestCase {
    func testSave_ofAWorkout_readsTheSame_andOnce() async throws {
        let workouts = [
            try full(1), try workout(2, person: nil),
            try workout(3, activity: XCTUnwrap(WorkoutActivity(number: 85))),
        ]
        let store = try SQLiteStore(path: path)
        let outcome = try await store.save(records(workouts))
        XCTAssertEqual(outcome, SaveOutcome(stored: 3))
        let again = try await store.save(records(workouts))
        XCTAssertEqual(again, SaveOutcome(alreadyStored: 3))

        let reader = try SQLiteStore(readingFrom: path)
        for workout in workouts {
            let read = try await reader.workout(workout.id)
            XCTAssertEqual(read, workout)
        }
        let none = try await reader.workout(RecordID(high: 9, low: 9))
        XCTAssertNil(none)
    }

    func testWorkouts_areTheNewestFirst_withinTheirBounds() async throws {
        let store = try SQLiteStore(path: path)
        let workouts = try (0..<5).map {
            try workout($0, from: $0 * 100, to: $0 * 100 + 50, person: $0 == 2 ? "bob" : "ada")
        }
        _ = try await store.save(records(workouts))
        let cases: [(WorkoutQuery, [Int])] = [
            (WorkoutQuery(), [4, 3, 2, 1, 0]), (WorkoutQuery(limit: 2), [4, 3]),
            (WorkoutQuery(limit: 0), []), (WorkoutQuery(person: "bob"), [2]),
            (WorkoutQuery(person: "eve"), []),
            // A workout in progress at the time matches, one that ended then does not.
            (WorkoutQuery(from: instant(120)), [4, 3, 2, 1]),
            (WorkoutQuery(from: instant(150)), [4, 3, 2]),
            (WorkoutQuery(to: instant(200)), [1, 0]),
            (WorkoutQuery(person: "ada", from: instant(100), to: instant(301), limit: 1), [3]),
        ]
        for (query, numbers) in cases {
            let found = try await store.workouts(matching: query)
            XCTAssertEqual(found, numbers.map { workouts[$0] }, "\(query)")
        }
        let all = try await store.workoutIDs().count
        let ada = try await store.workouts(matching: WorkoutQuery(person: "ada")).count
        let eve = try await store.workouts(matching: WorkoutQuery(person: "eve")).count
        XCTAssertEqual([all, ada, eve], [5, 4, 0])
    }

    func testWorkouts_ofAnActivity_keepThoseOfOnesOwnApart() async throws {
        let store = try SQLiteStore(path: path)
        let own = try XCTUnwrap(WorkoutActivity(customName: "stair-run"))
        let activities = [WorkoutActivity(.running), WorkoutActivity(.other), own]
        let workouts = try activities.enumerated().map {
            try workout($0.offset, activity: $0.element)
        }
        _ = try await store.save(records(workouts))
        for (index, activity) in activities.enumerated() {
            let found = try await store.workouts(
                matching: WorkoutQuery(activity: activity, person: "ada", from: instant(0)))
            XCTAssertEqual(found, [workouts[index]])
        }
    }

    func testWorkouts_withAText_areFoundByActivityPersonAndMetadata_inAnyCase() async throws {
        let store = try SQLiteStore(path: path)
        let workouts = [
            try full(0), try workout(1, from: 1000, to: 1001, person: "bob"),
            try workout(2, from: 2000, to: 2001, activity: WorkoutActivity(.crossCountrySkiing)),
        ]
        _ = try await store.save(records(workouts))
        let cases: [(String, [Int])] = [
            ("PRANCE", [0]), ("running", [1]), ("SKI", [2]), ("Bob", [1]), ("park \u{c9}", [0]),
            ("a", [2, 0]), ("HKWorkoutBrandName", []), ("100%_", []), ("'; DROP TABLE", []),
        ]
        for (text, numbers) in cases {
            let found = try await store.workouts(matching: WorkoutQuery(text: SearchWords(text)))
            XCTAssertEqual(found, numbers.map { workouts[$0] }, text)
        }
        let limited = try await store.workouts(
            matching: WorkoutQuery(text: SearchWords("a"), limit: 1))
        XCTAssertEqual(limited, [workouts[2]])
    }

    func testWorkouts_byTheBeginningOfTheirID() async throws {
        let store = try SQLiteStore(path: path)
        let workouts = try [0x0198, 0x0199, 0x02ff].map { try workout($0) }
        _ = try await store.save(records(workouts))
        let cases: [(String, [Int])] = [
            ("0198", [0]), ("019", [0, 1]), ("02FF", [2]), ("0", [0, 1]),
            (workouts[1].id.description, [1]), ("0198-0000-0000", [0]), ("", []), ("-", []),
            ("x", []), ("+198", []), ("0198x", []), ("\u{661}", []),
            (String(repeating: "0", count: 33), []), ("0198000000000001", []),
        ]
        for (prefix, numbers) in cases {
            let found = try await store.workouts(withIDPrefix: prefix)
            XCTAssertEqual(found, numbers.map { workouts[$0] }, prefix)
        }
    }

    private static func order(_ sample: QuantitySample) -> (Instant, Int64) {
        (sample.start, SampleRows.home(of: sample.id))
    }

    func testSamples_ofAPerson_areInTheOrderOfTime_pageByPage() async throws {
        let store = try SQLiteStore(path: path)
        var expected: [QuantitySample] = []
        var records: [Record] = []
        for second in 0..<1_500 {
            let beat = try heartRate(second, person: "ada")
            expected.append(beat)
            records += [.sample(beat), .sample(try heartRate(10_000 + second, at: second))]
            if second % 3 == 0 {
                // No heart rate has the same home.
                let steps = try QuantitySample(
                    id: RecordID(high: UInt64(second), low: 1 << 16), type: .stepCount,
                    start: instant(second), end: instant(second + 2),
                    quantity: Quantity(4, .count), person: "ada")
                expected.append(steps)
                records.append(.sample(steps))
            }
        }
        _ = try await store.save(records)
        // The steps of second 9 continue into second 10.
        let wanted = expected.filter {
            $0.start < instant(1_400) && ($0.start >= instant(10) || $0.end > instant(10))
        }
        var read: [QuantitySample] = []
        var sizes: [Int] = []
        let pages = store.samples(
            of: "ada", from: instant(10), to: instant(1_400),
            types: [.stepCount, .heartRate, .heartRate, .bodyMass])
        for try await page in pages {
            read += page
            sizes.append(page.count)
        }
        XCTAssertEqual(read, wanted.sorted { Self.order($0) < Self.order($1) })
        XCTAssertEqual(sizes, [1_000, wanted.count - 1_000])
        var others = 0
        for try await page in store.samples(
            of: nil, from: instant(0), to: instant(5), types: [.heartRate])
        { others += page.count }
        XCTAssertEqual(others, 10)
        for try await page in store.samples(of: "ada", from: instant(0), to: instant(5), types: [])
        { XCTFail("\(page.count)") }
    }

    func testSamples_ofSeveralTypes_areMergedByTheIndex() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<10) + [.sample(try steps(1, from: 1, to: 2))])
        let part = "SELECT sequence, start_ns FROM sample WHERE type = ? AND start_ns >= ?"
        let explain = try SQLiteConnection(path: path, access: .readOnly).prepare(
            "EXPLAIN QUERY PLAN \(part) UNION ALL \(part) ORDER BY 2, 1 LIMIT 5")
        var plan: [String] = []
        try explain.forEachRow { plan.append($0.text(at: 3) ?? "") }
        XCTAssertTrue(plan.contains { $0.hasPrefix("MERGE") }, "\(plan)")
        XCTAssertFalse(plan.contains { $0.contains("TEMP B-TREE FOR ORDER BY") }, "\(plan)")
    }
}
