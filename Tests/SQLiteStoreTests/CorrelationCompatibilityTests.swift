import GatewayCore
import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// Correlations in corrupt files, in older files, and beyond the limits of a line.
final class CorrelationCompatibilityTests: CorrelationStoreTestCase {
    func testQuery_ofDamagedRows_namesThem() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .correlation(try pressure(1, at: 100)), .category(try sleep(1, from: 0, to: 1)),
        ])
        try execute(
            "UPDATE category SET value = 77; DELETE FROM member WHERE sample = (SELECT min(sample) FROM member)"
        )
        let category = await caught { _ = try await store.categorySamples(of: .sleepAnalysis) }
        XCTAssertEqual(
            category as? SQLiteStoreError,
            .unreadable(table: "category", row: 1, column: "value, start_ns or end_ns", path: path))
        let correlation = await caught { _ = try await store.correlations(of: .bloodPressure) }
        XCTAssertEqual(
            correlation as? SQLiteStoreError,
            .unreadable(
                table: "correlation", row: 1, column: "members, start_ns or end_ns", path: path))
    }

    func testOpen_ofVersion2_isReadAsItIs_andBroughtUpToDateByTheWriter() async throws {
        try SQLiteConnection(path: path, access: .readWrite)
            .migrate(applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(2)))
        try execute(
            """
            INSERT INTO type (id, name) VALUES (1, 'heartRate');
            INSERT INTO unit (id, name) VALUES (1, 'count/min');
            INSERT INTO sample (id, type, start_ns, end_ns, value, unit)
            VALUES (x'00000000000000070000000000000001', 1, 7000000000, 7000000000, 67, 1);
            """)
        let old = try heartRate(7)
        let reader = try SQLiteStore(readingFrom: path)
        let read = try await reader.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, [old])
        let nights = try await reader.categorySamples(of: .sleepAnalysis)
        XCTAssertEqual(nights, [])
        let pressures = try await reader.correlations(of: .bloodPressure)
        XCTAssertEqual(pressures, [])
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }

        let store = try SQLiteStore(path: path)
        let outcome = try await store.save([
            .correlation(try pressure(1, at: 100)), .category(try sleep(1, from: 0, to: 1)),
        ])

        XCTAssertEqual(outcome, SaveOutcome(stored: 2))
        XCTAssertEqual(try integer("PRAGMA user_version"), Int64(Schema.steps.count))
        let kept = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(kept, [old])
        let all = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(all, [try pressure(1, at: 100)])
    }

    func testQuery_ofACorrelationThatIsLongerThanALine_readsIt() async throws {
        // Its members were stored before, with much more metadata than in the correlation.
        func members(_ text: String) throws -> [QuantitySample] {
            try (0..<20).map { number in
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 8), type: .dietaryEnergyConsumed,
                    start: instant(5), end: instant(6), quantity: Quantity(64, .kilocalorie),
                    metadata: Metadata(["a": .string(text)]))
            }
        }
        let long = try members(String(repeating: "a", count: 4_000))
        let meal = try Correlation(
            id: RecordID(high: 1, low: 10), type: .food, start: instant(5), end: instant(6),
            samples: members("a").map { .quantity($0) })
        let store = try SQLiteStore(path: path)
        _ = try await store.save(long.map { .sample($0) } + [.correlation(meal)])
        let read = try await store.correlations(of: .food)
        XCTAssertEqual(read.map(\.samples), [long.map { .quantity($0) }])
    }
}
