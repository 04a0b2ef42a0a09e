import GatewayTesting
import HealthModel
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// Followers that read changes in pages of any size end with what the store has.
final class StoreFollowerTests: CorrelationStoreTestCase {
    /// One that applies changes, from an anchor or from the beginning.
    private struct Follower {
        var anchor: StoreAnchor?
        var records: [RecordID: Record] = [:]

        /// Applies the next changes; returns whether there are more.
        mutating func follow(_ store: SQLiteStore, limit: Int) async throws -> Bool {
            let changes = try await store.changes(since: anchor, limit: limit)
            for id in changes.removed { records[id] = nil }
            for record in changes.added { records[record.id] = record }
            anchor = changes.anchor
            return changes.hasMore
        }
    }

    private func record(_ generator: inout SeededGenerator) throws -> Record {
        let number = Int.random(in: 0..<400, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .correlation(try pressure(number, at: number))
        case 1: return .category(try sleep(number, from: number, to: number + 10))
        case 2:
            var metadata = Metadata()
            let version = Double.random(in: 0..<9, using: &generator).rounded()
            let id = RecordID(high: UInt64(number / 40), low: 11)
            try metadata.setSync(identifier: id.description, version: version)
            return .workout(
                try Workout(
                    id: RecordID(high: UInt64(number / 40), low: 20 + UInt64(version)),
                    activity: WorkoutActivity(.running), start: instant(number / 40 * 100),
                    end: instant(number / 40 * 100 + 50), metadata: metadata))
        default:
            // Many share a home: the number has the same lowest bits.
            let low = UInt64(Int.random(in: 0..<3, using: &generator)) << 20 | 1
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(number) << 16, low: low), type: .heartRate,
                    start: instant(number), end: instant(number),
                    quantity: Quantity(Double(60 + number % 90), .countPerMinute)))
        }
    }

    private func everything(in store: SQLiteStore) async throws -> [RecordID: Record] {
        var records: [RecordID: Record] = [:]
        for type: RecordType? in [
            .quantity(.heartRate), .quantity(.bloodPressureSystolic),
            .quantity(.bloodPressureDiastolic), .category(.sleepAnalysis),
            .correlation(.bloodPressure), .workout, nil,
        ] {
            for record in try await store.records(matching: RecordQuery(type: type)) {
                records[record.id] = record
            }
        }
        return records
    }

    func testFollowers_haveWhatTheStoreHas() async throws {
        for seed in 1...UInt64(4 * min(FuzzFactor.current, 50)) {
            var generator = SeededGenerator(seed: seed)
            let store = try SQLiteStore(path: folder + "/\(seed).sqlite")
            var followers = [Follower()]
            for step in 0..<25 {
                try await change(store, &generator, step)
                if step % 8 == 3 { followers.append(Follower()) }
                for index in followers.indices where Bool.random(using: &generator) {
                    let limit = Int.random(in: 1...40, using: &generator)
                    _ = try await followers[index].follow(store, limit: limit)
                }
            }
            let expected = try await everything(in: store)
            for index in followers.indices {
                let limit = Int.random(in: 1...40, using: &generator)
                while try await followers[index].follow(store, limit: limit) {}
                XCTAssertEqual(followers[index].records, expected, "seed \(seed)")
            }
        }
    }

    private func change(
        _ store: SQLiteStore, _ generator: inout SeededGenerator, _ step: Int
    ) async throws {
        guard Int.random(in: 0..<4, using: &generator) == 0 else {
            let count = Int.random(in: 1...60, using: &generator)
            let records = try (0..<count).map { _ in try record(&generator) }
            _ = try await store.save(records, restoring: step % 3 == 0)
            return
        }
        let ids = try await Array(everything(in: store).keys.shuffled(using: &generator).prefix(7))
        _ = try await store.delete(
            .records(ids, kinds: Set(RecordKind.allCases)), at: instant(step))
    }
}
