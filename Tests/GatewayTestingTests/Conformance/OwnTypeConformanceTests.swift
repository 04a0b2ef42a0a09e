import Advertisements
import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import Serial
import XCTest

/// The suites know the types that a plugin declares.
final class OwnTypeConformanceTests: XCTestCase {
    private static let temperature = QuantityTypeDeclaration(
        "earClipTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50)

    private static let about = PluginDescription(
        summary: "Reads an ear clip.",
        sample: #"{ sources: { ear: { use: "bluetooth", profiles: ["earClip"] } } }"#)

    private static let profile = GATTProfileFactory(use: "earClip", about: about) {
        node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return EarClip(type: try node.quantityType(named: temperature.name))
    }

    private func types() throws -> QuantityTypes {
        try QuantityTypes(custom: [Self.temperature.makeType()])
    }

    func testProfileFactory_withItsType_keepsTheContract() throws {
        XCTAssertEqual(GATTProfileConformance.findings(for: Self.profile, types: try types()), [])
        let without = GATTProfileConformance.findings(for: Self.profile).map(\.description)
        XCTAssertEqual(without.count, 1)
        XCTAssertTrue(without[0].contains("unknown type `earClipTemperature`"), without[0])
    }

    func testProtocolFactory_withItsType_keepsTheContract() throws {
        let factory = SerialProtocolFactory(use: "earClip") { node throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            return Cable(type: try node.quantityType(named: Self.temperature.name))
        }
        XCTAssertEqual(SerialProtocolConformance.findings(for: factory, types: try types()), [])
        XCTAssertEqual(SerialProtocolConformance.findings(for: factory).count, 1)
    }

    func testFormatFactory_withItsType_keepsTheContract() throws {
        let factory = AdvertisementFormatFactory(use: "earClip") {
            node, context throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            _ = try node.knowing(context.types).quantityType(named: Self.temperature.name)
            return Radio(type: try node.quantityType(named: Self.temperature.name))
        }
        XCTAssertEqual(
            AdvertisementFormatConformance.findings(for: factory, types: try types()), [])
        XCTAssertEqual(AdvertisementFormatConformance.findings(for: factory).count, 1)
    }

    /// The Bluetooth source of the sample makes the profile, with a list of profiles and without.
    func testDescription_ofAProfileWithItsType_isValid() throws {
        let findings = PluginDescriptionConformance.findings(
            profiles: [Self.profile], types: try types())
        XCTAssertEqual(findings, [])
        let all = PluginDescription(
            summary: "Reads an ear clip.", sample: #"{ sources: { ear: "bluetooth" } }"#)
        let other = GATTProfileFactory(use: "earClip", about: all, make: Self.profile.make)
        XCTAssertEqual(
            PluginDescriptionConformance.findings(profiles: [other], types: try types()), [])
    }
}

private struct EarClip: GATTProfile {
    let type: QuantityType
    let name = "earClip"
    let service = BluetoothUUID(0xFF01)
    let subscriptions = [BluetoothUUID(0xFF02)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { throw .unknown }
}

private struct Cable: SerialProtocol {
    let type: QuantityType
    let lineSettings = LineSettings(baud: .baud9600)
    let device = Device()

    func makeAdapter() -> any DeviceAdapter { Silent() }

    private struct Silent: DeviceAdapter {
        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] { [] }
    }
}

private struct Radio: AdvertisementFormat {
    let type: QuantityType
    let name = "earClip"
    let parts = [AdvertisementPart.serviceData(BluetoothUUID(0xFF01))]

    func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder { Decoder() }

    private struct Decoder: AdvertisementDecoder {
        func decode(
            _ value: [UInt8], of part: AdvertisementPart
        ) throws(ByteDecodingError) -> AdvertisementDecoding { throw .unknown }
    }
}
