import FoundationEssentials
import GatewayCore
import HealthModel
import JSON
import Platform
import Serial
import XCTest

@testable import Lines

final class LinesProtocolTests: XCTestCase {
    private func make(_ json5: String) throws -> any SerialProtocol {
        let node = ConfigurationNode(
            path: "sources.foot.protocol", value: try JSONValue(json5: json5))
        return try LinesProtocol.factory.make(node)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testMake_takesThePresetsRate() throws {
        let linesProtocol = try make("{ use: 'lines', preset: 'sparkfun-lsm6ds3' }")
        XCTAssertEqual(linesProtocol.lineSettings, LineSettings(baud: .baud9600))
        XCTAssertEqual(linesProtocol.device, Device())
        XCTAssertNil(linesProtocol.silenceLimitSeconds)
    }

    func testMake_whenBaudIsGiven_takesThat() throws {
        let linesProtocol = try make("{ use: 'lines', preset: 'steps', baud: 57600 }")
        XCTAssertEqual(linesProtocol.lineSettings.baud, .baud57600)
    }

    func testMake_everyPreset() throws {
        for preset in LinePreset.table {
            let linesProtocol = try make("{ use: 'lines', preset: '\(preset.name)' }")
            XCTAssertEqual(linesProtocol.lineSettings.baud, preset.baud)
        }
    }

    func testMake_whenPresetIsMissing_reportsIt() {
        assertRefused(
            "{ use: 'lines' }",
            "sources.foot.protocol: the key `preset` is missing; known: "
                + LinePreset.table.map(\.name).joined(separator: ", ")
                + "; or set `templates`")
    }

    func testMake_whenPresetIsUnknown_namesTheNearest() {
        assertRefused(
            "{ use: 'lines', preset: 'step' }",
            "sources.foot.protocol.preset: unknown value `step`; did you mean `steps`?")
    }

    func testMake_whenBaudIsNoRate_namesTheNearest() {
        assertRefused(
            "{ use: 'lines', preset: 'steps', baud: 115000 }",
            "sources.foot.protocol.baud: 115000 is not a supported baud rate; "
                + "the nearest is 115200")
    }

    func testMake_whenKeyIsUnknown_namesTheNearest() {
        assertRefused(
            "{ use: 'lines', preset: 'steps', boud: 9600 }",
            "sources.foot.protocol.boud: unknown key; did you mean `baud`?")
    }

    func testSample_isAConfigurationThatWorks() throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "sample.json5")
        let text = try String(contentsOf: sample, encoding: .utf8)
        let root = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        let sources = try root.object(keys: ["sources", "sinks"]).require("sources")
        let factory = SerialSource.factory(protocols: [LinesProtocol.factory])
        let context = ComponentContext(
            name: "foot", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere")
        for entry in try sources.entries() {
            XCTAssertNoThrow(try factory.make(entry.node, context))
        }
        XCTAssertEqual(try sources.entries().count, 1)
    }
}
