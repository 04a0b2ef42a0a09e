import GatewayTesting
import HealthModel
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// What the store knows of imports: which records each file has brought.
final class ImportLogTests: StoreTestCase {
    private let (first, second) = (ImportedFile(path: "/a"), ImportedFile(path: "/b"))

    private func own(
        _ records: [Record], _ file: ImportedFile, in store: SQLiteStore
    ) async throws -> Set<RecordID> {
        var own: Set<RecordID> = []
        for (kind, records) in Dictionary(grouping: records, by: { RecordKind($0) }) {
            guard let kind else { continue }
            own.formUnion(try await store.stored(records.map(\.id), kind, by: file).own)
        }
        return own
    }

    /// Samples in a random order, of which some share a row number, by turns from files and a gateway:
    /// each belongs to the one that has stored it last.
    func testOwners_ofRandomImportsAndDeletions_areThoseOfAModel() async throws {
        for seed in UInt64(1)...12 {
            var random = SeededGenerator(seed: seed)
            let store = try SQLiteStore(path: folder + "/" + "random-\(seed)")
            let records = try (0..<160).map { try sample($0, &random) }
            var owners: [RecordID: Int] = [:]
            var deleted: Set<RecordID> = []
            for _ in 0..<24 {
                let part = records.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                    .shuffled(using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    _ = try await store.save(part)
                    for record in part where owners[record.id] == nil {
                        owners[record.id] = deleted.contains(record.id) ? nil : 0
                    }
                case 1:
                    let ids = part.map(\.id)
                    _ = try await store.delete(
                        .records(ids, kinds: [.sample]), at: Instant(nanosecondsSince1970: 0))
                    deleted.formUnion(ids.filter { owners[$0] != nil })
                    for id in ids { owners[id] = nil }
                case let number:
                    let file = number == 2 ? first : second
                    _ = try await store.save(part, of: file)
                    for record in part where owners[record.id] == nil {
                        owners[record.id] = number
                    }
                    deleted.subtract(part.map(\.id))
                }
                for (number, file) in [(2, first), (3, second)] {
                    let expected = Set(owners.filter { $0.value == number }.keys)
                    let found = try await own(records, file, in: store)
                    XCTAssertEqual(found, expected, "seed \(seed)")
                }
            }
        }
    }

    /// A heart rate of one of a few milliseconds, of which several have the same row number.
    private func sample(_ number: Int, _ random: inout SeededGenerator) throws -> Record {
        let time = UInt64(1_767_225_600_000 + number / 8)
        let id = RecordID(
            high: time << 16 | 0x8000, low: 1 << 63 | UInt64(number) << 20 | UInt64(number % 3))
        let start = Instant(nanosecondsSince1970: Int64(time) * 1_000_000)
        return .sample(
            try QuantitySample(
                id: id, type: .heartRate, start: start, end: start,
                quantity: Quantity(60, .countPerMinute), person: "ada"))
    }

    func testImport_isKnown_alsoWhenItStoresNothing() async throws {
        let store = try SQLiteStore(path: folder + "/" + "known")
        var random = SeededGenerator(seed: 1)
        let record = try sample(0, &random)
        _ = try await store.save([record])
        let before = try await store.knows(first)
        XCTAssertFalse(before)
        _ = try await store.save([record], of: first)
        let known = try await store.knows(first)
        XCTAssertTrue(known)
        let found = try await store.stored([record.id], .sample, by: first)
        XCTAssertEqual(found.own, [])
        XCTAssertEqual(found.count, 1)
    }

    /// Rows in order need no more than a few bytes for each transaction.
    func testNotes_ofRowsInOrder_areShort() async throws {
        let store = try SQLiteStore(path: folder + "/" + "short")
        let records = try (0..<4_096).map { number in
            let start = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
                .adding(nanoseconds: Int64(number) * 1_000_000_000)
            return Record.sample(
                try QuantitySample(
                    id: .make(start: start, device: "a", stream: "b", key: 0), type: .heartRate,
                    start: start, end: start, quantity: Quantity(60, .countPerMinute)))
        }
        _ = try await store.save(records, of: first)
        let size = try integer(
            "SELECT sum(length(content)) FROM imported", at: folder + "/short")
        XCTAssertLessThan(size, 30)
    }

    func testDeletedPerson_endsTheImport_andAnotherOneBeginsAnew() async throws {
        let store = try SQLiteStore(path: folder + "/" + "person")
        let other = try SQLiteStore(path: folder + "/" + "person")
        var random = SeededGenerator(seed: 1)
        let records = try (0..<4).map { try sample($0, &random) }
        _ = try await store.save([records[0]], of: first)
        _ = try await other.delete(.person("ada"), at: Instant(nanosecondsSince1970: 0))
        do {
            _ = try await store.save([records[1]], of: first)
            XCTFail("stored a record of a deleted person")
        } catch SQLiteStoreError.deletedPerson(let name, _) {
            XCTAssertEqual(name, "ada")
        }
        let names = try await other.peopleNames()
        XCTAssertEqual(names, [])
        _ = try await other.save([records[2]], of: second)
        let again = try await other.peopleNames()
        XCTAssertEqual(again, ["ada"])
    }
}
