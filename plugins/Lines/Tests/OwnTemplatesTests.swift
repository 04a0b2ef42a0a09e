import GatewayCore
import HealthModel
import JSON
import Readings
import Serial
import XCTest

@testable import Lines

/// Tests templates in the configuration.
final class OwnTemplatesTests: XCTestCase {
    private func types() throws -> QuantityTypes {
        try QuantityTypes(custom: [
            QuantityType(
                custom: "skinTemperature", aggregationStyle: .discreteArithmetic,
                unit: .degreeCelsius),
            QuantityType(custom: "jumpCount", aggregationStyle: .cumulative, unit: .count),
        ])
    }

    private func make(_ json5: String) throws -> any SerialProtocol {
        let node = ConfigurationNode(
            path: "protocol", value: try JSONValue(json5: json5), types: try types())
        return try LinesProtocol.factory.make(node)
    }

    private func actions(_ template: String, _ line: String) throws -> [AdapterAction] {
        var adapter = try make("{ use: 'lines', templates: ['\(template)'], baud: 9600 }")
            .makeAdapter()
        _ = adapter.open()
        return adapter.take("\(line)\n")
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertTrue("\($0)".contains(message), "\($0)", line: line)
        }
    }

    private func instant(
        _ name: String, _ value: Double, _ unit: String
    ) throws -> AdapterAction {
        let type = try XCTUnwrap(types().named(name))
        return .reading(.instant(type, try Quantity(value, Unit(parsing: unit))))
    }

    func testTemplate_withAType_readsItsCanonicalUnit() throws {
        XCTAssertEqual(
            try actions("Skin: {skinTemperature}", "Skin: 33.2"),
            [try instant("skinTemperature", 33.2, "degC")])
        XCTAssertEqual(
            try actions("Skin: {skinTemperature}", "Skin: -0.1"),
            [try instant("skinTemperature", -0.1, "degC")])
    }

    func testTemplate_withATypeAndAUnit_readsThatUnit() throws {
        XCTAssertEqual(
            try actions("T={skinTemperature degF} HR={heartRate}", "T=91.76 HR=72"),
            [
                try instant("skinTemperature", 91.76, "degF"),
                try instant("heartRate", 72, "count/min"),
            ]
        )
    }

    func testTemplate_withATypeThatAddsUp_readsARunningTotal() throws {
        let jumps = try XCTUnwrap(types().named("jumpCount"))
        XCTAssertEqual(
            try actions("{_} {jumpCount} {steps}", "1 7 9").count, 0,
            "the first line is not trusted")
        XCTAssertEqual(
            try actions("J {jumpCount} {steps}", "J 7 9"),
            [
                steps(9),
                .reading(
                    .counter(
                        CounterReading(
                            jumps, value: 7_000_000, unit: .count, countsPerUnit: 1_000_000))),
            ])
        XCTAssertEqual(try actions("J {jumpCount}", "J -1"), [.dropped(.invalid)])
    }

    func testTemplate_whenANumberIsTooLong_nothingOfTheLineIsRead() throws {
        XCTAssertEqual(
            try actions("{skinTemperature} {heartRate} x", "x"), [], "the first line")
        XCTAssertEqual(
            try actions("T {skinTemperature} {heartRate}", "T 33 1234567890123456"),
            [.dropped(.invalid)])
    }

    func testMake_whatIsWrong_isReportedAtItsPath() {
        func templates(_ text: String) -> String {
            "{ use: 'lines', baud: 9600, templates: \(text) }"
        }
        assertRefused(
            "{ use: 'lines', preset: 'steps', templates: ['{steps}'] }",
            "protocol.preset: cannot be combined with `templates`")
        assertRefused(templates("[]"), "protocol.templates: must have 1 to 16")
        assertRefused(templates("'{steps}'"), "protocol.templates: expected a list")
        assertRefused(templates("['{steps}', 'x']"), "protocol.templates[1]: must contain a field")
        assertRefused(templates("['{sknTemperature}']"), "unknown field {sknTemperature}")
        assertRefused(templates("['{skinTemperature m}']"), "`m` is not a unit of skinTemperature")
        assertRefused(templates("['{skinTemperature x y}']"), "not a unit")
        assertRefused(templates("['{steps} {stepCount}']"), "duplicate field {stepCount}")
        assertRefused(templates("['{_} {_}']"), "must contain a field")
        let long = String(repeating: "x", count: 257)
        assertRefused(templates("['\(long){steps}']"), "must be up to 256 bytes")
    }

    func testMake_withoutABaudRate_hasADefault_becauseNotEveryPortHasOne() throws {
        XCTAssertEqual(
            try make("{ use: 'lines', templates: ['{steps}'] }").lineSettings.baud, .baud9600)
    }
}
