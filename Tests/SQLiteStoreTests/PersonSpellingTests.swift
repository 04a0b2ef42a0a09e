import HealthModel
import HealthStore
import XCTest

@testable import SQLiteStore

/// Unicode can write a letter in several ways; a name is the same in each of them.
final class PersonSpellingTests: StoreTestCase {
    private let composed = "Zo\u{EB}"
    private let decomposed = "Zoe\u{308}"

    private func numbers(of name: String, in store: SQLiteStore) async throws -> [UInt64] {
        try await store.samples(matching: SampleQuery(type: .heartRate, person: name))
            .map(\.id.high).sorted()
    }

    private func workout(_ number: UInt64, of person: String) throws -> Record {
        .workout(
            try Workout(
                id: RecordID(high: number << 48, low: 1), activity: WorkoutActivity(.running),
                start: instant(Int(number)), end: instant(Int(number) + 60), person: person))
    }

    /// Each import opens the store again.
    func testRecords_ofANameInSeveralSpellings_areOfOnePerson() async throws {
        for (number, name) in [decomposed, composed, decomposed].enumerated() {
            let store = try SQLiteStore(path: path)
            _ = try await store.save([
                .sample(try heartRate(number, person: name)),
                try workout(UInt64(number + 1), of: name),
            ])
        }
        let store = try SQLiteStore(path: path)
        let names = try await store.peopleNames()
        XCTAssertEqual(names.map { Array($0.utf8) }, [Array(decomposed.utf8)])
        for name in [composed, decomposed] {
            let found = try await numbers(of: name, in: store)
            XCTAssertEqual(found, [0, 1, 2])
            let workouts = try await store.workouts(matching: WorkoutQuery(person: name)).count
            XCTAssertEqual(workouts, 3)
        }
        let others = try await numbers(of: "Zoe", in: store)
        XCTAssertEqual(others, [])
    }

    func testDeletion_inAnotherSpelling_removesTheName() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try heartRate(1, person: decomposed))])
        try await store.saveSession(
            PersistedSession(
                id: RecordID(high: 9, low: 3), person: decomposed, text: "{}", seen: instant(1)))
        _ = try await store.delete(.person(composed), at: instant(5_000))
        let names = try await store.peopleNames()
        XCTAssertEqual(names, [])
        XCTAssertEqual(try integer("SELECT count(*) FROM session"), 0)
        _ = try await store.save([.sample(try heartRate(2, person: composed))])
        let found = try await numbers(of: decomposed, in: store)
        XCTAssertEqual(found, [2])
    }

    /// What stores with both spellings have remains as it is.
    func testNames_thatAreStoredInTwoSpellings_areFoundAsTheyAreWritten() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try heartRate(1, person: decomposed))])
        try execute("INSERT INTO person (name) VALUES ('\(composed)')")
        let second = try SQLiteStore(path: path)
        _ = try await second.save([.sample(try heartRate(2, person: composed))])
        let found = try await numbers(of: composed, in: second)
        XCTAssertEqual(found, [2])
    }
}
