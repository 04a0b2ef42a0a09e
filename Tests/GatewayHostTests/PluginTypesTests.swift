import GatewayCore
import HealthModel
import XCTest

@testable import GatewayHost

/// Types that plugins declare.
final class PluginTypesTests: XCTestCase {
    private let skinTemperature = QuantityTypeDeclaration(
        "skinTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50)

    func testDeclaredType_isKnownByItsName() throws {
        let types = try Plugins(types: [skinTemperature]).makeQuantityTypes()
        let type = try XCTUnwrap(types.named("skinTemperature"))
        XCTAssertEqual(type.canonicalUnit, .degreeCelsius)
        XCTAssertEqual(type.plausibleRange, 10...50)
        XCTAssertNotNil(types.named("heartRate"))
    }

    func testInvalidDeclaration_isReportedWithItsName() {
        let percent = QuantityTypeDeclaration(
            "skinTemperature", .cumulative, .degreeCelsius)
        XCTAssertThrowsError(try Plugins(types: [percent]).makeQuantityTypes()) {
            XCTAssertTrue("\($0)".contains("`skinTemperature`"), "\($0)")
        }
    }

    func testUnitWithoutAConstant_isDeclaredWithItsText() throws {
        let force = QuantityTypeDeclaration(
            "gripForce", .discreteArithmetic, unit: "m·kg/s^2", plausible: 0...2_000)
        let types = try Plugins(types: [force]).makeQuantityTypes()
        let type = try XCTUnwrap(types.named("gripForce"))
        XCTAssertEqual(type.canonicalUnit.string, "m·kg/s^2")
        XCTAssertEqual(type.plausibleRange, 0...2_000)
    }

    func testTextThatIsNoUnit_isReportedWithWhatIsMeant() throws {
        var force = QuantityTypeDeclaration("gripForce", .discreteArithmetic, unit: "N")
        XCTAssertThrowsError(try Plugins(types: [force]).makeQuantityTypes()) {
            XCTAssertEqual(
                ($0 as? HostError)?.text,
                "type `gripForce` of the plugin GatewayHostTests: not a unit: expected HealthKit's "
                    + "spelling; use m·kg/s^2")
        }
        force.unit = .kilogram
        XCTAssertEqual(
            try Plugins(types: [force]).makeQuantityTypes().named("gripForce")?.canonicalUnit,
            .kilogram)
    }

    func testTypeThatAnotherPluginDeclares_namesBoth() throws {
        let other = QuantityTypeDeclaration(
            "skinTemperature", .discreteArithmetic, .degreeCelsius, file: "Wristband/Types.swift")
        let plugins = Plugins(types: [other, skinTemperature])
        XCTAssertThrowsError(try plugins.makeQuantityTypes()) {
            XCTAssertEqual(
                ($0 as? HostError)?.text,
                "type `skinTemperature` of the plugin GatewayHostTests: the plugin Wristband declares "
                    + "the type skinTemperature already; choose another name")
        }
        let node = try ConfigurationNode(
            json5: "{ types: { skinTemperature: { aggregationStyle: 'cumulative', unit: 'm' } } }",
            types: Plugins(types: [other]).makeQuantityTypes())
        XCTAssertThrowsError(try GatewayConfiguration(node)) {
            XCTAssertEqual(
                "\($0)",
                "types.skinTemperature: the plugin Wristband declares the type skinTemperature already; "
                    + "choose another name")
        }
    }

    func testNameOfAnotherType_isReported() {
        for types in [
            [skinTemperature, skinTemperature],
            [QuantityTypeDeclaration("heartRate", .discreteArithmetic, .countPerMinute)],
        ] {
            XCTAssertThrowsError(try Plugins(types: types).makeQuantityTypes()) {
                XCTAssertTrue("\($0)".contains("already"), "\($0)")
            }
        }
    }
}
