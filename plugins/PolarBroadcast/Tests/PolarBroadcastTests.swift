import Advertisements
import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import PolarBroadcast

final class PolarBroadcastTests: XCTestCase {
    private static let part = AdvertisementPart.manufacturerData(PolarBroadcastFormat.company)

    private func decode(_ text: String) throws(ByteDecodingError) -> AdvertisementDecoding {
        try PolarBroadcastDecoder().decode(bytes(text), of: Self.part)
    }

    private func heartRate(_ value: Double) throws -> [Reading] {
        [.instant(.heartRate, try Quantity(value, .countPerMinute))]
    }

    private func packet(_ number: UInt32) -> AdvertisementPacket {
        AdvertisementPacket(number, modulus: 8, repetitionSeconds: 5)
    }

    func testHeartRate_isTheSlowAverage_orTheOnlyOne() throws {
        XCTAssertEqual(
            try decode("33 00 48 49"), AdvertisementDecoding(try heartRate(73), packet: packet(4)))
        XCTAssertEqual(
            try decode("3F 00 48"), AdvertisementDecoding(try heartRate(72), packet: packet(7)))
    }

    func testOtherBlocks_areSkippedByTheirLength() throws {
        XCTAssertEqual(
            try decode("72 03 01 02 03 23 00 50 51"),
            AdvertisementDecoding(try heartRate(81), packet: packet(0)))
        XCTAssertEqual(try decode("72 03 01 02 03"), AdvertisementDecoding(drops: [.empty]))
    }

    func testZero_isNoHeartRate() throws {
        XCTAssertEqual(
            try decode("23 00 00 00"), AdvertisementDecoding(drops: [.empty], packet: packet(0)))
    }

    func testWrongLengths_areRefused() {
        for (text, error) in [
            ("72", ByteDecodingError.truncated), ("33", .truncated), ("33 00", .truncated),
            ("72 09 01 02", .truncated),
            ("33 00 48 49 50", .unknown),
        ] {
            XCTAssertThrowsError(try decode(text), text) {
                XCTAssertEqual($0 as? ByteDecodingError, error, text)
            }
        }
    }

    func testFormat_keepsTheContract() {
        let values = [bytes("33 00 48 49"), bytes("3F 00 48"), bytes("72 03 01 02 03 23 00 50 51")]
        XCTAssertEqual(
            AdvertisementFormatConformance.findings(
                for: PolarBroadcastFormat(), values: [Self.part: values]), [])
        XCTAssertEqual(
            AdvertisementFormatConformance.findings(for: PolarBroadcastFormat.factory), [])
    }

    func testValues_becomeSamplesInTheStore() async throws {
        let harness: AdvertisementHarness
        do { harness = try await AdvertisementHarness(PolarBroadcastFormat()) } catch {
            throw XCTSkip("\(error)")
        }
        // The second value is sent twice.
        for text in ["23 00 48 49", "27 00 48 4A", "27 00 48 4A", "2B 00 48 4B"] {
            await harness.send(bytes(text), in: Self.part)
        }
        let samples = try await harness.samples(of: .heartRate, count: 3)
        XCTAssertEqual(samples.map(\.quantity.value), [73, 74, 75])
        try await harness.gateway.stop()
    }
}
