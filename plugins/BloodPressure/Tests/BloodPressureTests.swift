import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import BloodPressure

final class BloodPressureTests: XCTestCase {
    private static let measurement = BloodPressureProfile.measurement
    /// 138/88 mmHg on 17 April of an unknown year with a pulse of 60, of user 1; 18.9/11.0 kPa.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        measurement: [
            bytes("1E 8A 00 58 00 78 00 00 00 04 11 14 29 3B 3C 00 01 27 00"),
            bytes("15 BD F0 6E F0 9F F0 3C 00 12 00"),
            bytes("02 78 00 50 00 5D 00 EA 07 0B 17 0A 1E 00"),
        ]
    ]
    /// 23 November 2026, noon.
    private static let received = Instant(nanosecondsSince1970: 1_795_435_200_000_000_000)

    private func pressure(
        _ systolic: Double, _ diastolic: Double, _ unit: HealthModel.Unit,
        measured: MeasurementTime? = nil
    ) throws -> Reading {
        let members = [
            CorrelationReading.Member(.bloodPressureSystolic, try Quantity(systolic, unit)),
            CorrelationReading.Member(.bloodPressureDiastolic, try Quantity(diastolic, unit)),
        ]
        return .correlation(CorrelationReading(.bloodPressure, members, measured: measured))
    }

    func testMeasurement_withAnUnknownYear_hasNoTime() throws {
        let pulse = Reading.instant(.heartRate, try Quantity(60, .countPerMinute))
        XCTAssertEqual(
            try decode(
                bytes("1E 8A 00 58 00 78 00 00 00 04 11 14 29 3B 3C 00 01 27 00"),
                of: Self.measurement),
            GATTDecoding([try pressure(138, 88, .millimeterOfMercury), pulse]))
    }

    func testMeasurement_inKilopascals() throws {
        XCTAssertEqual(
            try decode(bytes("15 BD F0 6E F0 9F F0 3C 00 12 00"), of: Self.measurement).readings
                .first, try pressure(18.9, 11, .kilopascal))
    }

    func testMeasurement_hasTheTimeOfTheCuff() throws {
        let time = Instant(nanosecondsSince1970: 1_795_429_800_000_000_000)
        XCTAssertEqual(
            try decode(bytes("02 78 00 50 00 5D 00 EA 07 0B 17 0A 1E 00"), of: Self.measurement),
            GATTDecoding([
                try pressure(
                    120, 80, .millimeterOfMercury, measured: MeasurementTime(.local(time)))
            ]))
    }

    func testMeasurement_withoutValues_isEmpty() throws {
        XCTAssertEqual(
            try decode(bytes("00 FF 07 FF 07 FF 07"), of: Self.measurement),
            GATTDecoding(drops: [.empty]))
    }

    func testUser_ofAnotherNumberIsDiscarded() throws {
        let value = bytes("08 78 00 50 00 5D 00 02")
        for (number, count) in [(nil, 1), (2, 1), (1, 0)] as [(UInt8?, Int)] {
            let decoding = try decode(
                value, of: Self.measurement, BloodPressureProfile(user: DeviceUser(number)))
            XCTAssertEqual(decoding.readings.count, count)
            XCTAssertEqual(decoding.drops, count == 0 ? [.otherUser] : [])
        }
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
            for: BloodPressureProfile(), values: Self.values, receivedAt: Self.received)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: BloodPressureProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(BloodPressureProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 78 00 50 00 5D 00"), of: Self.measurement)
        let samples = try await harness.samples(of: .bloodPressureSystolic)
        XCTAssertEqual(samples.map(\.quantity.value), [120])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: BloodPressureProfile = BloodPressureProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
