import XCTest

@testable import DBus

final class BusValueTests: XCTestCase {
    func testSignature_ofNestedValues() {
        let value = BusValue.structure([
            .array([.objectPath("/a")], of: "o"), .properties(["Name": .string("strap")]),
            .bytes([1]), .variant(.uint16(1)),
        ])

        XCTAssertEqual(value.signature, "(aoa{sv}ayv)")
    }

    func testEntries_unwrapsVariants() {
        let properties = BusValue.properties(["RSSI": .int16(-60), "Connected": .boolean(true)])

        XCTAssertEqual(properties.entries?["RSSI"]?.integer, -60)
        XCTAssertEqual(properties.entries?["Connected"]?.boolean, true)
    }

    func testEntries_whenKeysAreNumbers_isNil() {
        let manufacturerData = BusValue.dictionary(
            [.uint16(1): .variant(.bytes([2]))], key: "q", value: "v")

        XCTAssertNil(manufacturerData.entries)
    }
}
