import Foundation
import XCTest

@testable import HealthStore

final class StoreAnchorTests: XCTestCase {
    func testText_isReadBack() throws {
        let anchors = [
            StoreAnchor(store: 0, number: 0),
            StoreAnchor(store: .max, number: .max, checksum: .max),
            StoreAnchor(store: 7, number: 3, place: .init(kind: nil, row: -5)),
        ]
        let places = RecordKind.allCases.map {
            StoreAnchor(store: 255, number: 1, place: .init(kind: $0, row: .min))
        }
        for anchor in anchors + places {
            XCTAssertEqual(StoreAnchor(anchor.description), anchor, anchor.description)
            let coded = try JSONEncoder().encode([anchor])
            XCTAssertEqual(try JSONDecoder().decode([StoreAnchor].self, from: coded), [anchor])
        }
        XCTAssertEqual(places[0].description, "ff.1.0.1.-9223372036854775808")
    }

    func testOtherText_isNoAnchor() {
        for text in [
            "", ".", "1", "1.", "1.2", "g.1.0", "1.-1.0", "1.2.0.3", "1.2.0.9.1", "1.2.0.0.x",
            "1.2.0.0.1.1", "10000000000000000.1.0", " 1.2.0", "1.9223372036854775808.0",
            "1.2.100000000",
        ] {
            XCTAssertNil(StoreAnchor(text), text)
        }
        XCTAssertThrowsError(
            try JSONDecoder().decode([StoreAnchor].self, from: Data(#"["x"]"#.utf8)))
    }
}
