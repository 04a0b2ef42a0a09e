import Advertisements
import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import BTHome

final class BTHomeTests: XCTestCase {
    private static let address = bytes("54 48 E6 8F 80 A5")
    private let types: [String: QuantityType] = [
        "mass": .bodyMass, "temperature": .bodyTemperature, "temperature2": .basalBodyTemperature,
        "count": .stepCount,
    ]

    private func decode(_ text: String) throws(ByteDecodingError) -> AdvertisementDecoding {
        var decoder = BTHomeDecoder(types: types, address: Self.address)
        return try decoder.decode(bytes(text), of: .serviceData(BTHomeFormat.service))
    }

    func testValues_ofTheSpecification() throws {
        // Temperature 25 °C and humidity 50.55 %, which no type is set for.
        XCTAssertEqual(
            try decode("40 02 C4 09 03 BF 13").readings,
            [.instant(.bodyTemperature, try Quantity(25, .degreeCelsius))])
        XCTAssertEqual(
            try decode("40 06 5E 1F").readings,
            [.instant(.bodyMass, try Quantity(80.3, .kilogram))])
        XCTAssertEqual(
            try decode("40 07 3E 1D").readings, [.instant(.bodyMass, try Quantity(74.86, .pound))])
        XCTAssertEqual(
            try decode("40 58 EA").readings,
            [.instant(.bodyTemperature, try Quantity(-22 * 0.35, .degreeCelsius))])
        XCTAssertEqual(try decode("40 01 61").readings, [.state(.battery(0.97))])
        XCTAssertEqual(
            try decode("40 F1 00 01 02 04").readings,
            [.identity(Device(firmwareVersion: "4.2.1.0"))])
    }

    func testCount_isACounterThatRollsOver() throws {
        XCTAssertEqual(
            try decode("40 3D 39 30").readings,
            [
                .counter(
                    CounterReading(
                        .stepCount, value: 12_345, range: .rollsOver(at: 65_536), unit: .count))
            ])
    }

    func testPacket_andTheTimeOfTheMeasurement() throws {
        let decoding = try decode("44 00 09 02 C4 09 50 5D 39 61 64")
        XCTAssertEqual(
            decoding.packet, AdvertisementPacket(9, modulus: 256, repetitionSeconds: 3_600))
        let time = MeasurementTime(
            .utc(Instant(nanosecondsSince1970: 0x6461_395D * 1_000_000_000)))
        XCTAssertEqual(
            decoding.readings,
            [.instant(.bodyTemperature, try Quantity(25, .degreeCelsius), measured: time)])
    }

    func testSecondEqualObject_hasItsOwnName() throws {
        XCTAssertEqual(
            try decode("40 02 C4 09 45 72 01").readings,
            [
                .instant(.bodyTemperature, try Quantity(25, .degreeCelsius)),
                .instant(.basalBodyTemperature, try Quantity(37, .degreeCelsius)),
            ])
    }

    func testUnknownObject_endsThePacket() throws {
        let decoding = try decode("40 06 5E 1F EE 01 02")
        XCTAssertEqual(decoding.readings.count, 1)
        XCTAssertEqual(decoding.drops, [.unknown])
    }

    func testEveryTruncation_andRandomBytes_areRefusedOrRead() throws {
        let whole = bytes("40 00 09 02 C4 09 53 03 41 42 43 50 5D 39 61 64 F1 00 01 02 04")
        var decoder = BTHomeDecoder(types: types, address: Self.address)
        for length in whole.indices {
            _ = try? decoder.decode(
                Array(whole.prefix(length)), of: .serviceData(BTHomeFormat.service))
        }
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let value = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? decoder.decode([0x40] + value, of: .serviceData(BTHomeFormat.service))
        }
    }

    func testOtherVersion_isUnknown() {
        XCTAssertThrowsError(try decode("20 02 C4 09")) {
            XCTAssertEqual($0 as? ByteDecodingError, .unknown)
        }
    }

    func testUnits_ofAllValues_areKnown() {
        XCTAssertEqual(BTHomeFormat.names.count, 13)
        for object in BTHomeObject.all.values { XCTAssertGreaterThan(object.length, 0) }
    }

    func testFormat_keepsTheContract() {
        let values = [
            bytes("40 02 C4 09 03 BF 13"), bytes("44 00 09 02 C4 09 50 5D 39 61 64"),
            bytes("40 3D 39 30"), bytes("40 06 5E 1F 01 61 F1 00 01 02 04"),
        ]
        let format = BTHomeFormat(types: types, secrets: [:])
        let time = Instant(nanosecondsSince1970: 0x6461_395D * 1_000_000_000)
        XCTAssertEqual(
            AdvertisementFormatConformance.findings(
                for: format, values: [.serviceData(BTHomeFormat.service): values],
                receivedAt: time), [])
        XCTAssertEqual(AdvertisementFormatConformance.findings(for: BTHomeFormat.factory), [])
    }

    func testValues_becomeSamplesInTheStore() async throws {
        let format = BTHomeFormat(types: types, secrets: [:])
        let harness: AdvertisementHarness
        do { harness = try await AdvertisementHarness(format) } catch { throw XCTSkip("\(error)") }
        for text in ["40 00 01 06 5E 1F", "40 00 01 06 5E 1F", "40 00 02 06 68 1F"] {
            await harness.send(bytes(text), in: .serviceData(BTHomeFormat.service))
        }
        let samples = try await harness.samples(of: .bodyMass, count: 2)
        XCTAssertEqual(samples.map(\.quantity.value), [80.3, 80.4])
        try await harness.gateway.stop()
    }
}
