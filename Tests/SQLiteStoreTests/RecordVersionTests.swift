import HealthModel
import HealthStatistics
import HealthStore
import XCTest

@testable import SQLiteStore

/// A record that its source saves again with a higher sync version replaces the earlier one, in both stores.
final class RecordVersionTests: CorrelationStoreTestCase {
    private func sync(_ identifier: String, _ version: Double) throws -> Metadata {
        var metadata = Metadata()
        try metadata.setSync(identifier: identifier, version: version)
        return metadata
    }

    private func version(
        _ version: Double, id: Int, at seconds: Int = 0, identifier: String = "a",
        person: String? = "ada", source: String = "app", sourceVersion: String = "1"
    ) throws -> Record {
        .sample(
            try heartRate(
                id, at: seconds, person: person,
                source: SourceRevision(name: source, version: sourceVersion),
                metadata: sync(identifier, version)))
    }

    private func id(_ number: Int, _ low: UInt64 = 1) -> RecordID {
        RecordID(high: UInt64(number), low: low)
    }

    private func storedIDs(_ store: any HealthStore) async throws -> Set<RecordID> {
        Set(try await store.records(matching: .all).map(\.id))
    }

    // MARK: Samples

    func testAHigherVersion_replaces_andChangesTellIt() async throws {
        for store in try stores() {
            var results = try await store.save([try version(1, id: 1), try version(1.5, id: 2)])
            XCTAssertEqual(results, [.stored, .stored])
            let anchor = try await store.currentAnchor()
            // A lower one, an equal one, one that is there, and a higher one of a later app.
            results = try await store.save([
                version(1, id: 3), version(1.5, id: 4), version(1.5, id: 2),
                version(2, id: 5, at: 60, sourceVersion: "2"),
            ])
            XCTAssertEqual(results, [.olderVersion, .olderVersion, .alreadyStored, .stored])
            let found = try await store.samples(.heartRate)
            XCTAssertEqual(found.map(\.id), [id(5)])
            let changes = try await store.changes(since: anchor)
            XCTAssertEqual(changes.added.map(\.id), [id(5)])
            XCTAssertEqual(changes.removed, [id(2)])
            // The earlier one is delivered once more.
            results = try await store.save([try version(1.5, id: 2)])
            XCTAssertEqual(results, [.olderVersion])
        }
    }

    func testAnotherIdentifierTypePersonOrSource_isAnotherRecord() async throws {
        for store in try stores() {
            let steps = try QuantitySample(
                id: id(9, 2), type: .stepCount, start: instant(0), end: instant(9),
                quantity: Quantity(4, .count), person: "ada",
                source: SourceRevision(name: "app", version: "1"), metadata: sync("a", 9))
            let results = try await store.save([
                version(1, id: 1), version(2, id: 2, identifier: "b"),
                version(2, id: 3, person: "eve"), version(2, id: 4, person: nil),
                version(2, id: 5, source: "other"), .sample(steps),
            ])
            XCTAssertEqual(results, Array(repeating: .stored, count: 6))
            let count = try await storedIDs(store).count
            XCTAssertEqual(count, 6)
        }
    }

    func testADeletedRecord_isReplacedByNone_andAHigherVersionIsStored() async throws {
        for store in try stores() {
            _ = try await store.save([try version(1, id: 1)])
            _ = try await store.delete([id(1)])
            let results = try await store.save([
                version(1, id: 1), version(2, id: 2), version(1, id: 3),
            ])
            XCTAssertEqual(results, [.deletedBefore, .stored, .olderVersion])
        }
    }

    func testAVersion_withTheIDOfAnotherRecord_replacesNothing() async throws {
        for store in try stores() {
            _ = try await store.save([try version(1, id: 1)] + heartRates(7..<8))
            let results = try await store.save([try version(2, id: 7)])
            XCTAssertEqual(results, [.alreadyStored])
            let ids = try await storedIDs(store)
            XCTAssertEqual(ids, [id(1), id(7)])
        }
    }

    func testCategorySamples() async throws {
        for store in try stores() {
            let results = try await store.save([
                .category(try sleep(1, from: 0, to: 60, metadata: sync("night", 1))),
                .category(try sleep(2, from: 0, to: 90, metadata: sync("night", 2))),
                .category(try sleep(3, from: 0, to: 80, metadata: sync("night", 2))),
            ])
            XCTAssertEqual(results, [.stored, .stored, .olderVersion])
            let ids = try await storedIDs(store)
            XCTAssertEqual(ids, [id(2, 5)])
        }
    }

    // MARK: Correlations

    private func member(_ number: Int, _ version: Double) throws -> QuantitySample {
        try QuantitySample(
            id: id(number, 6), type: .dietaryEnergyConsumed, start: instant(5), end: instant(6),
            quantity: Quantity(Double(number), .kilocalorie), metadata: sync("energy", version))
    }

    private func food(
        _ number: Int, _ member: QuantitySample, _ metadata: Metadata = Metadata()
    ) throws -> Record {
        let other = try QuantitySample(
            id: id(number, 8), type: .bodyMass, start: instant(5), end: instant(5),
            quantity: Quantity(61, .kilogram))
        return .correlation(
            try Correlation(
                id: id(number, 7), type: .food, start: instant(5), end: instant(5),
                samples: [.quantity(member), .quantity(other)], metadata: metadata))
    }

    private func members(
        _ store: any HealthStore, _ number: Int
    ) async throws -> [RecordID]? {
        let found = try await store.records(matching: .ids([id(number, 7)])).first
        guard case .correlation(let correlation)? = found else { return nil }
        return correlation.samples.map(\.id)
    }

    func testAHigherVersionOfACorrelation_takesItsMembersWithIt() async throws {
        for store in try stores() {
            _ = try await store.save([food(1, member(1, 1), sync("meal", 1))])
            let anchor = try await store.currentAnchor()
            let results = try await store.save([
                food(2, member(2, 2), sync("meal", 2)), food(3, member(3, 3), sync("meal", 2)),
            ])
            XCTAssertEqual(results, [.stored, .olderVersion])
            let ids = try await storedIDs(store)
            XCTAssertEqual(ids, [id(2, 6), id(2, 7), id(2, 8)])
            let removed = try await store.changes(since: anchor).removed
            XCTAssertEqual(Set(removed), [id(1, 6), id(1, 7), id(1, 8)])
        }
    }

    func testAHigherVersionOfAMember_takesItsPlace_andTheCorrelationIsGivenAgain() async throws {
        for store in try stores() {
            _ = try await store.save([food(1, member(1, 1)), food(2, member(1, 1))])
            let anchor = try await store.currentAnchor()
            _ = try await store.save([.sample(try member(9, 2))])
            for number in [1, 2] {
                let members = try await members(store, number)
                XCTAssertEqual(members.map(Set.init), [id(9, 6), id(number, 8)])
            }
            let changes = try await store.changes(since: anchor)
            XCTAssertEqual(Set(changes.added.map(\.id)), [id(9, 6), id(1, 7), id(2, 7)])
            XCTAssertEqual(changes.removed, [id(1, 6)])
        }
    }

    func testANewCorrelation_withAnEarlierVersionOfAMember_hasTheLaterOne() async throws {
        for store in try stores() {
            _ = try await store.save([.sample(try member(9, 2))])
            let results = try await store.save([try food(1, member(1, 1))])
            XCTAssertEqual(results, [.stored])
            let members = try await members(store, 1)
            XCTAssertEqual(members.map(Set.init), [id(9, 6), id(1, 8)])
        }
    }

    /// A correlation that could not have the later version, because another member has its id, goes with
    /// the earlier one.
    func testAMemberWithoutAPlace_takesTheCorrelationWithIt() async throws {
        for store in try stores() {
            _ = try await store.save([try food(1, member(1, 1))])
            let anchor = try await store.currentAnchor()
            let taken = try QuantitySample(
                id: id(1, 7), type: .dietaryEnergyConsumed, start: instant(5), end: instant(6),
                quantity: Quantity(3, .kilocalorie), metadata: sync("energy", 2))
            let results = try await store.save([.sample(taken)])
            XCTAssertEqual(results, [.stored])
            let samples = try await store.samples(.dietaryEnergyConsumed)
            XCTAssertEqual(samples, [taken])
            let found = try await members(store, 1)
            XCTAssertNil(found)
            let changes = try await store.changes(since: anchor)
            XCTAssertEqual(changes.added, [.sample(taken)])
            let conflict = try await store.save([try food(1, member(4, 1))])
            XCTAssertEqual(conflict, [.memberConflict])
        }
    }

    // MARK: The file

    /// Groups of samples, which are inserted together, with a version among them.
    func testBatch_countsWhatBecameOfEach() async throws {
        let store = try SQLiteStore(path: path)
        let batch = try heartRates(100..<120) + [version(1, id: 1)] + heartRates(120..<140)
        var outcome = try await store.save(batch)
        XCTAssertEqual(outcome, SaveOutcome(stored: 41))
        outcome = try await store.save(
            [try version(1, id: 2)] + heartRates(130..<150) + [version(2, id: 3)])
        XCTAssertEqual(outcome, SaveOutcome(stored: 11, alreadyStored: 10, olderVersions: 1))
        let findings = try StoreCheck(path: path).references()
        XCTAssertEqual(findings, [])
    }

    func testReplacedRecords_areForwardedAsDeletions() async throws {
        let now = instant(77)
        let store = try SQLiteStore(path: path) { now }
        _ = try await store.save([
            version(1, id: 1), food(2, member(2, 1), sync("meal", 1)),
        ])
        let anchor = try await store.newestAnchor()
        _ = try await store.save([
            version(2, id: 3), food(4, member(4, 2), sync("meal", 2)),
        ])
        let page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertFalse(page.hasMore)
        XCTAssertEqual(Set(page.deletions.map(\.at)), [now])
        XCTAssertEqual(Set(page.deletions.map(\.store)), [anchor.store])
        var types: [RecordID: String?] = [:]
        for deleted in page.deletions { types[deleted.id] = deleted.typeName }
        XCTAssertEqual(
            types,
            [
                id(1): "heartRate", id(2, 6): "dietaryEnergyConsumed", id(2, 7): "food",
                id(2, 8): "bodyMass",
            ])
        // A gateway that does not know where it was.
        _ = try await store.delete(.records([id(3)], kinds: [.sample]), at: now)
        let all = try await store.deletions(since: nil, limit: 10)
        XCTAssertEqual(Set(all.deletions), Set(page.deletions))
        XCTAssertFalse(all.hasMore)
    }

    /// A source that sends an earlier version brings it to other sinks too.
    func testAnOlderVersionOfABatch_isForwardedAsADeletion() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            version(2, id: 1), food(2, member(2, 2), sync("meal", 2)),
        ])
        let anchor = try await store.newestAnchor()
        let older = try [version(1, id: 3), food(4, member(4, 1), sync("meal", 1))]
        _ = try await store.save(older, of: ImportedFile(path: "/export.xml"))
        var page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertEqual(page.deletions, [])
        _ = try await store.save(older)
        page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertEqual(
            Set(page.deletions.map(\.id)), [id(3), id(4, 6), id(4, 7), id(4, 8)])
        let findings = try StoreCheck(path: path).references()
        XCTAssertEqual(findings, [])
    }

    func testAFailedBatch_keepsTheEarlierVersion() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([version(1, id: 1), food(2, member(2, 1), sync("meal", 1))])
        try execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON sample WHEN new.start_ns = 99000000000
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let later = try [
            version(2, id: 3), food(4, member(4, 2), sync("meal", 2)),
            .sample(heartRate(5, at: 99)),
        ]
        let error = await caught { _ = try await store.save(later) }
        XCTAssertNotNil(error)
        let ids = Set(try await store.changes(since: nil).added.map(\.id))
        XCTAssertEqual(ids, [id(1), id(2, 6), id(2, 7), id(2, 8)])
        try execute("DROP TRIGGER refuse")
        let outcome = try await store.save(later)
        XCTAssertEqual(outcome, SaveOutcome(stored: 3))
        let findings = try StoreCheck(path: path).references()
        XCTAssertEqual(findings, [])
    }

    func testWhatIsRemoved_leavesNoVersion() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            version(1, id: 1), version(1, id: 2, identifier: "b"),
            food(3, member(3, 1), sync("meal", 1)),
        ])
        XCTAssertEqual(try integer("SELECT count(*) FROM version"), 4)
        _ = try await store.delete(.records([id(1)], kinds: [.sample]), at: instant(9))
        XCTAssertEqual(try integer("SELECT count(*) FROM version"), 3)
        try await removeAll(beyond: Retention.Bounds(start: instant(100)), from: store)
        XCTAssertEqual(try integer("SELECT count(*) FROM version"), 0)
    }
}
