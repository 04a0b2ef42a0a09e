import GatewayCore
import HealthModel
import JSON
import XCTest

@testable import WorkoutScreens

/// Quantities formatted for people.
final class QuantityFormatTests: XCTestCase {
    private func people() throws -> People {
        let text = "{ people: { ada: { units: { bodyMass: \"lb\" } }, bob: {} } }"
        let root = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        return try GatewayConfiguration(root).people
    }

    private func text(
        _ format: QuantityFormat, _ value: Double, _ unit: HealthModel.Unit,
        _ type: QuantityType, of person: String?, usual: HealthModel.Unit? = nil
    ) throws -> String {
        let parts = format.parts(of: try Quantity(value, unit), type, of: person, usual: usual)
        return "\(parts.value) \(parts.unit)"
    }

    func testUnit_isTheRequested_orThePersons_orTheUsual_orItsOwn() throws {
        let format = QuantityFormat(unit: nil, people: try people(), decimalSign: ".")
        XCTAssertEqual(try text(format, 70, .kilogram, .bodyMass, of: "ada"), "154.32 lb")
        XCTAssertEqual(try text(format, 70, .kilogram, .bodyMass, of: "bob"), "70 kg")
        XCTAssertEqual(try text(format, 70, .kilogram, .bodyMass, of: nil), "70 kg")
        XCTAssertEqual(
            try text(format, 1.8, .meter, .height, of: "ada", usual: .centimeter), "180 cm")
        let asked = QuantityFormat(unit: .kilogram, people: try people(), decimalSign: ".")
        XCTAssertEqual(try text(asked, 154, .pound, .bodyMass, of: "ada"), "69.85 kg")
    }

    func testIncompatibleUnit_leavesTheValueUnchanged() throws {
        let format = QuantityFormat(unit: .meter, people: People(), decimalSign: ".")
        XCTAssertEqual(try text(format, 70, .kilogram, .bodyMass, of: nil), "70 kg")
    }

    func testDecimalSign_isThatOfTheLocale() throws {
        let format = QuantityFormat(unit: nil, people: People(), decimalSign: ",")
        XCTAssertEqual(try text(format, 69.853, .kilogram, .bodyMass, of: nil), "69,85 kg")
    }

    func testPercent_isShownTimesAHundred() throws {
        let format = QuantityFormat(unit: nil, people: People(), decimalSign: ".")
        XCTAssertEqual(try text(format, 0.975, .percent, .oxygenSaturation, of: nil), "97.5 %")
    }
}
