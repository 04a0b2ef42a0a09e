import ByteDecoding
import GatewayCore
import HealthModel
import JSON
import XCTest

@testable import Bluetooth

final class GATTProfileFactoryTests: XCTestCase {
    private func make(_ json5: String?) throws -> [String] {
        let factories = ["heartRate", "weight"].map { use in
            GATTProfileFactory(use: use) { node throws(ConfigurationError) in
                let settings = try node.object(keys: ["use", "suffix"])
                return NamedProfile(name: use + (try settings["suffix"]?.string() ?? ""))
            }
        }
        let node = try json5.map {
            ConfigurationNode(
                path: "sources.straps.profiles", value: try JSONValue(json5: $0))
        }
        return try GATTProfileFactory.makeProfiles(node, from: factories).map(\.name)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testMakeProfiles_withoutAList_makesAllWithDefaults() throws {
        XCTAssertEqual(try make(nil), ["heartRate", "weight"])
    }

    func testMakeProfiles_keepsTheOrderOfTheListAndHandsSettingsOn() throws {
        XCTAssertEqual(try make("['weight']"), ["weight"])
        XCTAssertEqual(
            try make("[{ use: 'weight', suffix: '!' }, 'heartRate']"), ["weight!", "heartRate"])
    }

    func testMakeProfiles_whenTheWordIsUnknown_namesTheNearest() {
        assertRefused(
            "['heartrates']",
            "sources.straps.profiles[0]: unknown profile `heartrates`; "
                + "did you mean `heartRate`?")
        assertRefused(
            "['weight', 'x']",
            "sources.straps.profiles[1]: unknown profile `x`; known: heartRate, weight")
    }

    func testMakeProfiles_whenANameIsDuplicate_isRefused() {
        assertRefused(
            "['weight', 'heartRate', { use: 'weight' }]",
            "sources.straps.profiles[2]: `weight` is given twice; remove one entry")
    }

    func testMakeProfiles_whenNothingIsNamed_isRefused() {
        assertRefused(
            "[]",
            "sources.straps.profiles: must not be empty; "
                + "omit it to use all built-in profiles: heartRate, weight")
    }

    func testMakeProfiles_whenItIsOfAnotherKind_isRefused() {
        assertRefused("'weight'", "sources.straps.profiles: expected a list, found a string")
        assertRefused(
            "[{ suffix: '!' }]",
            "sources.straps.profiles[0]: the key `use` is missing")
    }

    func testMakeProfiles_whenASettingIsUnknown_namesItsPath() {
        assertRefused(
            "[{ use: 'weight', sufix: '!' }]",
            "sources.straps.profiles[0].sufix: unknown key; did you mean `suffix`?")
    }
}

private struct NamedProfile: GATTProfile {
    let name: String
    let service = BluetoothUUID(0x180D)
    let subscriptions: [BluetoothUUID] = []

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        throw .unknown
    }
}
