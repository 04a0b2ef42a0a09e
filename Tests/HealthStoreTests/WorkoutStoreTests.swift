import Foundation
import HealthModel
import SQLite
import XCTest

@testable import HealthStore

/// Workouts and workout sessions in the store.
final class WorkoutStoreTests: StoreTestCase {
    private let strap = Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55")

    private func workout(
        _ number: Int, from start: Int = 0, to end: Int = 60,
        activity: WorkoutActivity = WorkoutActivity(.running), person: String? = "ada",
        metadata: Metadata = Metadata()
    ) throws -> Workout {
        try Workout(
            id: RecordID(high: UInt64(number) << 48, low: 1), activity: activity,
            start: instant(start), end: instant(end), person: person, metadata: metadata)
    }

    /// A workout with all fields.
    private func full(_ number: Int) throws -> Workout {
        let lap = try WorkoutEvent(
            .lap, from: instant(0), to: instant(30),
            metadata: Metadata(["HKLapLength": .quantity(Quantity(400, .meter))]))
        return try Workout(
            id: RecordID(high: UInt64(number) << 48, low: 1),
            activity: XCTUnwrap(WorkoutActivity(ownName: "prancercise")), location: .outdoor,
            start: instant(0), end: instant(600),
            events: [
                lap, WorkoutEvent(.pause, at: instant(30)), WorkoutEvent(.resume, at: instant(40)),
            ],
            totals: [
                WorkoutTotal(
                    .heartRate, average: Quantity(132.125, .countPerMinute),
                    minimum: Quantity(80, .countPerMinute), maximum: Quantity(171, .countPerMinute)
                ),
                WorkoutTotal(
                    .activeEnergyBurned, sum: Quantity(12.5, .kilocalorie), method: "ratePerHour"),
            ], person: "ada", device: strap,
            source: SourceRevision(name: "workout", version: "1"),
            metadata: Metadata(["HKWorkoutBrandName": .string("Park \u{e9}"), "n": .number(1)]))
    }

    private func records(_ workouts: [Workout]) -> [Record] { workouts.map { .workout($0) } }

    func testSave_ofAWorkout_readsTheSame_andOnce() async throws {
        let workouts = [
            try full(1), try workout(2, person: nil),
            try workout(3, activity: XCTUnwrap(WorkoutActivity(number: 85))),
        ]
        let store = try HealthStore(path: path)
        let outcome = try await store.save(records(workouts))
        XCTAssertEqual(outcome, SaveOutcome(stored: 3))
        let again = try await store.save(records(workouts))
        XCTAssertEqual(again, SaveOutcome(alreadyStored: 3))

        let reader = try HealthStore(readingFrom: path)
        for workout in workouts {
            let read = try await reader.workout(workout.id)
            XCTAssertEqual(read, workout)
        }
        let none = try await reader.workout(RecordID(high: 9, low: 9))
        XCTAssertNil(none)
    }

    func testWorkouts_areTheNewestFirst_withinTheirBounds() async throws {
        let store = try HealthStore(path: path)
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
        let (all, ada) = (try await store.workoutCount(), try await store.workoutCount(of: "ada"))
        let eve = try await store.workoutCount(of: "eve")
        XCTAssertEqual([all, ada, eve], [5, 4, 0])
    }

    func testWorkouts_ofAnActivity_keepThoseOfOnesOwnApart() async throws {
        let store = try HealthStore(path: path)
        let own = try XCTUnwrap(WorkoutActivity(ownName: "stair-run"))
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
        let store = try HealthStore(path: path)
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
            let found = try await store.workouts(matching: WorkoutQuery(text: text))
            XCTAssertEqual(found, numbers.map { workouts[$0] }, text)
        }
        let limited = try await store.workouts(matching: WorkoutQuery(text: "a", limit: 1))
        XCTAssertEqual(limited, [workouts[2]])
    }

    func testWorkouts_byTheBeginningOfTheirID() async throws {
        let store = try HealthStore(path: path)
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

    func testSamples_ofAPerson_areInTheOrderOfTime_pageByPage() async throws {
        let store = try HealthStore(path: path)
        var expected: [QuantitySample] = []
        var records: [Record] = []
        for second in 0..<1_500 {
            let beat = try heartRate(second, person: "ada")
            expected.append(beat)
            records += [.sample(beat), .sample(try heartRate(10_000 + second, at: second))]
            if second % 3 == 0 {
                let steps = try QuantitySample(
                    id: RecordID(high: UInt64(second), low: 2), type: .stepCount,
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
        XCTAssertEqual(read, wanted)
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
        let store = try HealthStore(path: path)
        _ = try await store.save(heartRates(0..<10) + [.sample(try steps(1, from: 1, to: 2))])
        let part = "SELECT sequence, start_ns FROM sample WHERE type = ? AND start_ns >= ?"
        let explain = try SQLiteConnection(path: path, access: .readOnly).prepare(
            "EXPLAIN QUERY PLAN \(part) UNION ALL \(part) ORDER BY 2, 1 LIMIT 5")
        var plan: [String] = []
        try explain.forEachRow { plan.append($0.text(at: 3) ?? "") }
        XCTAssertTrue(plan.contains { $0.hasPrefix("MERGE") }, "\(plan)")
        XCTAssertFalse(plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    // MARK: Sessions

    private func session(_ number: Int, _ person: String, _ text: String = "{}") -> PersistedSession
    {
        PersistedSession(
            id: RecordID(high: UInt64(number), low: 3), person: person, text: text,
            seen: instant(number))
    }

    func testSession_isStoredChangedUpdatedAndRemoved() async throws {
        let store = try HealthStore(path: path)
        try await store.saveSession(session(1, "ada"))
        try await store.saveSession(session(2, "bob", "é \" \n"))
        try await store.saveSession(session(1, "ada", "{\"laps\":1}"))
        var sessions = try await HealthStore(readingFrom: path).sessions()
        XCTAssertEqual(
            sessions, [session(1, "ada", "{\"laps\":1}"), session(2, "bob", "é \" \n")])

        try await store.updateSessions(seen: instant(50))
        try await store.updateSessions(seen: instant(60), id: session(2, "bob").id)
        sessions = try await store.sessions()
        XCTAssertEqual(sessions.map(\.seen), [instant(50), instant(60)])

        try await store.removeSession(session(1, "ada").id)
        try await store.removeSession(session(1, "ada").id)
        try await store.saveSession(session(3, "ada"))
        sessions = try await store.sessions()
        XCTAssertEqual(sessions.map(\.person), ["bob", "ada"])
    }

    func testSession_ofAPersonWhoHasAnotherOne_isRefused_andTheOtherStays() async throws {
        let store = try HealthStore(path: path)
        try await store.saveSession(session(1, "ada"))
        let error = await caught { try await store.saveSession(self.session(2, "ada")) }
        XCTAssertEqual(error as? HealthStoreError, .sessionConflict(path: path))
        let sessions = try await store.sessions()
        XCTAssertEqual(sessions, [session(1, "ada")])
    }

    // MARK: Files

    func testRead_ofVersion3_hasNoWorkouts_andTheWriterBringsItUpToDate() async throws {
        try SQLiteConnection(path: path, access: .readWrite)
            .migrate(applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(3)))
        let reader = try HealthStore(readingFrom: path)
        let (workouts, sessions) = (try await reader.workouts(), try await reader.sessions())
        XCTAssertEqual(workouts, [])
        XCTAssertEqual(sessions, [])
        let count = try await reader.workoutCount()
        XCTAssertEqual(count, 0)
        let one = try await reader.workout(workout(1).id)
        XCTAssertNil(one)
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }

        let store = try HealthStore(path: path)
        _ = try await store.save(records([try workout(1)]))
        let found = try await reader.workouts()
        XCTAssertEqual(found, [try workout(1)])
    }

    func testCheck_readsTheTablesOfWorkouts() async throws {
        do {
            let store = try HealthStore(path: path)
            _ = try await store.save(records((0..<50).map { try workout($0) }))
            try await store.saveSession(session(1, "ada"))
            try await store.checkpoint()
        }
        for name in ["workout", "workout_end", "workout_start", "session"] {
            let root = try integer("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")
            let copy = folder + "/\(name).sqlite"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let file = try XCTUnwrap(FileHandle(forUpdatingAtPath: copy))
            try file.seek(toOffset: UInt64(root - 1) * 4_096)
            try file.write(contentsOf: Data(repeating: 0x5a, count: 8))
            try file.close()
            XCTAssertThrowsError(try StoreCheck(path: copy, fullCheckBytes: 0).run(), name) {
                XCTAssertEqual(($0 as? SQLiteError)?.reason, .corrupt, "\($0)")
            }
        }
    }

    func testRemove_byAge_takesWorkoutsByTheirEnd() async throws {
        let store = try HealthStore(path: path)
        let workouts = [
            try workout(1, from: 0, to: 100), try workout(2, from: 0, to: 200),
            try workout(3, from: 300, to: 400),
        ]
        _ = try await store.save(records(workouts))
        while try await store.removeNextBatch(beyond: Retention.Bounds(start: instant(200))) > 0 {}
        let left = try await store.workouts()
        XCTAssertEqual(left, [workouts[2], workouts[1]])
    }

    func testRemove_bySize_takesTheSamePartOfWhatIsRare() async throws {
        let store = try HealthStore(path: path)
        for part in 0..<20 {
            _ = try await store.save(heartRates(part * 1_000..<(part + 1) * 1_000))
            _ = try await store.save(records([try workout(part + 1, from: part, to: part)]))
        }
        for _ in 0..<10 { _ = try await store.removeNextBatch(beyond: Retention.Bounds(bytes: 1)) }
        let samples = try integer("SELECT count(*) FROM sample")
        let left = try await store.workoutCount()
        XCTAssertEqual(Double(left), Double(samples) / 1_000, accuracy: 1.5)
        XCTAssertLessThan(samples, 11_000)
    }

    func testTwoStores_writeOneFileAtOnce() async throws {
        let (sink, gateway) = (try HealthStore(path: path), try HealthStore(path: path))
        let person = "ada"
        let session = session(1, person)
        let batches: [[Record]] = try (0..<20).map { batch in
            try (0..<500).map {
                .sample(try heartRate(batch * 500 + $0, person: person, device: strap))
            }
        }
        let workouts: [Record] = try (1...100).map { .workout(try workout($0, person: person)) }
        let last = instant(100)
        async let samples: Void = {
            for batch in batches { _ = try await sink.save(batch) }
        }()
        async let others: Void = {
            for workout in workouts {
                try await gateway.saveSession(session)
                try await gateway.updateSessions(seen: last)
                _ = try await gateway.save([workout])
            }
        }()
        _ = try await (samples, others)
        let count = try await gateway.count(of: .heartRate)
        XCTAssertEqual(count, 10_000)
        let stored = try await sink.workoutCount(of: person)
        XCTAssertEqual(stored, 100)
        let sessions = try await sink.sessions()
        XCTAssertEqual(sessions.map(\.seen), [last])
        XCTAssertEqual(try integer("SELECT count(*) FROM person"), 1)
        XCTAssertEqual(try integer("SELECT count(*) FROM pragma_integrity_check"), 1)
    }
}
