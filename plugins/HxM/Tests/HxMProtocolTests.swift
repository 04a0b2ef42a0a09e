import FoundationEssentials
import GatewayCore
import HealthModel
import JSON
import Platform
import Serial
import XCTest

@testable import HxM

final class HxMProtocolTests: XCTestCase {
    private func make(_ value: JSONValue) throws -> any SerialProtocol {
        let node = ConfigurationNode(path: "sources.chest.protocol", value: value)
        return try HxMProtocol.factory.make(try node.component().settings)
    }

    func testMake_whenAWord_knowsTheDevice() throws {
        let spoken = try make(.string("hxm"))
        XCTAssertEqual(spoken.lineSettings, LineSettings(baud: .baud115200))
        XCTAssertEqual(spoken.device, Device(manufacturer: "Zephyr", model: "HxM BT"))
        XCTAssertEqual(spoken.silenceLimitSeconds, 10)
        XCTAssertTrue(spoken.makeAdapter() is HxMAdapter)
    }

    func testMake_whenAnythingIsSet_isRejected() {
        let value = JSONValue.object(["use": .string("hxm"), "baud": .number(9600)])
        XCTAssertThrowsError(try make(value)) {
            XCTAssertEqual(
                "\($0)", "sources.chest.protocol.baud: unknown key; known: use")
        }
    }

    func testSample_isAConfigurationThatWorks() throws {
        let text = String(decoding: try fixture("../sample.json5"), as: UTF8.self)
        let root = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        let sources = try root.object(keys: ["sources", "sinks"]).require("sources")
        let factory = SerialSource.factory(protocols: [HxMProtocol.factory])
        let context = ComponentContext(
            name: "chest", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere")
        for entry in try sources.entries() {
            XCTAssertNoThrow(try factory.make(entry.node, context))
        }
        XCTAssertEqual(try sources.entries().count, 1)
    }
}
