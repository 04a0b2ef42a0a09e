import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import BodyComposition

final class BodyCompositionTests: XCTestCase {
    private static let measurement = BodyCompositionProfile.measurement
    /// 5.0 %; 24.5 % with all fields, on 23 November 2026 at 10:30.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        measurement: [
            bytes("00 00 32 00"),
            bytes(
                "FE 0F F5 00 EA 07 0B 17 0A 1E 00 01 70 17 90 01 40 1F A8 2A 98 28 E0 1E 88 13 B0 36 D6 06"
            ),
        ]
    ]
    /// 23 November 2026, noon.
    private static let received = Instant(nanosecondsSince1970: 1_795_435_200_000_000_000)

    private let time = MeasurementTime(
        .local(Instant(nanosecondsSince1970: 1_795_429_800_000_000_000)))

    func testMeasurement_hasTheFieldsWithAType() throws {
        let value = try XCTUnwrap(Self.values[Self.measurement]?[1])
        XCTAssertEqual(
            try decode(value, of: Self.measurement).readings,
            [
                .instant(.bodyFatPercentage, try Quantity(0.245, .percent), measured: time),
                .instant(.leanBodyMass, try Quantity(54.6, .kilogram), measured: time),
                .instant(.bodyMass, try Quantity(70, .kilogram), measured: time),
                .instant(.height, try Quantity(1.75, .meter), measured: time),
            ])
    }

    /// Only the first part has the time and the user, and both have the body fat.
    func testMeasurement_inTwoParts_isOne() throws {
        var decoder = BodyCompositionDecoder(user: DeviceUser(1))
        let first = try decoder.decode(
            bytes("06 10 F5 00 EA 07 0B 17 0A 1E 00 01"), of: Self.measurement, from: Device(),
            at: BootInstant(nanoseconds: 1_000_000_000))
        let second = try decoder.decode(
            bytes("00 14 F5 00 B0 36"), of: Self.measurement, from: Device(),
            at: BootInstant(nanoseconds: 1_100_000_000))
        XCTAssertEqual(
            first.readings,
            [.instant(.bodyFatPercentage, try Quantity(0.245, .percent), measured: time)])
        XCTAssertEqual(
            second.readings, [.instant(.bodyMass, try Quantity(70, .kilogram), measured: time)])
    }

    /// A first part without its second one does not date the next measurement.
    func testMeasurement_aSecondPartThatIsLate_isAFirstOne() throws {
        var decoder = BodyCompositionDecoder(user: DeviceUser())
        let value = bytes("02 10 F5 00 EA 07 0B 17 0A 1E 00")
        for second in [0, 31] as [Int64] {
            let decoding = try decoder.decode(
                value, of: Self.measurement, from: Device(),
                at: BootInstant(nanoseconds: second * 1_000_000_000))
            XCTAssertEqual(decoding.readings.count, 1)
        }
    }

    func testMeasurement_thatFailed_isEmpty() throws {
        XCTAssertEqual(
            try decode(bytes("00 00 FF FF"), of: Self.measurement), GATTDecoding(drops: [.empty]))
    }

    func testUser_ofAnotherNumberIsDiscarded() throws {
        for (number, count) in [(nil, 1), (5, 1), (1, 0)] as [(UInt8?, Int)] {
            let decoding = try decode(
                bytes("04 00 F5 00 05"), of: Self.measurement,
                BodyCompositionProfile(user: DeviceUser(number)))
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
            for: BodyCompositionProfile(), values: Self.values, receivedAt: Self.received)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: BodyCompositionProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(BodyCompositionProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 00 32 00"), of: Self.measurement)
        let samples = try await harness.samples(of: .bodyFatPercentage)
        XCTAssertEqual(samples.map(\.quantity.value), [0.05])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: BodyCompositionProfile = BodyCompositionProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
