import Foundation
import GatewayTesting
import HealthModel
import HealthStore
import SQLite
import XCTest

@testable import SQLiteStore

/// What was stored and removed since an anchor.
final class StoreChangesTests: CorrelationStoreTestCase {
    private let now = Instant(nanosecondsSince1970: 5_000_000_000_000)

    /// In ascending order: samples of one commit come in any.
    private func ids(_ changes: StoreChanges) -> [UInt64] { changes.added.map(\.id.high).sorted() }

    func testChanges_areWhatEachBatchStored_alsoLateData() async throws {
        let store = try SQLiteStore(path: path)
        let beginning = try await store.newestAnchor()
        _ = try await store.save(heartRates(100..<103))
        let first = try await store.changes(since: beginning)
        XCTAssertEqual(ids(first), [100, 101, 102])
        XCTAssertFalse(first.hasMore)
        // Between, before and after what is stored, with one that is delivered again.
        _ = try await store.save(
            [heartRate(50, at: 101), heartRate(101), heartRate(103)].map { .sample($0) })
        let second = try await store.changes(since: first.anchor)
        XCTAssertEqual(Set(ids(second)), [50, 103])
        XCTAssertEqual(second.removed, [])
        let third = try await store.changes(since: second.anchor)
        XCTAssertEqual(
            third,
            StoreChanges(added: [], removed: [], anchor: second.anchor, hasMore: false))
        let both = try await store.changes(since: beginning)
        XCTAssertEqual(Set(ids(both)), [50, 100, 101, 102, 103])
        XCTAssertEqual(both.added.count, 5)
    }

    /// The anchors that a reader gets lead to each record that it may see, whatever is between them.
    func testFilter_givesEachRecord_fromTheAnchorsThatAreShown() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<40))
        let filter = ChangeFilter(
            record: { $0.id.high % 10 == 3 }, deletion: { $0.id.high % 10 == 3 })
        for limit in [1, 2, 3, 100] {
            var (anchor, seen) = (StoreAnchor?.none, [UInt64]())
            for stored in [0..<40, 40..<41, 41..<90] {
                _ = try await store.save(heartRates(stored.lowerBound..<stored.upperBound))
                while true {
                    let page = try await store.changes(
                        since: anchor, limit: limit, types: .standard, filter: filter)
                    XCTAssertLessThanOrEqual(page.changes.added.count, limit)
                    if page.changes.added.isEmpty, let anchor { XCTAssertEqual(page.shown, anchor) }
                    seen += page.changes.added.map(\.id.high)
                    anchor = page.shown
                    if page.changes.added.isEmpty { break }
                }
            }
            // One that is stored while all are read comes again as a change.
            XCTAssertEqual(Set(seen), [3, 13, 23, 33, 43, 53, 63, 73, 83], "\(limit)")
        }
        let deleted = [3, 4].map { RecordID(high: $0, low: 1) }
        let anchor = try await store.newestAnchor()
        _ = try await store.delete(.records(deleted, kinds: [.sample]), at: now)
        let page = try await store.changes(
            since: anchor, limit: 10, types: .standard, filter: filter)
        XCTAssertEqual(page.changes.removed, [deleted[0]])
    }

    func testBatchOfWhatIsStored_isNoChange() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<40))
        let anchor = try await store.newestAnchor()
        _ = try await store.save(heartRates(0..<40))
        _ = try await store.save([])
        let after = try await store.newestAnchor()
        XCTAssertEqual(after, anchor)
    }

    func testEveryKind_isGiven_withTheMembersOfCorrelations() async throws {
        let store = try SQLiteStore(path: path)
        let beginning = try await store.newestAnchor()
        let device = Device(name: "strap")
        let workout = try Workout(
            id: RecordID(high: 90, low: 1), activity: WorkoutActivity(.running), start: instant(0),
            end: instant(60), person: "ada")
        let records: [Record] = [
            .event(
                DeviceEvent(
                    id: RecordID(high: 70, low: 1), at: instant(3), device: device,
                    state: DeviceState(battery: 0.5))),
            .workout(workout), .correlation(try pressure(20, at: 9)),
            .correlation(try meal(21, at: 30)), .category(try sleep(22, from: 1, to: 8)),
        ]
        _ = try await store.save(records)
        for anchor in [beginning, nil] {
            let changes = try await store.changes(since: anchor)
            XCTAssertEqual(Set(changes.added).intersection(records).count, 5)
            // The two pressures, the energy and the mindful moment.
            XCTAssertEqual(changes.added.count, 9)
            XCTAssertEqual(
                Set(changes.added.map { RecordKind($0) }), Set(RecordKind.allCases))
        }
    }

    func testDeletedRecords_areGivenByID_withTheirMembers() async throws {
        let store = try SQLiteStore(path: path)
        let pressure = try pressure(20, at: 9)
        _ = try await store.save([.correlation(pressure)] + heartRates(0..<3))
        let anchor = try await store.newestAnchor()
        _ = try await store.delete(
            .records([pressure.samples[0].id, RecordID(high: 1, low: 1)], kinds: [.sample]), at: now
        )
        let changes = try await store.changes(since: anchor)
        XCTAssertEqual(changes.added, [])
        XCTAssertEqual(
            Set(changes.removed),
            Set([pressure.id, RecordID(high: 1, low: 1)] + pressure.samples.map(\.id)))
        // One that is stored again, by an import, is not removed.
        _ = try await store.save(heartRates(1..<2), restoring: true)
        let restored = try await store.changes(since: anchor)
        XCTAssertEqual(ids(restored), [1])
        XCTAssertEqual(restored.removed.count, 3)
    }

    func testReplacedWorkout_isRemovedAndAdded() async throws {
        let store = try SQLiteStore(path: path)
        func version(_ number: Int) throws -> Workout {
            var metadata = Metadata()
            try metadata.setSync(
                identifier: RecordID(high: 1, low: 1).description, version: Double(number))
            return try Workout(
                id: RecordID(high: UInt64(number), low: 1), activity: WorkoutActivity(.running),
                start: instant(0), end: instant(60 + number), metadata: metadata)
        }
        _ = try await store.save([.workout(try version(1))])
        let anchor = try await store.newestAnchor()
        _ = try await store.save([.workout(try version(2))])
        let changes = try await store.changes(since: anchor)
        XCTAssertEqual(changes.added, [.workout(try version(2))])
        XCTAssertEqual(changes.removed, [RecordID(high: 1, low: 1)])
    }

    func testRetention_removesInSilence() async throws {
        let store = try SQLiteStore(path: path)
        let beginning = try await store.newestAnchor()
        _ = try await store.save(heartRates(0..<10))
        try await removeAll(beyond: Retention.Bounds(start: instant(4)), from: store)
        let changes = try await store.changes(since: beginning)
        XCTAssertEqual(ids(changes), [4, 5, 6, 7, 8, 9])
        XCTAssertEqual(changes.removed, [])
    }

    // MARK: Anchors

    func testAnchor_ofAnotherStore_ofALaterState_andOfForgottenChanges_isRefused() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        let other = try SQLiteStore(path: folder + "/other.sqlite")
        let foreign = try await other.newestAnchor()
        await assertThrows(HealthStoreError.foreignAnchor) {
            try await store.changes(since: foreign)
        }
        let anchor = try await store.newestAnchor()
        let later = StoreAnchor(
            store: anchor.store, number: anchor.number + 1, checksum: anchor.checksum)
        await assertThrows(HealthStoreError.foreignAnchor) { try await store.changes(since: later) }
        for number in 3..<6 { _ = try await store.save(heartRates(number..<number + 1)) }
        try execute("DELETE FROM change WHERE number < 4")
        await assertThrows(HealthStoreError.expiredAnchor) {
            try await store.changes(since: anchor)
        }
        let all = try await store.changes(since: nil)
        XCTAssertEqual(all.added.count, 6)
    }

    func testAnchor_afterABackupWasRestored_andHasGoneOn_isRefused() async throws {
        var store: SQLiteStore? = try SQLiteStore(path: path)
        _ = try await store?.save(heartRates(0..<3))
        _ = try await store?.truncateLog()
        let backup = path + ".backup"
        try FileManager.default.copyItem(atPath: path, toPath: backup)
        _ = try await store?.save(heartRates(3..<6))
        let anchor = try await store?.newestAnchor()
        store = nil
        let restored = try SQLiteStore(path: backup)
        _ = try await restored.save(heartRates(6..<9))
        _ = try await restored.save(heartRates(9..<12))
        await assertThrows(HealthStoreError.foreignAnchor) {
            try await restored.changes(since: anchor)
        }
    }

    /// It was read in part; now there is no such change, or another one has its number.
    func testAnchorWithinAChange_thatIsNotThere_isRefused() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        let before = try await store.newestAnchor()
        _ = try await store.save(heartRates(3..<9))
        let within = try await store.changes(since: before, limit: 2).anchor
        XCTAssertNotNil(within.place)
        let rest = try await store.changes(since: within)
        XCTAssertEqual(rest.added.count, 4)
        try execute("DELETE FROM change WHERE number = 2")
        await assertThrows(HealthStoreError.foreignAnchor) {
            try await store.changes(since: within)
        }
        _ = try await store.save(heartRates(20..<29))
        await assertThrows(HealthStoreError.foreignAnchor) {
            try await store.changes(since: within)
        }
    }

    func testLog_isShortenedBeforeRecordsAreRemovedBySize() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<500))
        try execute(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 6000)
            INSERT INTO change (kind, content) SELECT -1, randomblob(1000) FROM numbers
            """)
        try await removeAll(beyond: Retention.Bounds(bytes: 2_500_000), from: store)
        XCTAssertEqual(try integer("SELECT count(*) FROM sample"), 500)
        XCTAssertLessThan(try integer("SELECT count(*) FROM change"), 2_500)
        try await removeAll(beyond: Retention.Bounds(bytes: 1), from: store)
        XCTAssertEqual(try integer("SELECT count(*) FROM sample"), 0)
        XCTAssertEqual(try integer("SELECT count(*) FROM change"), 1_024)
    }

    func testLog_keepsTheNewestChanges() async throws {
        _ = try SQLiteStore(path: path)
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        let log = try ChangeLog(connection, limit: 2_000)
        try connection.transaction {
            for row in 0..<Int64(4_096) { try log.note(stored: [row], of: .event) }
        }
        XCTAssertEqual(try integer("SELECT min(number) FROM change"), 2_097)
        XCTAssertEqual(try integer("SELECT max(number) FROM change"), 4_096)
    }

    func testDamagedChange_isRefused() async throws {
        let store = try SQLiteStore(path: path)
        let beginning = try await store.newestAnchor()
        _ = try await store.save(heartRates(0..<3))
        for (sql, column) in [
            ("UPDATE change SET kind = 9", "kind"),
            ("UPDATE change SET kind = 1, content = x'ff'", "content"),
            ("UPDATE change SET kind = -1, content = x'0102'", "content"),
        ] {
            try execute(sql)
            let expected = SQLiteStoreError.unreadable(
                table: "change", row: 1, column: column, path: path)
            await assertThrows(expected) { try await store.changes(since: beginning) }
        }
    }

    func testEarlierVersion_hasNoHistory() async throws {
        _ = try SQLiteStore(path: path)
        try execute(
            """
            DROP TABLE change; DROP TABLE identity; DROP TABLE imported; DROP TABLE deleting;
            DROP TRIGGER version_sample_removed; DROP TRIGGER version_category_removed;
            DROP TRIGGER version_correlation_removed; DROP TRIGGER version_workout_removed;
            DROP TABLE version; DROP TABLE characteristic;
            PRAGMA user_version = 7
            """)
        let reader = try SQLiteStore(readingFrom: path)
        await assertThrows(.noHistory(path: path)) { try await reader.changes(since: nil) }
        // A writer migrates the file; what it has is given without an anchor.
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<2))
        let changes = try await store.changes(since: nil)
        XCTAssertEqual(changes.added.count, 2)
    }

    // MARK: Size

    func testSamplesInOrder_needOneRun_andOthersOneEach() async throws {
        let store = try SQLiteStore(path: path)
        func sample(_ second: Int) throws -> Record {
            .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(second * 1_000) << 16, low: 1), type: .heartRate,
                    start: instant(second), end: instant(second),
                    quantity: Quantity(60, .countPerMinute)))
        }
        func newestRuns() throws -> [ClosedRange<Int64>] {
            let newest = try SQLiteConnection(path: path, access: .readOnly)
                .prepare("SELECT content FROM change ORDER BY number DESC LIMIT 1")
            XCTAssertTrue(try newest.step())
            return try XCTUnwrap(newest.withBlob(at: 0) { RowRuns($0) }).runs
        }
        _ = try await store.save((0..<500).map { try sample($0 * 2) })
        XCTAssertEqual(try newestRuns().count, 1)
        _ = try await store.save((0..<20).map { try sample($0 * 2 + 1) })
        XCTAssertEqual(try newestRuns().count, 20)
        _ = try await store.save((0..<20).map { try sample($0 + 1_000) } + [sample(45)])
        XCTAssertEqual(try newestRuns().count, 2)
    }

    func testSamplesOfOneHome_areAllGiven_alsoWhenOneHasMoved() async throws {
        let store = try SQLiteStore(path: path)
        let rivals = try (0..<5).map { number in
            try QuantitySample(
                id: RecordID(high: 5 << 16, low: UInt64(number) << 20), type: .heartRate,
                start: instant(number), end: instant(number),
                quantity: Quantity(60, .countPerMinute))
        }
        _ = try await store.save([.sample(rivals[0])])
        let anchor = try await store.newestAnchor()
        _ = try await store.save(rivals[1...].map { .sample($0) })
        let before = try await store.changes(since: anchor, limit: 2)
        XCTAssertTrue(Set(before.added.map(\.id)).isSuperset(of: rivals[1...].map(\.id)))
        let filter = ChangeFilter(record: { _ in true }, deletion: { _ in true })
        let filtered = try await store.changes(
            since: anchor, limit: 2, types: .standard, filter: filter)
        XCTAssertEqual(filtered.changes.added, before.added)
        _ = try await store.delete(.records([rivals[0].id], kinds: [.sample]), at: now)
        let after = try await store.changes(since: anchor)
        XCTAssertEqual(Set(after.added.map(\.id)), Set(rivals[1...].map(\.id)))
        XCTAssertEqual(after.removed, [rivals[0].id])
    }
}
