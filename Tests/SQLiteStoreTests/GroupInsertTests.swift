import Foundation
import GatewayTesting
import HealthModel
import Platform
import SQLite
import SQLiteStore
import XCTest

/// Tests of batches in which several samples are inserted with one statement.
final class GroupInsertTests: StoreTestCase {
    private let strap = Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55")

    private func event(_ number: Int) -> Record {
        .event(
            DeviceEvent(
                id: RecordID(high: UInt64(number), low: 3), at: instant(number), device: strap,
                state: DeviceState(connection: .connected)))
    }

    /// Samples with events and repetitions between them at random, in batches of random sizes.
    func testSave_ofAnyMixture_storesEachIdOnce_inOrder_andCountsTheRest() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let store = try SQLiteStore(path: path)
        var order: [Int64] = []
        var events: Set<Int> = []
        for _ in 0..<60 {
            var expected = SaveOutcome()
            let batch = try (0..<Int.random(in: 0...70, using: &generator)).map { _ -> Record in
                let number = Int.random(in: 0..<1_500, using: &generator)
                guard Int.random(in: 0..<20, using: &generator) > 0 else {
                    let isNew = events.insert(number).inserted
                    if isNew { expected.stored += 1 } else { expected.alreadyStored += 1 }
                    return event(number)
                }
                let isNew = !order.contains(Int64(number))
                if isNew { order.append(Int64(number)) }
                if isNew { expected.stored += 1 } else { expected.alreadyStored += 1 }
                return .sample(try heartRate(number, device: number % 3 == 0 ? strap : nil))
            }
            let outcome = try await store.save(batch)
            XCTAssertEqual(outcome, expected, "seed \(seed)")
        }
        let read = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(
            read,
            try order.sorted().map { number in
                try heartRate(Int(number), device: number % 3 == 0 ? strap : nil)
            }, "seed \(seed)")
        let rows = try SQLiteConnection(path: path, access: .readOnly)
            .prepare("SELECT start_ns / 1000000000 FROM sample ORDER BY start_ns")
        var stored: [Int64] = []
        try rows.forEachRow { stored.append($0.integer(at: 0)) }
        XCTAssertEqual(stored, order.sorted(), "seed \(seed)")
    }

    /// Heart rates of ten seconds, and the intervals between beats, which arrive when they are over.
    private func arriving(_ batch: Int) throws -> [Record] {
        try (batch * 10..<(batch + 1) * 10).flatMap { second in
            try [0, 1_300, 400, 1_900].enumerated().map { place, age in
                let time = Int64(second + 10) * 1_000 + Int64(place * 250 - age)
                let start = Instant(nanosecondsSince1970: time * 1_000_000)
                return .sample(
                    try QuantitySample(
                        id: RecordID(high: UInt64(time) << 16, low: UInt64(place)),
                        type: .heartRate, start: start, end: start,
                        quantity: Quantity(60, .countPerMinute), device: strap))
            }
        }
    }

    /// Returns the bytes in the log of a store that got batches.
    private func logBytes(_ batches: [[Record]], in path: String) async throws -> Int {
        let store = try SQLiteStore(path: path)
        for batch in batches { _ = try await store.save(batch) }
        XCTAssertEqual(
            try integer("SELECT count(*) FROM sample", at: path), Int64(batches.joined().count))
        let log = try FileManager.default.attributesOfItem(atPath: await store.logPath)
        return try XCTUnwrap(log[.size] as? Int)
    }

    /// Samples that began before others would split pages.
    func testSave_writesAsMuch_inWhateverOrderSamplesArrive() async throws {
        let batches = try (0..<40).map(arriving)
        let ordered = batches.map { batch in batch.sorted { $0.id < $1.id } }
        XCTAssertNotEqual(batches, ordered)
        let bytes = try await logBytes(batches, in: path)
        let orderedBytes = try await logBytes(ordered, in: "\(folder)/ordered.sqlite")
        XCTAssertEqual(bytes, orderedBytes)
    }

    /// Somebody tidies the tables with another program while the store is open.
    func testSave_afterAnotherConnectionRemovedRows_writesThemAgain() async throws {
        let store = try SQLiteStore(path: path)
        let source = SourceRevision(name: "straps", version: "1.0.0")
        let samples = try (0..<40).map {
            try heartRate($0, person: "ada", device: strap, source: source)
        }
        _ = try await store.save(samples[..<20].map { .sample($0) })
        try execute(
            """
            DELETE FROM sample; DELETE FROM device; DELETE FROM source; DELETE FROM person;
            DELETE FROM type; DELETE FROM unit;
            """)
        _ = try await store.save(samples[20...].map { .sample($0) })
        let read = try await SQLiteStore(readingFrom: path)
            .samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, Array(samples[20...]))
        XCTAssertEqual(
            try SQLiteConnection(path: path, access: .readOnly).pragma("foreign_key_check"), nil)
    }
}
