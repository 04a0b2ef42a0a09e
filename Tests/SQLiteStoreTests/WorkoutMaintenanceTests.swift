import Foundation
import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// Migration, integrity check and retention of workouts.
final class WorkoutMaintenanceTests: WorkoutStoreTestCase {
    func testRead_ofVersion3_hasNoWorkouts_andTheWriterBringsItUpToDate() async throws {
        try SQLiteConnection(path: path, access: .readWrite)
            .migrate(applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(3)))
        let reader = try SQLiteStore(readingFrom: path)
        let (workouts, sessions) = (try await reader.workouts(), try await reader.sessions())
        XCTAssertEqual(workouts, [])
        XCTAssertEqual(sessions, [])
        let count = try await reader.workoutIDs().count
        XCTAssertEqual(count, 0)
        let one = try await reader.workout(workout(1).id)
        XCTAssertNil(one)
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }

        let store = try SQLiteStore(path: path)
        _ = try await store.save(records([try workout(1)]))
        let found = try await reader.workouts()
        XCTAssertEqual(found, [try workout(1)])
    }

    func testCheck_readsTheTablesOfWorkouts() async throws {
        do {
            let store = try SQLiteStore(path: path)
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
        let store = try SQLiteStore(path: path)
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
        let store = try SQLiteStore(path: path)
        for part in 0..<20 {
            _ = try await store.save(heartRates(part * 1_000..<(part + 1) * 1_000))
            _ = try await store.save(records([try workout(part + 1, from: part, to: part)]))
        }
        for _ in 0..<10 { _ = try await store.removeNextBatch(beyond: Retention.Bounds(bytes: 1)) }
        let samples = try integer("SELECT count(*) FROM sample")
        let left = try await store.workoutIDs().count
        XCTAssertEqual(Double(left), Double(samples) / 1_000, accuracy: 1.5)
        XCTAssertLessThan(samples, 11_000)
    }
}
