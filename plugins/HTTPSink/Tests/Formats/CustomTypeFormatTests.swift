import Foundation
import HealthModel
import XCTest

@testable import HTTPSink

/// Samples of types that are not in the standard table.
final class CustomTypeFormatTests: XCTestCase {
    private func type(
        loinc: String? = nil, ucum: String? = nil, _ unit: HealthModel.Unit = .degreeCelsius
    ) throws -> QuantityType {
        try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic, unit: unit,
            loinc: loinc,
            ucum: ucum)
    }

    private func record(_ type: QuantityType) throws -> Record {
        .sample(
            try QuantitySample(
                id: Examples.id(1), type: type, start: Examples.start, end: Examples.start,
                quantity: Quantity(33.2, type.canonicalUnit)))
    }

    private func resource(_ type: QuantityType, declared: Bool = true) throws -> NSDictionary {
        let body = RequestFormat.fhir.body(
            of: Examples.lines([try record(type)]),
            types: declared ? try QuantityTypes(custom: [type]) : .standard)
        XCTAssertEqual(body.invalid, [])
        XCTAssertEqual(body.unsupported, [])
        return try XCTUnwrap(body.resources().first)
    }

    private func codes(_ resource: NSDictionary) throws -> [String] {
        let code = try XCTUnwrap(resource["code"] as? NSDictionary)
        return try XCTUnwrap(code["coding"] as? [[String: String]]).compactMap { $0["code"] }
    }

    private func value(_ resource: NSDictionary) throws -> NSDictionary {
        try XCTUnwrap(resource["valueQuantity"] as? NSDictionary)
    }

    func testFHIR_withoutLOINC_hasOurCodeAndTheUnitOfUCUM() throws {
        let resource = try resource(type())
        XCTAssertEqual(try codes(resource), ["skinTemperature"])
        XCTAssertEqual(try value(resource)["value"] as? Double, 33.2)
        XCTAssertEqual(try value(resource)["code"] as? String, "Cel")
        XCTAssertNil(resource["category"])
    }

    func testFHIR_withLOINC_hasThatToo() throws {
        let resource = try resource(type(loinc: "39106-0", ucum: "Cel"))
        XCTAssertEqual(try codes(resource), ["39106-0", "skinTemperature"])
    }

    func testFHIR_whenTheUCUMUnitIsOfSomethingElse_keepsTheValueInOurUnit() throws {
        for code in ["m", "no-unit"] {
            let value = try value(resource(type(ucum: code)))
            XCTAssertEqual(value["value"] as? Double, 33.2, code)
            XCTAssertEqual(value["unit"] as? String, "degC", code)
            XCTAssertNil(value["code"], code)
        }
    }

    func testFHIR_ofATypeThatIsNotDeclaredAnyMore_isWrittenAllTheSame() throws {
        let resource = try resource(type(loinc: "39106-0"), declared: false)
        XCTAssertEqual(try codes(resource), ["skinTemperature"])
        XCTAssertEqual(try value(resource)["value"] as? Double, 33.2)
    }

    func testOtherFormats_haveTheSampleWhetherItsTypeIsDeclaredOrNot() throws {
        let lines = Examples.lines([try record(type())])
        for types in [.standard, try QuantityTypes(custom: [type()])] {
            for format in [RequestFormat.json, .ndjson, .influx] {
                let body = format.body(of: lines, types: types)
                XCTAssertEqual(body.count, 1, format.rawValue)
                XCTAssertTrue(body.text.contains("skinTemperature"), format.rawValue)
                XCTAssertTrue(body.text.contains("33.2"), format.rawValue)
            }
        }
    }

    func testFHIR_whenASampleThatFitsFollowsOneThatDoesNot_isWrittenAsItIsDeclared() throws {
        // The configuration has changed the type's unit meanwhile.
        let (old, new) = (try type(.kilogram), try type(loinc: "39106-0", .degreeCelsius))
        let later = try QuantitySample(
            id: Examples.id(2), type: new, start: Examples.start, end: Examples.start,
            quantity: Quantity(33.2, .degreeCelsius))
        let body = RequestFormat.fhir.body(
            of: Examples.lines([try record(old), .sample(later)]),
            types: try QuantityTypes(custom: [new]))
        XCTAssertEqual(body.unsupported, [])
        let resource = try XCTUnwrap(body.resources().last)
        XCTAssertEqual(try codes(resource), ["39106-0", "skinTemperature"])
        XCTAssertEqual(try value(resource)["code"] as? String, "Cel")
    }
}
