import HealthModel
import XCTest

/// Tests for custom types.
final class QuantityTypesTests: XCTestCase {
    private func skin(_ name: String = "skinTemperature") throws -> QuantityType {
        try QuantityType(
            custom: name, aggregationStyle: .discreteArithmetic, unit: .degreeCelsius,
            display: Unit(parsing: "degF"), plausible: 10...50)
    }

    private func assertRefused(
        _ expected: QuantityTypeError, line: UInt = #line, _ make: () throws -> Void
    ) {
        XCTAssertThrowsError(try make(), line: line) {
            XCTAssertEqual($0 as? QuantityTypeError, expected, line: line)
        }
    }

    func testCustomType_isKnownInAdditionToStandardTypes() throws {
        let types = try QuantityTypes(custom: [skin()])
        let type = try XCTUnwrap(types.named("skinTemperature"))
        XCTAssertEqual(type.aggregationStyle, .discreteArithmetic)
        XCTAssertEqual(type.canonicalUnit, .degreeCelsius)
        XCTAssertEqual(type.displayUnit.string, "degF")
        XCTAssertEqual(type.plausibleRange, 10...50)
        XCTAssertNil(type.healthKitIdentifier)
        XCTAssertTrue(type.isDeclared)
        XCTAssertEqual(types.named("heartRate"), .heartRate)
        XCTAssertEqual(types.named("HKQuantityTypeIdentifierHeartRate"), .heartRate)
        XCTAssertEqual(types.all, QuantityType.all + [type])
        XCTAssertNil(QuantityTypes.standard.named("skinTemperature"))
    }

    func testAdding_whenTheNameIsTaken_isRefused() throws {
        let types = try QuantityTypes(custom: [skin()])
        for name in ["skinTemperature", "heartRate"] {
            assertRefused(.nameTaken(name)) { _ = try types.adding([try skin(name)]) }
        }
        assertRefused(.nameTaken("skin")) { _ = try types.adding([skin("skin"), skin("skin")]) }
    }

    func testAdding_moreThanTheLimit_isRefused() throws {
        let many = try (0...QuantityTypes.customLimit).map { try skin("type\($0)") }
        XCTAssertNoThrow(try QuantityTypes(custom: Array(many.dropLast())))
        assertRefused(.tooMany) { _ = try QuantityTypes(custom: many) }
    }

    func testInit_whenTheNameIsNotValid_isRefused() throws {
        let names = [
            "", "Skin", "1skin", "skin-temperature", "skin temperature", "häut", "skin\"", "skın",
            "HKQuantityTypeIdentifierHeartRate", String(repeating: "a", count: 65), "a\u{301}b",
        ]
        for name in names { assertRefused(.name) { _ = try skin(name) } }
        XCTAssertNoThrow(try skin(String(repeating: "a", count: 64)))
        XCTAssertNoThrow(try skin("a1B"))
    }

    func testInit_whenANumberOrUnitIsWrong_isRefused() throws {
        func make(
            _ style: QuantityType.AggregationStyle = .discreteArithmetic,
            display: HealthModel.Unit? = nil,
            plausible: ClosedRange<Double>? = nil, rate: Double? = nil, loinc: String? = nil,
            ucum: String? = nil
        ) throws {
            _ = try QuantityType(
                custom: "a", aggregationStyle: style, unit: .meter, display: display,
                plausible: plausible,
                maximumRate: rate, loinc: loinc, ucum: ucum)
        }
        assertRefused(.displayUnit(display: "degC", canonical: "m")) {
            try make(display: .degreeCelsius)
        }
        assertRefused(.plausibleRange) { try make(plausible: 0...Double.infinity) }
        assertRefused(.plausibleRange) { try make(plausible: -Double.infinity...0) }
        for rate in [0, -1, Double.nan, .infinity] {
            assertRefused(.maximumRate) { try make(.cumulative, rate: rate) }
        }
        assertRefused(.maximumRate) { try make(rate: 1) }
        XCTAssertNoThrow(try make(.cumulative, rate: 1))
        for code in ["", "a b", "a\u{0}", "é", String(repeating: "1", count: 65)] {
            assertRefused(.code(key: "loinc")) { try make(loinc: code) }
            assertRefused(.code(key: "ucum")) { try make(ucum: code) }
        }
    }

    func testEquality_detectsAChangedDefinitionOfEqualTypes() throws {
        let other = try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic, unit: .degreeCelsius)
        XCTAssertEqual(try skin(), other)
        XCTAssertEqual(try QuantityTypes(custom: [skin()]), try QuantityTypes(custom: [skin()]))
        XCTAssertNotEqual(try QuantityTypes(custom: [skin()]), try QuantityTypes(custom: [other]))
        XCTAssertNotEqual(try QuantityTypes(custom: [skin()]), .standard)
    }
}
