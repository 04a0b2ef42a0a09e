import HealthModel
import XCTest

@testable import SQLiteStore

final class SearchWordsTests: WorkoutStoreTestCase {
    private let fields = Device(
        name: "Zo\u{eb}'s strap", manufacturer: "Polar Electro Oy", model: "H10",
        localIdentifier: "D0:11:22:33:44:55"
    ).searchFields

    func testWords_matchWhenEachIsInAField() {
        let cases: [(String, [String]?)] = [
            ("polar", ["manufacturer"]), ("h10 ZOE", ["name", "model"]),
            ("strap electro 22:33", ["name", "manufacturer", "identifier"]),
            ("polar h7", nil), ("", []), (" \t\n", []), ("d0", ["identifier"]),
        ]
        for (text, names) in cases {
            XCTAssertEqual(SearchWords(text).matches(in: fields)?.map(\.name), names, text)
        }
        XCTAssertTrue(SearchWords(" \t").isEmpty)
        XCTAssertFalse(SearchWords("a").isEmpty)
    }

    func testFieldWithoutText_isNone() {
        XCTAssertNil(SearchField("name", nil))
        XCTAssertNil(SearchField("name", ""))
    }

    func testWorkout_isFoundByActivityDeviceMetadataLabelsAndTheBeginningOfItsID() throws {
        let marker = try WorkoutEvent(
            .marker, from: instant(5), to: instant(5),
            metadata: Metadata(["label": .string("Caf\u{e9} stop")]))
        let workout = try Workout(
            id: RecordID(high: 0x0199_aada_0000_0000, low: 1), activity: WorkoutActivity(.rowing),
            location: .indoor, start: instant(0), end: instant(60), events: [marker],
            person: "bob", device: strap, source: SourceRevision(name: "import"),
            metadata: Metadata(["HKWorkoutBrandName": .string("Boat house")]))
        let cases: [(String, [String]?)] = [
            ("rowing indoor", ["activity", "location"]), ("strap bob", ["person", "device"]),
            ("CAFE house", ["HKWorkoutBrandName", "label"]), ("import", ["source"]),
            ("0199aada-", ["id"]), ("0199AADA", ["id"]),
            ("0199aad", nil), ("aada", nil), ("HKWorkoutBrandName", nil),
        ]
        for (text, names) in cases {
            let found = SearchWords(text).matches(in: workout.searchFields)?.map(\.name)
            XCTAssertEqual(found, names, text)
        }
    }
}
