import GatewayTesting
import HealthModel
import HealthStore
import XCTest

@testable import SQLiteStore

/// Deletions that other stores are told, and that come from others.
final class ForeignDeletionTests: CorrelationStoreTestCase {
    private let now = Instant(nanosecondsSince1970: 5_000_000_000_000)

    private func store(_ name: String = "store") throws -> SQLiteStore {
        try SQLiteStore(path: folder + "/\(name).sqlite")
    }

    private func id(_ high: Int) -> RecordID { RecordID(high: UInt64(high), low: 1) }

    private func stored(_ store: SQLiteStore) async throws -> [UInt64] {
        try await store.samples(matching: SampleQuery(type: .heartRate)).map(\.id.high)
    }

    // MARK: What a store tells

    func testDeletions_areThoseSinceAnAnchor_withTheirTypes() async throws {
        let store = try store()
        let pressure = try pressure(20, at: 9)
        _ = try await store.save(
            [.correlation(pressure), .workout(try workout(30, at: 1))] + heartRates(0..<5))
        _ = try await store.delete(.records([id(0)], kinds: [.sample]), at: now)
        let anchor = try await store.newestAnchor()
        let nothing = try await store.deletions(since: anchor, limit: 10)
        XCTAssertEqual(nothing, DeletionPage(deletions: [], anchor: anchor, hasMore: false))
        let later = now.adding(nanoseconds: 1)
        _ = try await store.delete(
            .records(
                [id(1), pressure.id, RecordID(high: 30, low: 1)], kinds: Set(RecordKind.allCases)),
            at: later)
        _ = try await store.save(heartRates(7..<8))
        let page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertFalse(page.hasMore)
        XCTAssertEqual(Set(page.deletions.map(\.at)), [later])
        XCTAssertEqual(Set(page.deletions.map(\.store)), [anchor.store])
        var types: [RecordID: String?] = [:]
        for deleted in page.deletions { types[deleted.id] = deleted.typeName }
        XCTAssertEqual(page.deletions.count, 5)
        XCTAssertEqual(types[id(1)], "heartRate")
        XCTAssertEqual(types[pressure.id], "bloodPressure")
        XCTAssertEqual(types[pressure.samples[0].id], pressure.samples[0].typeName)
        XCTAssertEqual(types[RecordID(high: 30, low: 1)], "workout")
        let newest = try await store.newestAnchor()
        XCTAssertEqual(page.anchor, newest)
    }

    func testDeletions_comeInPages_eachOnce() async throws {
        let store = try store()
        _ = try await store.save(heartRates(0..<1_700))
        let anchor = try await store.newestAnchor()
        let ids = (0..<1_700).map { id($0) }
        _ = try await store.delete(.records(ids, kinds: [.sample]), at: now)
        var page = try await store.deletions(since: anchor, limit: 600)
        var found = page.deletions.map(\.id)
        var calls = 1
        while page.hasMore {
            page = try await store.deletions(since: page.anchor, limit: 600)
            found += page.deletions.map(\.id)
            calls += 1
        }
        XCTAssertEqual(found.sorted(), ids)
        // The last page is empty.
        XCTAssertEqual(calls, 3)
        var all: [RecordID] = []
        while case let next = try await store.deletions(after: all.last, limit: 999), !next.isEmpty
        {
            all += next.map(\.id)
        }
        XCTAssertEqual(all, ids)
    }

    func testDeletions_areWithoutWhatCameBack_becameOld_orWasReplaced() async throws {
        let store = try store()
        let anchor = try await store.newestAnchor()
        _ = try await store.save(heartRates(0..<6))
        _ = try await store.delete(.records([id(4), id(5)], kinds: [.sample]), at: now)
        _ = try await store.save(heartRates(5..<6), restoring: true)
        try await removeAll(beyond: Retention.Bounds(start: instant(2)), from: store)
        let page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertEqual(page.deletions.map(\.id), [id(4)])
        let all = try await store.deletions(after: nil, limit: 10)
        XCTAssertEqual(all, page.deletions)
    }

    /// The repository may have the first version of a workout that was recovered since.
    func testDeletions_ofAWorkout_nameItsFirstVersionToo() async throws {
        let store = try store()
        let first = try workout(1, at: 0)
        var metadata = Metadata()
        try metadata.setSync(identifier: first.id.description, version: 2)
        let second = try Workout(
            id: RecordID(high: 2, low: 1), activity: first.activity, start: first.start,
            end: first.end, metadata: metadata)
        _ = try await store.save([.workout(first)])
        _ = try await store.save([.workout(second)])
        let anchor = try await store.newestAnchor()
        _ = try await store.delete(.records([second.id], kinds: [.workout]), at: now)
        let page = try await store.deletions(since: anchor, limit: 10)
        XCTAssertEqual(Set(page.deletions.map(\.id)), [first.id, second.id])
        XCTAssertEqual(Set(page.deletions.map(\.typeName)), ["workout"])
    }

    // MARK: What a store is told

    func testForeignDeletion_deletesTheRecord_andARedeliveryChangesNothing() async throws {
        let store = try store()
        let pressure = try pressure(20, at: 9)
        let foreign = [id(1), id(9), pressure.id].map {
            Record.deletion(DeletedRecord(id: $0, typeName: nil, at: now, store: 7))
        }
        let outcome = try await store.save(
            heartRates(0..<3) + [.correlation(pressure)] + foreign + heartRates(3..<4))
        XCTAssertEqual(outcome, SaveOutcome(stored: 5))
        let left = try await stored(store)
        XCTAssertEqual(left, [0, 2, 3])
        let pressures = try await store.samples(
            matching: SampleQuery(type: .bloodPressureSystolic))
        XCTAssertEqual(pressures, [])
        let again = try await store.save(heartRates(0..<4) + foreign)
        // Stored again, and deleted again.
        XCTAssertEqual(again, SaveOutcome(stored: 1, alreadyStored: 3))
        let same = try await stored(store)
        XCTAssertEqual(same, left)
    }

    /// A source that repeats what was deleted has brought it to the other sinks again.
    func testRefusedRecord_isToldAsDeletedAgain() async throws {
        let store = try store()
        _ = try await store.save(heartRates(0..<3))
        _ = try await store.delete(.records([id(1)], kinds: [.sample]), at: now)
        for save in [
            { _ = try await store.save(self.heartRates(0..<3)) },
            { _ = try await store.saveEach(self.heartRates(1..<2)) },
        ] as [() async throws -> Void] {
            let anchor = try await store.newestAnchor()
            try await save()
            let page = try await store.deletions(since: anchor, limit: 10)
            XCTAssertEqual(page.deletions.map(\.id), [id(1)])
            XCTAssertEqual(page.deletions.map(\.at), [now])
        }
    }

    /// When the other store has the record again, by an import, it follows its deletion.
    func testForeignDeletion_doesNotKeepTheRecordAway() async throws {
        let mirror = try store()
        let deletion = Record.deletion(
            DeletedRecord(id: id(1), typeName: "heartRate", at: now, store: 7))
        _ = try await mirror.save(heartRates(0..<2) + [deletion])
        _ = try await mirror.save(heartRates(1..<2))
        let found = try await stored(mirror)
        XCTAssertEqual(found, [0, 1])
    }

    /// The journal may deliver a deletion when its record was imported again.
    func testOwnDeletion_leavesARecordThatCameBack() async throws {
        let store = try store()
        _ = try await store.save(heartRates(0..<3))
        let anchor = try await store.newestAnchor()
        _ = try await store.delete(.records([id(1)], kinds: [.sample]), at: now)
        let deletions = try await store.deletions(since: anchor, limit: 10).deletions
        _ = try await store.save(heartRates(1..<2), restoring: true)
        _ = try await store.save(deletions.map { .deletion($0) })
        let own = try await stored(store)
        XCTAssertEqual(own, [0, 1, 2])
        let mirror = try self.store("mirror")
        _ = try await mirror.save(heartRates(0..<3) + deletions.map { .deletion($0) })
        let others = try await stored(mirror)
        XCTAssertEqual(others, [0, 2])
    }

    private func workout(_ high: UInt64, at second: Int) throws -> Workout {
        try Workout(
            id: RecordID(high: high, low: 1), activity: WorkoutActivity(.running),
            start: instant(second), end: instant(second + 60))
    }
}
