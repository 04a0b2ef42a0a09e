import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import PulseOximeter

final class PulseOximeterTests: XCTestCase {
    private static let spotCheck = PulseOximeterProfile.spotCheck
    private static let continuous = PulseOximeterProfile.continuous
    /// 98 % and 72 beats per minute; the same with all fields, on 23 November 2026 at 10:30.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        spotCheck: [
            bytes("00 62 00 48 00"),
            bytes("0F 62 00 48 00 EA 07 0B 17 0A 1E 00 20 00 00 00 00 19 F0"),
        ],
        continuous: [
            bytes("00 62 00 48 00"),
            bytes("1F 62 00 48 00 61 00 47 00 63 00 49 00 20 00 00 00 00 19 F0"),
        ],
    ]
    /// 23 November 2026, noon.
    private static let received = Instant(nanosecondsSince1970: 1_795_435_200_000_000_000)

    private func readings(
        perfusion: Double?, measured: MeasurementTime? = nil
    ) throws -> [Reading] {
        let amplitude = try perfusion.map {
            Reading.instant(
                .peripheralPerfusionIndex, try Quantity($0, .percent), measured: measured)
        }
        return [.instant(.oxygenSaturation, try Quantity(0.98, .percent), measured: measured)]
            + (amplitude.map { [$0] } ?? [])
            + [.instant(.heartRate, try Quantity(72, .countPerMinute), measured: measured)]
    }

    func testSpotCheck_hasTheTimeOfTheOximeter() throws {
        let values = try XCTUnwrap(Self.values[Self.spotCheck])
        XCTAssertEqual(
            try decode(values[0], of: Self.spotCheck), GATTDecoding(try readings(perfusion: nil)))
        let time = MeasurementTime(
            .local(Instant(nanosecondsSince1970: 1_795_429_800_000_000_000)))
        XCTAssertEqual(
            try decode(values[1], of: Self.spotCheck),
            GATTDecoding(try readings(perfusion: 0.025, measured: time)))
    }

    func testSpotCheck_whenTheClockIsNotSet_hasNoTime() throws {
        XCTAssertEqual(
            try decode(bytes("11 62 00 48 00 EA 07 0B 17 0A 1E 00"), of: Self.spotCheck),
            GATTDecoding(try readings(perfusion: nil)))
    }

    func testContinuous_usesTheNormalAverage() throws {
        let values = try XCTUnwrap(Self.values[Self.continuous])
        XCTAssertEqual(
            try decode(values[1], of: Self.continuous),
            GATTDecoding(try readings(perfusion: 0.025)))
    }

    func testStatus_thatIsNoMeasurement_isEmpty() throws {
        for bit in 0..<16 {
            let status = UInt16(1) << bit
            let value = bytes("04 62 00 48 00") + [UInt8(status & 0xFF), UInt8(status >> 8)]
            let isEmpty = try decode(value, of: Self.continuous).drops == [.empty]
            XCTAssertEqual(isEmpty, [10, 11, 12, 13, 15].contains(bit), "bit \(bit)")
        }
    }

    func testMeasurement_withoutValues_isEmpty() throws {
        XCTAssertEqual(
            try decode(bytes("00 FF 07 FF 07"), of: Self.continuous),
            GATTDecoding(drops: [.empty]))
    }

    func testDecode_whenCutShort_throws() {
        for (characteristic, values) in Self.values {
            for value in values {
                for length in 0..<value.count {
                    let part = Array(value.prefix(length))
                    XCTAssertThrowsError(try decode(part, of: characteristic), "\(part)") {
                        XCTAssertEqual($0 as? ByteDecodingError, .truncated)
                    }
                }
            }
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: PulseOximeterProfile(), values: Self.values, receivedAt: Self.received)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: PulseOximeterProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(PulseOximeterProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 62 00 48 00"), of: Self.continuous)
        let samples = try await harness.samples(of: .oxygenSaturation)
        XCTAssertEqual(samples.map(\.quantity.value), [0.98])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: PulseOximeterProfile = PulseOximeterProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
