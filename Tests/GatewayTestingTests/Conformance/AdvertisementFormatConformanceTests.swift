import Advertisements
import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import Synchronization
import XCTest

/// The suite finds formats that violate the contract, and only those.
final class AdvertisementFormatConformanceTests: XCTestCase {
    private static let part = AdvertisementPart.manufacturerData(0xFFFF)
    private static let sample: [UInt8] = [1, 36, 5]

    /// A thermometer that sends the number of its packet, whole degrees and tenths; every part of it
    /// can be wrong.
    private struct Thermometer: AdvertisementFormat {
        typealias Decode =
            @Sendable ([UInt8]) throws(ByteDecodingError) -> AdvertisementDecoding

        var name = "thermometer"
        var parts = [part]
        var decode: Decode = { value throws(ByteDecodingError) in
            try Self.decoding(value, .degreeCelsius)
        }

        func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder {
            Decoder(decode: decode)
        }

        static func decoding(
            _ value: [UInt8], _ unit: HealthModel.Unit, modulus: UInt64 = 256, seconds: Double = 60
        ) throws(ByteDecodingError) -> AdvertisementDecoding {
            guard value.count == 3 else { throw .truncated }
            let degrees = Double(value[1]) + Double(value[2]) / 10
            guard let quantity = try? Quantity(degrees, unit) else { throw .invalid }
            return AdvertisementDecoding(
                [.instant(.bodyTemperature, quantity)],
                packet: AdvertisementPacket(
                    UInt32(value[0]), modulus: modulus, repetitionSeconds: seconds))
        }
    }

    private struct Decoder: AdvertisementDecoder {
        let decode: Thermometer.Decode

        func decode(
            _ value: [UInt8], of part: AdvertisementPart
        ) throws(ByteDecodingError) -> AdvertisementDecoding {
            try decode(value)
        }
    }

    private func assertFinding(
        _ expected: String, values: [AdvertisementPart: [[UInt8]]] = [part: [sample]],
        line: UInt = #line, _ change: (inout Thermometer) -> Void = { _ in }
    ) {
        var format = Thermometer()
        change(&format)
        let found = AdvertisementFormatConformance.findings(for: format, values: values).text
        XCTAssertTrue(found.contains(expected), found, line: line)
    }

    func testGoodFormat_hasNoFinding() {
        let found = AdvertisementFormatConformance.findings(
            for: Thermometer(), values: [Self.part: [Self.sample]])
        XCTAssertEqual(found.text, "")
    }

    func testDescription() {
        let other = AdvertisementPart.serviceData(BluetoothUUID(0x1809))
        assertFinding("the name must have letters and digits") { $0.name = "My format" }
        assertFinding("names no part") { $0.parts = [] }
        assertFinding("names a part twice") { $0.parts = [Self.part, Self.part] }
        assertFinding("has no sample value of service 1809") { $0.parts = [Self.part, other] }
        assertFinding(
            "has a sample value of service 1809, which it does not name",
            values: [Self.part: [Self.sample], other: [[1]]])
    }

    func testDecoding() {
        assertFinding("gives no reading") { $0.decode = { _ in AdvertisementDecoding() } }
        assertFinding("the same value gives different results") {
            let calls = Mutex(0)
            $0.decode = { value throws(ByteDecodingError) in
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard count % 3 > 0 else { throw .invalid }
                return try Thermometer.decoding(value, .degreeCelsius)
            }
        }
        assertFinding("more than 64 results") {
            $0.decode = { _ in
                AdvertisementDecoding(drops: Array(repeating: .unknown, count: 1_000))
            }
        }
        assertFinding("bodyTemperature") {
            $0.decode = { value throws(ByteDecodingError) in
                try Thermometer.decoding(value, .kilogram)
            }
        }
    }

    func testPacket() {
        assertFinding("a packet number that is not below its modulus") {
            $0.decode = { value throws(ByteDecodingError) in
                try Thermometer.decoding(value, .degreeCelsius, modulus: 1)
            }
        }
        assertFinding("a packet whose repetition has no duration") {
            $0.decode = { value throws(ByteDecodingError) in
                try Thermometer.decoding(value, .degreeCelsius, seconds: 0)
            }
        }
    }

    func testFactory() {
        func findings(
            _ name: String, keys: [String]?
        ) -> String {
            let factory = AdvertisementFormatFactory(use: "thermometer") {
                node, _ throws(ConfigurationError) in
                if let keys { _ = try node.object(keys: keys) }
                return Thermometer(name: name)
            }
            return AdvertisementFormatConformance.findings(for: factory).text
        }
        XCTAssertEqual(findings("thermometer", keys: ["use"]), "")
        XCTAssertTrue(
            findings("other", keys: ["use"]).contains(
                "the factory is named `thermometer` and its format `other`"))
        XCTAssertTrue(findings("thermometer", keys: nil).contains("accepts an unknown setting"))
        XCTAssertTrue(findings("thermometer", keys: []).contains("cannot be made without settings"))
    }
}
