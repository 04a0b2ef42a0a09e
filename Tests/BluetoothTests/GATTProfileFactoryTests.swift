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
                let settings = try node.object(keys: ["use", "suffix", "name", "service"])
                let name = try settings["name"]?.string() ?? use
                let usual = use == "weight" ? "181d" : "180d"
                let service = try settings["service"]?.string() ?? usual
                return NamedProfile(
                    name: name + (try settings["suffix"]?.string() ?? ""),
                    service: BluetoothUUID(service) ?? BluetoothUUID(0))
            }
        }
        let node = try json5.map {
            ConfigurationNode(
                path: "sources.straps.profiles", value: try JSONValue(json5: $0))
        }
        return try GATTProfileFactory.makeProfiles(node, from: factories, types: .standard)
            .map(\.name)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testMakeProfiles_withoutAList_makesAllWithDefaults() throws {
        XCTAssertEqual(try make(nil), ["heartRate", "weight"])
    }

    func testOverlap_isFoundInOneServiceOnly() {
        let (first, other) = (BluetoothUUID(0x180D), BluetoothUUID(0x181D))
        let profiles = [("a", first), ("b", other), ("c", first), ("d", first)]
            .map { NamedProfile(name: $0.0, service: $0.1) }
        let overlaps = ProfileOverlap.all(of: profiles)
        XCTAssertEqual(overlaps.map(\.ignored), ["c", "d"])
        XCTAssertEqual(overlaps.map(\.reader), ["a", "a"])
        XCTAssertTrue(overlaps[0].note.hasPrefix("`c` gets no values of "), overlaps[0].note)
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

    func testMakeProfiles_whenANameIsThatOfAnotherBuiltInProfile_isRefused() {
        assertRefused(
            "[{ use: 'weight', name: 'HeartRate' }]",
            "sources.straps.profiles[0]: `HeartRate` is the name of the built-in profile `heartRate`; "
                + "choose another name")
    }

    func testMakeProfiles_whenTwoReadOneCharacteristicOfAService_isRefused() throws {
        assertRefused(
            "['heartRate', { use: 'weight', service: '180d' }]",
            "sources.straps.profiles[1]: `weight` and `heartRate` both read 2a37 of the service 180d; "
                + "remove one of them")
        XCTAssertEqual(
            try make("['heartRate', { use: 'weight', service: '1816' }]"), ["heartRate", "weight"])
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
    let service: BluetoothUUID
    let subscriptions = [BluetoothUUID(0x2A37)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        throw .unknown
    }
}
