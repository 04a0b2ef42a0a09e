import GatewayCore
import HealthModel
import XCTest

@testable import JSON

/// The section `types` of the configuration.
final class TypesConfigurationTests: XCTestCase {
    private func configuration(
        _ text: String, beside types: QuantityTypes = .standard
    ) throws -> GatewayConfiguration {
        let value = try JSONValue(json5: text)
        return try GatewayConfiguration(ConfigurationNode(path: "", value: value, types: types))
    }

    private let skin = """
        skinTemperature: { aggregationStyle: "discreteArithmetic", unit: "degC", display: "degF",
          plausible: [10, 50] }
        """

    private func assertRefused(
        _ types: String, _ path: String, _ words: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try configuration("{ types: { \(types) } }"), line: line) {
            let error = $0 as? ConfigurationError
            XCTAssertEqual(error?.path, path, line: line)
            XCTAssertTrue(error?.problem.contains(words) ?? false, "\($0)", line: line)
        }
    }

    func testTypes_withEveryKey() throws {
        let types = try configuration(
            """
            { types: { \(skin), jumpCount: { aggregationStyle: "cumulative", unit: "count", maximumRate: 4,
              loinc: "1-2", ucum: "{jumps}" } } }
            """
        ).types
        let type = try XCTUnwrap(types.named("skinTemperature"))
        XCTAssertEqual(type.aggregationStyle, .discreteArithmetic)
        XCTAssertEqual(type.canonicalUnit, .degreeCelsius)
        XCTAssertEqual(type.displayUnit.string, "degF")
        XCTAssertEqual(type.plausibleRange, 10...50)
        let jumps = try XCTUnwrap(types.named("jumpCount"))
        XCTAssertEqual(jumps.maximumRate, 4)
        XCTAssertEqual(jumps.loinc, "1-2")
        XCTAssertEqual(jumps.ucum, "{jumps}")
        XCTAssertNil(jumps.plausibleRange)
        XCTAssertEqual(jumps.displayUnit, .count)
    }

    func testTypes_areKnownToPeopleAndInTheSettingsOfSourcesAndSinks() throws {
        let configuration = try configuration(
            """
            { types: { \(skin) }, people: { ada: { units: { skinTemperature: "K" } } },
              sinks: { store: { use: "sqlite", types: ["skinTemperature"] } },
              sources: { foot: { use: "mine", deep: [{ measures: "skinTemperature" }] } } }
            """)
        let type = try XCTUnwrap(configuration.types.named("skinTemperature"))
        XCTAssertEqual(configuration.people.people.first?.preferredUnits[type]?.string, "K")
        let sink = try XCTUnwrap(configuration.sinks?.first)
        XCTAssertEqual(
            try SinkOptions(sink.settings.object(keys: SinkOptions.keys)).types, [.quantity(type)])
        let source = try XCTUnwrap(configuration.sources?.first)
        let deep = try source.settings.object(keys: ["use", "deep"]).require("deep").array()[0]
        let name = try deep.object(keys: ["measures"]).require("measures")
        XCTAssertEqual(try name.quantityType(named: name.string()), type)
    }

    func testTypes_areThoseOfPluginsToo_andMayNotBeDeclaredAgain() throws {
        let own = try QuantityType(custom: "jumpCount", aggregationStyle: .cumulative, unit: .count)
        let types = try QuantityTypes(custom: [own])
        let both = try configuration("{ types: { \(skin) } }", beside: types).types
        XCTAssertEqual(both.custom.map(\.name), ["jumpCount", "skinTemperature"])
        XCTAssertThrowsError(
            try configuration(
                #"{ types: { jumpCount: { aggregationStyle: "cumulative", unit: "count" } } }"#,
                beside: types)
        ) {
            XCTAssertEqual(($0 as? ConfigurationError)?.path, "types.jumpCount")
        }
        XCTAssertEqual(try configuration("{}", beside: types).types, types)
    }

    func testTypes_whatIsWrong_isReportedWhereItStands() {
        func type(_ rest: String) -> String {
            #"a: { aggregationStyle: "discreteArithmetic", unit: "m", \#(rest) }"#
        }
        assertRefused(
            #"Skin: { aggregationStyle: "cumulative", unit: "m" }"#, "types.Skin", "lower-case")
        assertRefused(
            #"heartRate: { aggregationStyle: "cumulative", unit: "m" }"#, "types.heartRate",
            "already")
        assertRefused(#"a: { unit: "m" }"#, "types.a", "`aggregationStyle` is missing")
        assertRefused(#"a: { aggregationStyle: "cumulative" }"#, "types.a", "`unit` is missing")
        assertRefused(
            #"a: { aggregationStyle: "cumulativ", unit: "m" }"#, "types.a.aggregationStyle",
            "`cumulative`?")
        assertRefused(
            #"a: { aggregationStyle: "cumulative", unit: "mm/m/m" }"#, "types.a.unit", "not a unit")
        assertRefused(
            type(#"display: "degC""#), "types.a.display",
            "the display unit degC is not compatible with m")
        assertRefused(type("plausible: [1]"), "types.a.plausible", "two finite numbers")
        assertRefused(type("plausible: [5, 5]"), "types.a.plausible", "two finite numbers")
        assertRefused(type("plausible: [5, 1]"), "types.a.plausible", "two finite numbers")
        assertRefused(type("plausible: [1, Infinity]"), "types.a.plausible[1]", "finite")
        assertRefused(type("plausible: [NaN, 1]"), "types.a.plausible[0]", "finite")
        assertRefused(type("maximumRate: 3"), "types.a.maximumRate", "cumulative")
        assertRefused(type(#"loinc: "a b""#), "types.a.loinc", "loinc must be 1 to 64")
        assertRefused(type(#"ucum: """#), "types.a.ucum", "must not be empty")
        assertRefused(type("unti: 3"), "types.a.unti", "did you mean `unit`?")
        assertRefused("a: 3", "types.a", "expected an object")
        let many = (0...QuantityTypes.customLimit).map {
            #"a\#($0): { aggregationStyle: "cumulative", unit: "m" }"#
        }
        assertRefused(many.joined(separator: ","), "types.a99", "200 custom types")
    }
}
