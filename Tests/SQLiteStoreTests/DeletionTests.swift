import Foundation
import GatewayTesting
import HealthModel
import HealthStore
import SQLite
import XCTest

@testable import SQLiteStore

/// Deletion of records by id and by conditions.
final class DeletionTests: CorrelationStoreTestCase {
    private let now = Instant(nanosecondsSince1970: 5_000_000_000_000)

    private func conditions(
        _ type: RecordType, from: Int? = nil, to: Int? = nil, device: String? = nil,
        person: String? = nil, source: String? = nil
    ) -> DeletionSelection {
        .matching(
            DeletionSelection.Conditions(
                StoreQuery(
                    type: type, from: from.map(instant), to: to.map(instant), device: device,
                    person: person), source: source))
    }

    func testDelete_ofASampleByID_removesItAndNotesItsID() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        let id = RecordID(high: 1, low: 1)
        let counts = try await store.delete(.records([id], kinds: [.sample]), at: now)
        XCTAssertEqual(counts, [DeletionCount(kind: .sample, type: "heartRate", count: 1)])
        let left = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(left.map(\.id.high), [0, 2])
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion WHERE at_ns = 5000000000000"), 1)
        XCTAssertEqual(try integer("SELECT stored - removed FROM tally"), 2)
        let kind = try await store.kind(of: id)
        XCTAssertNil(kind)
    }

    func testDeletedRecord_isInNoFile_afterTheDeletion() async throws {
        let store = try SQLiteStore(path: path)
        var metadata = Metadata()
        try metadata.set(.string("a word of the record"), for: "note")
        let sample = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .heartRate, start: instant(1), end: instant(1),
            quantity: Quantity(60, .countPerMinute), metadata: metadata)
        _ = try await store.save([.sample(sample)] + heartRates(2..<5))
        XCTAssertTrue(try files().contains("a word of the record"))
        _ = try await store.delete(.records([sample.id], kinds: [.sample]), at: now)
        XCTAssertFalse(try files().contains("a word of the record"))
    }

    /// The content of the file and of its write-ahead log.
    private func files() throws -> String {
        try [path, "\(path)-wal"].map { path in
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }.joined()
    }

    func testDelete_ofAPeriod_isHalfOpen() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<10))
        let selection = conditions(.quantity(.heartRate), from: 3, to: 6)
        let groups = try await store.groups(of: selection)
        XCTAssertEqual(groups.map(\.count), [3])
        XCTAssertEqual(groups.first?.start, instant(3))
        XCTAssertEqual(groups.first?.end, instant(5))
        _ = try await store.delete(selection, at: now)
        let left = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(left.map(\.id.high), [0, 1, 2, 6, 7, 8, 9])
    }

    func testDelete_ofADeviceASourceAndAPerson_removesOnlyTheirs() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .sample(try heartRate(1, device: Device(name: "a"))),
            .sample(try heartRate(2, source: SourceRevision(name: "b"))),
            .sample(try heartRate(3, person: "c")), .sample(try heartRate(4)),
        ])
        for (device, source, person, left) in [
            ("a", nil, nil, 3), (nil, "b", nil, 2), (nil, nil, "c", 1), (nil, "z", nil, 1),
        ] as [(String?, String?, String?, Int)] {
            let selection = conditions(
                .quantity(.heartRate), device: device, person: person, source: source)
            _ = try await store.delete(selection, at: now)
            let count = try await store.count(of: .heartRate)
            XCTAssertEqual(count, left)
        }
    }

    func testDelete_ofMoreThanABatch_removesAll() async throws {
        let store = try SQLiteStore(path: path)
        let count = RecordDeleter.batchRows * 2 + 7
        _ = try await store.save(heartRates(0..<count))
        let counts = try await store.delete(conditions(.quantity(.heartRate)), at: now)
        XCTAssertEqual(counts.map(\.count), [count])
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), Int64(count))
        XCTAssertEqual(try integer("SELECT count(*) FROM sample"), 0)
    }

    func testDelete_ofACorrelation_deletesAndNotesItsMembers() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .correlation(try pressure(1, at: 10)), .correlation(try meal(1, at: 20)),
            .category(try sleep(3, from: 0, to: 9)),
        ])
        _ = try await store.delete(conditions(.correlation(.bloodPressure)), at: now)
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), 3)
        _ = try await store.delete(conditions(.category(.sleepAnalysis)), at: now)
        XCTAssertEqual(try counts(), [1, 1, 1, 2])
        // A member takes the correlation with it.
        _ = try await store.delete(conditions(.quantity(.dietaryEnergyConsumed)), at: now)
        XCTAssertEqual(try counts(), [0, 0, 0, 0])
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), 7)
    }

    func testSave_ofADeletedRecord_skipsIt_andAnImportStoresItAgain() async throws {
        let store = try SQLiteStore(path: path)
        let records: [Record] =
            try heartRates(0..<40) + [
                .correlation(try pressure(100, at: 10)), .category(try sleep(3, from: 0, to: 9)),
            ]
        _ = try await store.save(records)
        let ids = records.map(\.id)
        _ = try await store.delete(.records(ids, kinds: Set(RecordKind.allCases)), at: now)
        let redelivered = try await store.save(records)
        XCTAssertEqual(redelivered, SaveOutcome(deleted: 42))
        XCTAssertEqual(try counts(), [0, 0, 0, 0])
        let imported = try await store.save(records, restoring: true)
        XCTAssertEqual(imported, SaveOutcome(stored: 42))
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), 0)
        let again = try await store.save(records)
        XCTAssertEqual(again, SaveOutcome(alreadyStored: 42))
    }

    func testSave_ofAnEarlierVersionOfADeletedWorkout_skipsIt() async throws {
        let store = try SQLiteStore(path: path)
        let first = try Workout(
            id: RecordID(high: 1 << 48, low: 1), activity: WorkoutActivity(.running),
            start: instant(0), end: instant(60))
        let second = try Workout(
            id: RecordID(high: 2 << 48, low: 1), activity: WorkoutActivity(.running),
            start: instant(0), end: instant(90),
            metadata: Metadata([
                "HKMetadataKeySyncIdentifier": .string(first.identifier),
                "HKMetadataKeySyncVersion": .number(1),
            ]))
        _ = try await store.save([.workout(first), .workout(second)])
        _ = try await store.delete(.records([second.id], kinds: [.workout]), at: now)
        let outcome = try await store.save([.workout(first), .workout(second)])
        XCTAssertEqual(outcome, SaveOutcome(deleted: 2))
    }

    func testRetention_notesNothing_afterADeletion() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<10))
        let ids = [RecordID(high: 1, low: 1)]
        _ = try await store.delete(.records(ids, kinds: [.sample]), at: now)
        try await removeAll(beyond: Retention.Bounds(start: instant(100)), from: store)
        XCTAssertEqual(try integer("SELECT count(*) FROM sample"), 0)
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), 1)
    }

    func testDelete_whenItFailsAtAnyRecord_changesNothingOfTheBatch_andCanBeRepeated() async throws
    {
        for failing in 0..<12 {
            let path = "\(folder)/\(failing).sqlite"
            let store = try SQLiteStore(path: path)
            _ = try await store.save(try heartRates(0..<12))
            let other = try SQLiteConnection(path: path, access: .readWrite)
            try other.execute(
                """
                CREATE TRIGGER refuse BEFORE DELETE ON sample
                WHEN OLD.start_ns = \(failing)000000000 BEGIN SELECT RAISE(ABORT, 'refused'); END
                """)
            let selection = conditions(.quantity(.heartRate))
            let error = await caught { _ = try await store.delete(selection, at: now) }
            XCTAssertEqual((error as? SQLiteError)?.reason, .constraint)
            XCTAssertEqual(try integer("SELECT count(*) FROM sample", at: path), 12)
            XCTAssertEqual(try integer("SELECT count(*) FROM deletion", at: path), 0)
            try other.execute("DROP TRIGGER refuse")
            let counts = try await store.delete(selection, at: now)
            XCTAssertEqual(counts.map(\.count), [12])
            XCTAssertEqual(try integer("SELECT count(*) FROM deletion", at: path), 12)
        }
    }

    func testOpen_ofVersion5_readsItAsItIs_andAddsTheTable() async throws {
        do {
            let connection = try SQLiteConnection(path: path, access: .readWrite)
            try connection.migrate(
                applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(5)))
            try connection.pragma("journal_mode", to: "WAL")
            try connection.execute(
                """
                INSERT INTO type (id, name) VALUES (1, 'heartRate');
                INSERT INTO unit VALUES (1, 'count/min');
                INSERT INTO origin VALUES (1, 1, NULL, NULL, NULL, 0);
                INSERT INTO sample VALUES (
                    0, x'00000000000000000000000000000000', 1, 1, 1000000000, 0, 60, NULL);
                """)
        }
        let id = RecordID(high: 0, low: 0)
        let selection = DeletionSelection.records([id], kinds: [.sample])
        let seen = try await SQLiteStore(readingFrom: path).groups(of: selection)
        XCTAssertEqual(seen.map(\.count), [1])
        XCTAssertEqual(try integer("PRAGMA user_version"), 5)
        let store = try SQLiteStore(path: path)
        XCTAssertEqual(try integer("PRAGMA user_version"), Int64(Schema.steps.count))
        let counts = try await store.delete(selection, at: now)
        XCTAssertEqual(counts.map(\.count), [1])
    }

    func testReferences_findsEachKindOfDamage() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .sample(try heartRate(1, person: "ada")), .correlation(try pressure(50, at: 10)),
        ])
        XCTAssertEqual(try StoreCheck(path: path).references(), [])
        let home = "(SELECT min(sequence) FROM sample)"
        for (damage, finding, repair) in [
            (
                "INSERT INTO displaced VALUES (x'00', 7, 7)", "displaced ids without a sample: 1",
                "DELETE FROM displaced"
            ),
            (
                "UPDATE sample SET sequence = -9 WHERE sequence = \(home)",
                "negative numbers of samples that are not displaced: 1", ""
            ),
            (
                "INSERT INTO member VALUES (99, (SELECT max(sequence) FROM sample), NULL)",
                "members without a correlation: 1", "DELETE FROM member WHERE correlation = 99"
            ),
            (
                "INSERT INTO member VALUES ((SELECT sequence FROM correlation), 12345, NULL)",
                "members without a sample: 1", "DELETE FROM member WHERE sample = 12345"
            ),
            (
                "UPDATE origin SET person = 77 WHERE person IS NOT NULL",
                "origins of a missing person: ", "UPDATE origin SET person = 1 WHERE person = 77"
            ),
            (
                "UPDATE sample SET origin = 88 WHERE sequence > 0", "samples without an origin: ",
                "UPDATE sample SET origin = 1 WHERE origin = 88"
            ),
            (
                "INSERT INTO deletion SELECT id, 3, NULL, 0 FROM correlation",
                "deleted records that are stored: 1", "DELETE FROM deletion"
            ),
        ] {
            try execute(damage)
            let found = try StoreCheck(path: path).references()
            XCTAssertTrue(found.contains { $0.hasPrefix(finding) }, "\(finding): \(found)")
            try execute(repair)
        }
    }
}
