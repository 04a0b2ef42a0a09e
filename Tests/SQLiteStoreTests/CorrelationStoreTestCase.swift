import Foundation
import GatewayCore
import HealthModel
import HealthStore
import XCTest

@testable import SQLiteStore

/// A test case with category samples and correlations for a store.
class CorrelationStoreTestCase: StoreTestCase {
    /// Each store, empty.
    func stores() throws -> [any HealthStore] {
        let number = (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        return [
            InMemoryStore(),
            try SQLiteHealthStore(opening: folder + "/\(number).sqlite") {
                Instant(nanosecondsSince1970: 9)
            },
        ]
    }

    func sleep(
        _ number: Int, from start: Int, to end: Int, value: Int = 4,
        metadata: Metadata = Metadata()
    ) throws -> CategorySample {
        try CategorySample(
            id: RecordID(high: UInt64(number), low: 5), type: .sleepAnalysis, start: instant(start),
            end: instant(end), value: value, person: "ada", device: Device(name: "ring"),
            source: SourceRevision(name: "night", version: "1"), metadata: metadata)
    }

    func pressure(
        _ number: Int, at seconds: Int, systolic: Int? = nil, diastolic: Int? = nil,
        memberSeconds: Int? = nil
    ) throws -> Correlation {
        func member(
            _ id: Int, _ type: QuantityType, _ value: Double
        ) throws -> Correlation.Member {
            let start = instant(memberSeconds ?? seconds)
            return .quantity(
                try QuantitySample(
                    id: RecordID(high: UInt64(id), low: 6), type: type, start: start, end: start,
                    quantity: Quantity(value, .millimeterOfMercury), person: "ada"))
        }
        return try Correlation(
            id: RecordID(high: UInt64(number), low: 7), type: .bloodPressure,
            start: instant(seconds), end: instant(seconds),
            samples: [
                member(systolic ?? number * 2, .bloodPressureSystolic, 120),
                member(diastolic ?? number * 2 + 1, .bloodPressureDiastolic, 80),
            ], person: "ada", device: Device(name: "cuff"), metadata: Metadata(["x": .number(1)]))
    }

    /// A meal with a mindful moment.
    func meal(_ number: Int, at seconds: Int) throws -> Correlation {
        let energy = try QuantitySample(
            id: RecordID(high: UInt64(number), low: 8), type: .dietaryEnergyConsumed,
            start: instant(seconds), end: instant(seconds + 1),
            quantity: Quantity(640, .kilocalorie))
        let calm = try CategorySample(
            id: RecordID(high: UInt64(number), low: 9), type: .mindfulSession,
            start: instant(seconds), end: instant(seconds + 60), value: 0)
        return try Correlation(
            id: RecordID(high: UInt64(number), low: 10), type: .food, start: instant(seconds),
            end: instant(seconds + 60), samples: [.quantity(energy), .category(calm)])
    }

    /// Decodes the records of lines, as received from outside.
    func read(_ records: [Record]) throws -> [Record] {
        let lines = RecordBatch(records).lines
        var decoder = RecordDecoder()
        return try (0..<lines.count).map { try decoder.decode(lines[$0]) }
    }

    func counts() throws -> [Int64] {
        try ["sample", "category", "correlation", "member"].map {
            try integer("SELECT count(*) FROM \($0)")
        }
    }

    func removeAll(beyond bounds: Retention.Bounds, from store: SQLiteStore) async throws {
        while try await store.removeNextBatch(beyond: bounds) > 0 {}
    }
}
