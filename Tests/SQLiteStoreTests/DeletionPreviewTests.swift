import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// The preview of a deletion: it names exactly what the deletion deletes.
final class DeletionPreviewTests: CorrelationStoreTestCase {
    private let now = Instant(nanosecondsSince1970: 5_000_000_000_000)

    private func type(_ type: RecordType, person: String? = nil) -> DeletionSelection {
        .matching(DeletionSelection.Conditions(StoreQuery(type: type, person: person)))
    }

    /// Two blood pressures that share a sample, one of their own, a meal, a night and heart rates.
    private func records() throws -> [Record] {
        try heartRates(0..<5) + [
            .correlation(try pressure(1, at: 10)),
            .correlation(try pressure(10, at: 20, systolic: 50, diastolic: 51)),
            .correlation(try pressure(11, at: 20, systolic: 50, diastolic: 52)),
            .correlation(try meal(1, at: 20)), .category(try sleep(3, from: 0, to: 9)),
        ]
    }

    /// A row of a preview as text.
    private func text(_ groups: [DeletionGroup]) -> [String] {
        groups.map { "\($0.type ?? "-") \($0.person ?? "-") \($0.count)" }.sorted()
    }

    func testPreview_countsWhatIsDeleted_withItsMembersAndCorrelations() async throws {
        let diastolic = RecordID(high: 51, low: 6)
        let shared = RecordID(high: 50, low: 6)
        let cases: [([DeletionSelection], count: Int)] = [
            ([type(.quantity(.heartRate))], 5),
            ([type(.correlation(.bloodPressure))], 3 + 5),
            ([type(.quantity(.bloodPressureSystolic))], 2 + 3 + 3),
            ([type(.quantity(.bloodPressureSystolic)), type(.correlation(.bloodPressure))], 8),
            ([type(.category(.mindfulSession))], 3), ([type(.category(.sleepAnalysis))], 1),
            // The other correlation keeps the sample that both contain.
            ([.records([diastolic], kinds: [.sample])], 2),
            ([.records([shared], kinds: [.sample])], 5),
            ([.records([RecordID(high: 1, low: 7)], kinds: [.correlation])], 3),
            ([.person("ada")], 1 + 5 + 3), ([.person("bob")], 0),
            ([type(.correlation(.bloodPressure), person: "ada")], 8),
            ([type(.correlation(.bloodPressure), person: "bob")], 0),
        ]
        for (index, (selections, count)) in cases.enumerated() {
            let store = try SQLiteStore(path: "\(folder)/\(index).sqlite")
            _ = try await store.save(try records())
            let preview = try await store.preview(of: selections)
            XCTAssertEqual(preview.count, count, "case \(index)")
            let again = try await store.preview(of: selections)
            XCTAssertEqual(again, preview, "case \(index)")
            var deleted = 0
            for selection in selections {
                for part in try await store.delete(selection, at: now) { deleted += part.count }
            }
            XCTAssertEqual(deleted, count, "case \(index)")
        }
    }

    func testPreview_separatesWhatIsSelected_fromWhatIsDeletedWithIt() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(try records())
        // A read-only connection can do the same.
        let reader = try SQLiteStore(readingFrom: path)
        let preview = try await reader.preview(of: [
            type(.quantity(.bloodPressureSystolic), person: "ada")
        ])
        XCTAssertEqual(text(preview.selected), ["bloodPressureSystolic ada 2"])
        XCTAssertEqual(
            text(preview.together), ["bloodPressure ada 3", "bloodPressureDiastolic ada 3"])
        XCTAssertEqual(preview.end, instant(20))
    }

    func testUntil_leavesWhatIsStoredLater() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(try heartRates(0..<5))
        let selection = type(.quantity(.heartRate))
        let end = try await store.preview(of: [selection]).end
        _ = try await store.save(try heartRates(5..<7))
        _ = try await store.delete(selection.until(try XCTUnwrap(end)), at: now)
        let left = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(left.map(\.start), [instant(5), instant(6)])
        let id = DeletionSelection.records([RecordID(high: 1, low: 1)], kinds: [.sample])
        XCTAssertEqual(id.until(instant(3)), id)
        let earlier = DeletionSelection.matching(
            DeletionSelection.Conditions(StoreQuery(type: .quantity(.heartRate), to: instant(2))))
        XCTAssertEqual(earlier.until(instant(3)), earlier)
    }

    func testPeopleNames_areThoseOfRecords_withoutDeletedOnes() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .sample(try heartRate(1, person: "ada")), .sample(try heartRate(2, person: "bob")),
        ])
        let before = try await store.peopleNames()
        XCTAssertEqual(before, ["ada", "bob"])
        _ = try await store.delete(.person("ada"), at: now)
        let after = try await store.peopleNames()
        XCTAssertEqual(after, ["bob"])
    }

    func testForgetDeletion_letsADeliveryStoreTheRecordAgain() async throws {
        let store = try SQLiteStore(path: path)
        let records = try records()
        _ = try await store.save(records)
        let none = try await store.containsDeleted(records)
        XCTAssertFalse(none)
        _ = try await store.delete(type(.correlation(.bloodPressure)), at: now)
        let some = try await SQLiteStore(readingFrom: path).containsDeleted(records)
        XCTAssertTrue(some)
        let others = try await store.containsDeleted(Array(records.prefix(5)))
        XCTAssertFalse(others)
        try await store.forgetDeletion(of: records)
        XCTAssertEqual(try integer("SELECT count(*) FROM deletion"), 0)
        let outcome = try await store.save(records)
        XCTAssertEqual(outcome.stored, 3)
    }
}
