import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import WeightScale

final class WeightScaleTests: XCTestCase {
    private static let measurement = WeightScaleProfile.measurement
    /// 70.000 kg; 157.00 lb; 70 kg at 2023-12-25 14:30:45; of user 5 with index and height.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        measurement: [
            bytes("00 B0 36"), bytes("01 54 3D"), bytes("02 B0 36 E7 07 0C 19 0E 1E 2D"),
            bytes("0C B0 36 05 F5 00 D6 06"),
        ]
    ]
    /// 26 December 2023.
    private static let received = Instant(nanosecondsSince1970: 1_703_600_000_000_000_000)

    private func mass() throws -> Reading {
        .instant(.bodyMass, try Quantity(70, .kilogram))
    }

    func testMeasurement_inKilogramsAndPounds() throws {
        XCTAssertEqual(
            try decode(bytes("00 B0 36"), of: Self.measurement), GATTDecoding([try mass()]))
        XCTAssertEqual(
            try decode(bytes("01 54 3D"), of: Self.measurement).readings,
            [.instant(.bodyMass, try Quantity(157, .pound))])
    }

    func testMeasurement_hasTheTimeOfTheScale() throws {
        let time = Instant(nanosecondsSince1970: 1_703_514_645_000_000_000)
        XCTAssertEqual(
            try decode(bytes("02 B0 36 E7 07 0C 19 0E 1E 2D"), of: Self.measurement).readings,
            [
                .instant(
                    .bodyMass, try Quantity(70, .kilogram),
                    measured: MeasurementTime(.local(time)))
            ])
    }

    func testMeasurement_hasIndexAndHeight() throws {
        XCTAssertEqual(
            try decode(bytes("0C B0 36 05 F5 00 D6 06"), of: Self.measurement).readings,
            [
                try mass(), .instant(.bodyMassIndex, try Quantity(24.5, .count)),
                .instant(.height, try Quantity(1.75, .meter)),
            ])
        XCTAssertEqual(
            try decode(bytes("09 54 3D 00 00 B2 02"), of: Self.measurement).readings.last,
            .instant(.height, try Quantity(69, .inch)))
    }

    func testMeasurement_thatFailed_isEmpty() throws {
        XCTAssertEqual(
            try decode(bytes("00 FF FF"), of: Self.measurement), GATTDecoding(drops: [.empty]))
    }

    func testUser_ofAnotherNumberIsDiscarded() throws {
        for (number, count) in [(nil, 1), (5, 1), (1, 0)] as [(UInt8?, Int)] {
            let decoding = try decode(
                bytes("04 B0 36 05"), of: Self.measurement,
                WeightScaleProfile(user: DeviceUser(number)))
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
            for: WeightScaleProfile(), values: Self.values, receivedAt: Self.received)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: WeightScaleProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(WeightScaleProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 B0 36"), of: Self.measurement)
        let samples = try await harness.samples(of: .bodyMass)
        XCTAssertEqual(samples.map(\.quantity.value), [70])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: WeightScaleProfile = WeightScaleProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
