import GatewayTesting
import HealthModel
import HealthStatistics
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// Both stores are told the same at random, and asked the same.
final class HealthStoreRandomTests: CorrelationStoreTestCase {
    private typealias Generator = SeededGenerator

    private let devices = [nil, Device(name: "a", model: "m"), Device(name: "b", serial: "1")]
    private let people = [nil, "ada", "eve"]

    private func record(_ generator: inout Generator) throws -> Record {
        let number = Int.random(in: 0..<120, using: &generator)
        // What has an id is always the same, as with every source.
        let (person, device) = (people[number % 3], devices[number / 3 % 3])
        switch Int.random(in: 0..<11, using: &generator) {
        case 8: return .sample(try weight(number))
        case 9: return .category(try nap(number))
        case 10: return .correlation(try versionedMeal(number))
        case 0: return .correlation(try pressure(number, at: number))
        case 1: return .correlation(try meal(number, at: number * 10))
        case 2: return .category(try sleep(number, from: number, to: number + 40))
        case 3: return .sample(try steps(number, from: number, to: number + 1 + number % 30))
        case 4: return .workout(try workout(number))
        case 5:
            return .event(
                DeviceEvent(
                    id: RecordID(high: UInt64(number), low: 30), at: instant(number),
                    device: Device(name: "c"), state: DeviceState(battery: 0.5)))
        default:
            return .sample(
                try heartRate(
                    number, person: person, device: device,
                    metadata: number % 2 == 0
                        ? Metadata(["n": .number(Double(number))]) : Metadata()))
        }
    }

    /// Four versions of each of some workouts.
    private func workout(_ number: Int) throws -> Workout {
        let (first, version) = (number / 4, number % 4)
        var metadata = Metadata()
        try metadata.setSync(
            identifier: RecordID(high: UInt64(first), low: 40).description,
            version: Double(version))
        return try Workout(
            id: RecordID(high: UInt64(first), low: 40 + UInt64(version)),
            activity: WorkoutActivity(.running), start: instant(first * 4),
            end: instant(first * 4 + 30 + version), person: people[first % 3], metadata: metadata)
    }

    private func version(_ identifier: Int, _ version: Int) throws -> Metadata {
        var metadata = Metadata()
        try metadata.setSync(identifier: "v\(identifier)", version: Double(version))
        return metadata
    }

    /// Four versions of each of some samples, from two sources.
    private func weight(_ number: Int) throws -> QuantitySample {
        let (identifier, version) = (number / 4 % 8, number % 4)
        return try QuantitySample(
            id: RecordID(high: UInt64(number), low: 50), type: .bodyMass,
            start: instant(identifier * 5 + version), end: instant(identifier * 5 + version),
            quantity: Quantity(Double(60 + version), .kilogram), person: people[number / 32 % 2],
            source: SourceRevision(name: number < 64 ? "a" : "b", version: "\(version)"),
            metadata: self.version(identifier, version))
    }

    private func nap(_ number: Int) throws -> CategorySample {
        try CategorySample(
            id: RecordID(high: UInt64(number), low: 51), type: .sleepAnalysis,
            start: instant(number), end: instant(number + 9), value: number % 4,
            source: SourceRevision(name: "night"), metadata: version(number / 4 % 6, number % 4))
    }

    /// Meals with versions of their own, whose members have versions, and may be those of other meals.
    private func versionedMeal(_ number: Int) throws -> Correlation {
        let energy = try (0..<3).map { index in
            let part = (number + index) % 24
            return try QuantitySample(
                id: RecordID(high: UInt64(part), low: 52), type: .dietaryEnergyConsumed,
                start: instant(part), end: instant(part + 1),
                quantity: Quantity(Double(100 + part), .kilocalorie),
                metadata: version(part / 4, part % 4))
        }
        let calm = try nap(number % 48)
        return try Correlation(
            id: RecordID(high: UInt64(number), low: 53), type: .food, start: instant(number),
            end: instant(number + 60),
            samples: energy.map { .quantity($0) } + (number % 3 == 0 ? [.category(calm)] : []),
            metadata: number % 5 == 0 ? Metadata() : version(number / 6 % 6, number % 6))
    }

    private func predicate(_ generator: inout Generator, depth: Int = 3) throws -> RecordPredicate {
        let number = Int.random(in: 0..<120, using: &generator)
        let time = instant(number)
        switch Int.random(in: depth > 0 ? 0..<15 : 3..<15, using: &generator) {
        case 0:
            return try predicate(&generator, depth: depth - 1)
                && predicate(&generator, depth: depth - 1)
        case 1:
            return try predicate(&generator, depth: depth - 1)
                || predicate(&generator, depth: depth - 1)
        case 2: return try !predicate(&generator, depth: depth - 1)
        case 3: return .type(number % 2 == 0 ? .heartRate : .stepCount)
        case 4: return .kind(RecordKind.allCases[number % 5])
        case 5: return .person(people[number % 3])
        case 6: return .device(devices[number % 3])
        case 7: return .deviceProperty(.serial, number % 2 == 0 ? ["1"] : [])
        case 8: return .source(name: "night", version: number % 2 == 0 ? nil : "2")
        case 9: return .metadata("n", .greaterThan, .number(Double(number)))
        case 10: return .quantity(.lessThan, try Quantity(Double(60 + number), .countPerMinute))
        case 11: return .workout(RecordID(high: UInt64(number / 4), low: 40 + UInt64(number % 4)))
        case 12:
            return .ids(
                Set([1, 2, 5, 7, 30].map { RecordID(high: UInt64(number), low: $0) }))
        case 13: return .typeName(["bloodPressure", "workout", "food", "none"][number % 4])
        default:
            return .period(
                RecordPredicate.Period(
                    start: number % 5 == 0 ? nil : time,
                    end: number % 7 == 0 ? nil : time.adding(nanoseconds: 20_000_000_000),
                    isStartStrict: number % 2 == 0, isEndStrict: number % 3 == 0))
        }
    }

    func testStores_answerAlike() async throws {
        for seed in 1...UInt64(2 * min(FuzzFactor.current, 50)) {
            var generator = Generator(seed: seed)
            let memory = InMemoryStore()
            let file = try SQLiteHealthStore(opening: folder + "/\(seed).sqlite") {
                Instant(nanosecondsSince1970: 9)
            }
            var followers = (Follower(memory), Follower(file))
            for _ in 0..<12 {
                try await tell(memory, file, &generator, seed)
                try await ask(memory, file, &generator, seed)
                try await followers.0.follow()
                try await followers.1.follow()
                XCTAssertEqual(followers.1.records, followers.0.records, "seed \(seed)")
                let all = await memory.records(matching: .all, order: .oldestFirst, limit: nil)
                XCTAssertEqual(Set(followers.0.records.values), Set(all), "seed \(seed)")
            }
            let findings = try StoreCheck(path: folder + "/\(seed).sqlite").references()
            XCTAssertEqual(findings, [], "seed \(seed)")
        }
    }

    /// A program that follows the changes of a store.
    private struct Follower {
        private let store: any HealthStore
        private var anchor: StoreAnchor?
        private(set) var records: [RecordID: Record] = [:]

        init(_ store: any HealthStore) { self.store = store }

        mutating func follow() async throws {
            var hasMore = true
            while hasMore {
                let changes = try await store.changes(since: anchor, limit: 7)
                for record in changes.added { records[record.id] = record }
                for id in changes.removed { records[id] = nil }
                (anchor, hasMore) = (changes.anchor, changes.hasMore)
            }
        }
    }

    private func tell(
        _ memory: InMemoryStore, _ file: SQLiteHealthStore, _ generator: inout Generator,
        _ seed: UInt64
    ) async throws {
        let count = Int.random(in: 0...30, using: &generator)
        var records = try (0..<count).map { _ in try record(&generator) }
        // Deletions of another store, between records.
        for record in records.shuffled(using: &generator).prefix(2) {
            let deleted = DeletedRecord(id: record.id, typeName: record.typeName, at: instant(9))
            records.insert(.deletion(deleted), at: Int.random(in: 0...count, using: &generator))
        }
        let expected = await memory.save(records)
        let results = try await file.save(records)
        XCTAssertEqual(results, expected, "seed \(seed)")
        guard Bool.random(using: &generator) else { return }
        let all = await memory.records(matching: .all, order: .oldestFirst, limit: nil)
        let ids = Set(all.map(\.id).shuffled(using: &generator).prefix(4))
        let expectedCount = await memory.delete(ids)
        let deleted = try await file.delete(ids)
        XCTAssertEqual(deleted, expectedCount, "seed \(seed)")
    }

    private func ask(
        _ memory: InMemoryStore, _ file: SQLiteHealthStore, _ generator: inout Generator,
        _ seed: UInt64
    ) async throws {
        for _ in 0..<8 {
            let predicate = try predicate(&generator)
            let order = Bool.random(using: &generator) ? QueryOrder.oldestFirst : .newestFirst
            let expected = await memory.records(matching: predicate, order: order, limit: nil)
            let found = try await file.records(matching: predicate, order: order, limit: nil)
            let question = "seed \(seed): \(predicate)"
            XCTAssertEqual(Set(found), Set(expected), question)
            XCTAssertEqual(found.map(\.span.start), expected.map(\.span.start), question)
            let limit = Int.random(in: 0...5, using: &generator)
            let first = try await file.records(matching: predicate, order: order, limit: limit)
            XCTAssertEqual(first.map(\.span.start), Array(expected.map(\.span.start).prefix(limit)))
        }
        for person in ["ada", "eve", "kim"] {
            let expected = await memory.characteristics(of: person)
            let found = try await file.characteristics(of: person)
            XCTAssertEqual(found, expected, "seed \(seed): \(person)")
        }
        let spans = [0..<25, 25..<26, 40..<90].map {
            instant($0.lowerBound)..<instant($0.upperBound)
        }
        for (type, person) in [
            (.heartRate, "ada"), (.stepCount, nil), (.bloodPressureSystolic, nil), (.bodyMass, nil),
            (.dietaryEnergyConsumed, nil),
        ]
            as [(QuantityType, String?)]
        {
            let expected = try await memory.statistics(
                of: type, in: spans, person: person, options: StatisticsOptions())
            let found = try await file.statistics(
                of: type, in: spans, person: person, options: StatisticsOptions())
            XCTAssertEqual(found.map(\.count), expected.map(\.count), "seed \(seed) \(type)")
            for (found, expected) in zip(found, expected) {
                XCTAssertEqual(found.sum?.value ?? 0, expected.sum?.value ?? 0, accuracy: 1e-9)
                XCTAssertEqual(
                    found.average?.value ?? 0, expected.average?.value ?? 0, accuracy: 1e-9)
                XCTAssertEqual(found.maximum, expected.maximum)
            }
        }
    }
}
