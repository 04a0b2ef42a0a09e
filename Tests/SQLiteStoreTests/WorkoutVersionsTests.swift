import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// The store keeps one record of each workout: that with the highest version.
final class WorkoutVersionsTests: WorkoutStoreTestCase {
    /// A version of the workout with the number 1.
    private func version(
        _ version: Double, id: Int, to end: Int = 60, person: String? = "ada",
        identifier: String? = nil
    ) throws -> Workout {
        var metadata = Metadata()
        try metadata.setSync(
            identifier: identifier ?? workout(1).id.description, version: version)
        return try workout(id, to: end, person: person, metadata: metadata)
    }

    private func assertSave(
        _ store: SQLiteStore, _ workouts: [Workout], stored: Int, line: UInt = #line
    ) async throws {
        let outcome = try await store.save(records(workouts))
        XCTAssertEqual(outcome.stored, stored, line: line)
        XCTAssertEqual(
            outcome.alreadyStored + outcome.olderVersions, workouts.count - stored, line: line)
    }

    private func assertWorkouts(
        _ store: SQLiteStore, _ expected: [Workout], line: UInt = #line
    ) async throws {
        let found = try await store.workouts(matching: WorkoutQuery())
        XCTAssertEqual(
            found.sorted { $0.id < $1.id }, expected.sorted { $0.id < $1.id }, line: line)
    }

    func testALaterVersion_replacesTheRecord_ofTheIDThatItNames() async throws {
        let store = try SQLiteStore(path: path)
        try await assertSave(store, [try workout(1), try workout(2)], stored: 2)
        let second = try version(1, id: 3, to: 90)
        try await assertSave(store, [second], stored: 1)
        try await assertWorkouts(store, [second, try workout(2)])
        let third = try version(2, id: 4, to: 120)
        try await assertSave(store, [third], stored: 1)
        try await assertWorkouts(store, [third, try workout(2)])
    }

    func testAnEarlierOrTheSameVersion_isAlreadyStored() async throws {
        let store = try SQLiteStore(path: path)
        let second = try version(2, id: 3, to: 90)
        try await assertSave(store, [try workout(1), second], stored: 2)
        // The same record, another one of the same version, an earlier one and the first record.
        for earlier in [
            second, try version(2, id: 4, to: 95), try version(1.5, id: 5), try workout(1),
        ] {
            try await assertSave(store, [earlier], stored: 0)
            try await assertWorkouts(store, [second])
        }
    }

    func testVersions_inAnyOrder_leaveTheHighest() async throws {
        let all = [
            try workout(1), try version(1, id: 2), try version(2, id: 3), try version(10, id: 4),
        ]
        for (number, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]].enumerated()
        {
            let store = try SQLiteStore(path: "\(folder)/\(number).sqlite")
            // All in one batch, as a log that is read again, and one by one.
            _ = try await store.save(records(order.map { all[$0] }))
            try await assertWorkouts(store, [all[3]])
            for place in order { _ = try await store.save(records([all[place]])) }
            try await assertWorkouts(store, [all[3]])
        }
    }

    func testAnotherIdentifierOrPerson_isAnotherWorkout() async throws {
        let store = try SQLiteStore(path: path)
        let others = [
            try workout(1), try version(5, id: 2, identifier: "other"),
            try version(5, id: 3, person: "bob"), try version(5, id: 4, person: nil),
        ]
        try await assertSave(store, others, stored: 4)
        try await assertWorkouts(store, others)
        let newer = try version(6, id: 5, person: nil)
        try await assertSave(store, [newer], stored: 1)
        try await assertWorkouts(store, others.dropLast() + [newer])
    }

    func testAFailedBatch_keepsTheEarlierVersion() async throws {
        let store = try SQLiteStore(path: path)
        try await assertSave(store, [try workout(1)], stored: 1)
        try execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON workout WHEN new.end_ns > 80000000000
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let error = await caught {
            _ = try await store.save(self.records([try self.version(1, id: 2, to: 90)]))
        }
        XCTAssertNotNil(error)
        try await assertWorkouts(store, [try workout(1)])
        try execute("DROP TRIGGER refuse")
        let second = try version(1, id: 2, to: 90)
        try await assertSave(store, [second], stored: 1)
        try await assertWorkouts(store, [second])
    }

    /// An id belongs to one record: a version that takes that of another workout is not stored, and
    /// the workout that it would replace remains.
    func testAVersion_withTheIDOfAnotherWorkout_replacesNothing() async throws {
        let store = try SQLiteStore(path: path)
        let both = [try workout(1), try workout(2, from: 1_000, to: 1_060)]
        try await assertSave(store, both, stored: 2)
        try await assertSave(store, [try version(1, id: 2)], stored: 0)
        try await assertWorkouts(store, both)
    }
}
