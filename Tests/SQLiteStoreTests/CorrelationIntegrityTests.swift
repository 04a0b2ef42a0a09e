import HealthModel
import XCTest

@testable import SQLiteStore

/// Retention and failed saves never leave an incomplete correlation.
final class CorrelationIntegrityTests: CorrelationStoreTestCase {
    func testRemove_byAge_takesCorrelationsAndTheirMembersTogether() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .correlation(try pressure(1, at: 100)),
            // One member is old, the other is not.
            .correlation(try pressure(2, at: 100, memberSeconds: 900)),
            .correlation(try pressure(3, at: 900, memberSeconds: 100)),
            .correlation(try meal(4, at: 100)), .correlation(try pressure(5, at: 900)),
            .category(try sleep(1, from: 0, to: 1_000)),
            .category(try sleep(2, from: 800, to: 900)),
        ])
        try await removeAll(beyond: Retention.Bounds(start: instant(500)), from: store)
        XCTAssertEqual(try counts(), [2, 1, 1, 2])
        let left = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(left, [try pressure(5, at: 900)])
    }

    func testRemove_ofACorrelation_leavesTheSamplesThatAnotherNeeds() async throws {
        let store = try SQLiteStore(path: path)
        let old = try pressure(1, at: 100, systolic: 50, diastolic: 51, memberSeconds: 900)
        let young = try pressure(2, at: 900, systolic: 50, diastolic: 52, memberSeconds: 900)
        _ = try await store.save([.correlation(old), .correlation(young)])
        try await removeAll(beyond: Retention.Bounds(start: instant(500)), from: store)
        XCTAssertEqual(try counts(), [2, 0, 1, 2])
        let left = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(left, [young])
        try await removeAll(beyond: Retention.Bounds(start: instant(1_000)), from: store)
        XCTAssertEqual(try counts(), [0, 0, 0, 0])
    }

    func testRemove_bySize_leavesNoPartOfACorrelation() async throws {
        let store = try SQLiteStore(path: path)
        for batch in 0..<10 {
            let numbers = batch * 300..<(batch + 1) * 300
            _ = try await store.save(
                numbers.flatMap { number -> [Record] in
                    [
                        .correlation(try pressure(number, at: number)),
                        .sample(try heartRate(number)),
                        .category(try sleep(number, from: number, to: number + 1)),
                    ]
                })
        }
        let full =
            try (integer("PRAGMA page_count") - integer("PRAGMA freelist_count"))
            * integer("PRAGMA page_size")
        try await removeAll(beyond: Retention.Bounds(bytes: full / 2), from: store)
        let counts = try counts()
        XCTAssertLessThan(counts[2], 3_000)
        XCTAssertGreaterThan(counts[2], 300)
        XCTAssertEqual(counts[3], counts[2] * 2)
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(Int64(read.count), counts[2])
        try await removeAll(beyond: Retention.Bounds(bytes: 1), from: store)
        XCTAssertEqual(try self.counts(), [0, 0, 0, 0])
    }

    func testSave_thatFails_leavesNoPartOfACorrelation() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<1))
        try execute(
            """
            CREATE TRIGGER refused BEFORE INSERT ON member
            WHEN (SELECT count(*) FROM member) = 1 BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let error = await caught {
            _ = try await store.save([.correlation(try self.pressure(1, at: 100))])
        }
        XCTAssertNotNil(error)
        XCTAssertEqual(try counts(), [1, 0, 0, 0])
        try execute("DROP TRIGGER refused")
        let outcome = try await store.save([.correlation(try pressure(1, at: 100))])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1))
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(read, [try pressure(1, at: 100)])
    }
}
