import HealthModel
import XCTest

@testable import SQLiteStore

/// Workout sessions in the store.
final class WorkoutSessionStoreTests: WorkoutStoreTestCase {
    func testSession_isStoredChangedUpdatedAndRemoved() async throws {
        let store = try SQLiteStore(path: path)
        try await store.saveSession(session(1, "ada"))
        try await store.saveSession(session(2, "bob", "é \" \n"))
        try await store.saveSession(session(1, "ada", "{\"laps\":1}"))
        var sessions = try await SQLiteStore(readingFrom: path).sessions()
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
        let store = try SQLiteStore(path: path)
        try await store.saveSession(session(1, "ada"))
        let error = await caught { try await store.saveSession(self.session(2, "ada")) }
        XCTAssertEqual(error as? SQLiteStoreError, .sessionConflict(path: path))
        let sessions = try await store.sessions()
        XCTAssertEqual(sessions, [session(1, "ada")])
    }

    func testTwoStores_writeOneFileAtOnce() async throws {
        let (sink, gateway) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
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
        let stored = try await sink.workouts(matching: WorkoutQuery(person: person)).count
        XCTAssertEqual(stored, 100)
        let sessions = try await sink.sessions()
        XCTAssertEqual(sessions.map(\.seen), [last])
        XCTAssertEqual(try integer("SELECT count(*) FROM person"), 1)
        XCTAssertEqual(try integer("SELECT count(*) FROM pragma_integrity_check"), 1)
    }
}
