import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import XCTest

/// The suite finds profiles that violate the contract, and only those.
final class GATTProfileConformanceTests: XCTestCase {
    private static let characteristic = BluetoothUUID(0x2A1C)
    private static let sample: [UInt8] = [36, 5]

    /// A thermometer that sends whole degrees and tenths; every part of it can be wrong.
    private struct Thermometer: GATTProfile {
        typealias Decode =
            @Sendable ([UInt8], BluetoothUUID) throws(ByteDecodingError) ->
            GATTDecoding

        var name = "thermometer"
        var subscriptions = [characteristic]
        var reads: [BluetoothUUID] = []
        var silenceLimitSeconds: Double? = 10
        var decode: Decode = Self.right

        let service = BluetoothUUID(0x1809)

        func decode(
            _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
        ) throws(ByteDecodingError) -> GATTDecoding {
            try decode(value, characteristic)
        }

        static let right: Decode = { value, found throws(ByteDecodingError) in
            guard found == characteristic else { throw .unknown }
            guard value.count == 2 else { throw .truncated }
            return try Thermometer.decoding(value, .degreeCelsius)
        }

        static func decoding(
            _ value: [UInt8], _ unit: HealthModel.Unit
        ) throws(ByteDecodingError) -> GATTDecoding {
            let degrees = Double(value.first ?? 0) + Double(value.last ?? 0) / 10
            guard let quantity = try? Quantity(degrees, unit) else { throw .invalid }
            return GATTDecoding([.instant(.bodyTemperature, quantity)])
        }
    }

    private func findings(
        values: [BluetoothUUID: [[UInt8]]] = [characteristic: [sample]],
        _ change: (inout Thermometer) -> Void = { _ in }
    ) -> String {
        var profile = Thermometer()
        change(&profile)
        return GATTProfileConformance.findings(for: profile, values: values).text
    }

    private func assertFinding(
        _ expected: String, values: [BluetoothUUID: [[UInt8]]] = [characteristic: [sample]],
        line: UInt = #line, _ change: (inout Thermometer) -> Void = { _ in }
    ) {
        let found = findings(values: values, change)
        XCTAssertTrue(found.contains(expected), found, line: line)
    }

    func testGoodProfile_hasNoFinding() {
        XCTAssertEqual(findings(), "")
    }

    func testDescription() {
        assertFinding("the name must have letters and digits") { $0.name = "My profile" }
        assertFinding("names no characteristic") { $0.subscriptions = [] }
        assertFinding("names a characteristic twice") {
            $0.subscriptions = [Self.characteristic, Self.characteristic]
        }
        assertFinding("names 2a19, which the gateway reads itself") { $0.reads = [.batteryLevel] }
        assertFinding("has no sample value of 2a1e") { $0.reads = [BluetoothUUID(0x2A1E)] }
        assertFinding("at least a second") { $0.silenceLimitSeconds = 0 }
        let foreign = [Self.characteristic: [Self.sample], BluetoothUUID(0x2A37): [[1]]]
        assertFinding("has a sample value of 2a37, which it does not name", values: foreign)
    }

    /// A control point is read for what the device can do, and indicates its answers.
    func testCharacteristic_thatIsReadAndIndicated_hasNoFinding() {
        XCTAssertEqual(findings { $0.reads = [Self.characteristic] }, "")
    }

    func testSample_thatIsAnsweredWithAWrite_hasNoFinding() {
        let found = findings {
            $0.decode = { _, _ throws(ByteDecodingError) in
                GATTDecoding(writes: [GATTWrite([1], to: Self.characteristic)])
            }
        }
        XCTAssertEqual(found, "")
    }

    func testSampleWithoutAReading_isFound() {
        assertFinding(
            "the sample value 01 of 2a1c gives no reading",
            values: [
                Self.characteristic: [[1]]
            ])
        assertFinding("gives no reading") {
            $0.decode = { _, _ throws(ByteDecodingError) in GATTDecoding() }
        }
    }

    func testWrongUnit_isFound() {
        assertFinding("is not a unit of bodyTemperature") {
            $0.decode = { value, _ throws(ByteDecodingError) in
                try Thermometer.decoding(value, .kilogram)
            }
        }
    }

    func testImplausibleSample_isFound() {
        assertFinding(
            "a value is out of range for bodyTemperature",
            values: [
                Self.characteristic: [[200, 0]]
            ])
    }

    func testForeignCharacteristic_isFound() {
        assertFinding("gives readings of a characteristic that it does not name") {
            $0.decode = { value, _ throws(ByteDecodingError) in
                try Thermometer.decoding(value, .degreeCelsius)
            }
        }
    }

    func testFloodOfResults_isFoundWithTheSeed() {
        let found = findings {
            $0.decode = { value, _ throws(ByteDecodingError) in
                let count = value.count > 3 ? 1_000 : 1
                return GATTDecoding(drops: Array(repeating: .invalid, count: count))
            }
        }
        XCTAssertTrue(found.contains("seed 1: more than 64 results for one value"), found)
    }

    func testChance_isFound() {
        assertFinding("the same value gives different results") {
            $0.decode = { _, _ throws(ByteDecodingError) in
                try Thermometer.decoding([UInt8.random(in: 0...255)], .degreeCelsius)
            }
        }
    }

    func testFactory() {
        func findings(_ use: String, strict: Bool) -> String {
            GATTProfileConformance.findings(
                for: GATTProfileFactory(use: use) { node throws(ConfigurationError) in
                    if strict { _ = try node.object(keys: ["use"]) }
                    return Thermometer()
                }
            ).text
        }
        XCTAssertEqual(findings("thermometer", strict: true), "")
        XCTAssertEqual(
            findings("thermometer", strict: false), "`thermometer` accepts an unknown setting")
        XCTAssertEqual(
            findings("heat", strict: true),
            "the factory is named `heat` and its profile `thermometer`")
        let needy = GATTProfileFactory(use: "thermometer") { node throws(ConfigurationError) in
            _ = try node.object(keys: ["use", "unit"]).require("unit")
            return Thermometer()
        }
        let found = GATTProfileConformance.findings(for: needy).text
        XCTAssertTrue(found.contains("cannot be made without settings"), found)
    }
}
