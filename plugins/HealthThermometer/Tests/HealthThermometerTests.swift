import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import HealthThermometer

final class HealthThermometerTests: XCTestCase {
    private static let measurement = HealthThermometerProfile.measurement
    /// 37.60 degrees at a finger, 2012-12-05 11:50:27; 37.0 degrees Celsius; 98.6 Fahrenheit.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        measurement: [
            bytes("06 B0 0E 00 FE DC 07 0C 05 0B 32 1B 04"), bytes("00 72 01 00 FF"),
            bytes("01 DA 03 00 FF"),
        ],
        HealthThermometerProfile.temperatureType: [bytes("02")],
    ]
    /// A day in December 2012.
    private static let received = Instant(nanosecondsSince1970: 1_354_750_000_000_000_000)

    func testMeasurement_hasTimeAndPlace() throws {
        let time = Instant(nanosecondsSince1970: 1_354_708_227_000_000_000)
        var place = Metadata()
        try place.set(4.0, for: MetadataKey<Double>("HKBodyTemperatureSensorLocation"))
        XCTAssertEqual(
            try decode(bytes("06 B0 0E 00 FE DC 07 0C 05 0B 32 1B 04"), of: Self.measurement),
            GATTDecoding([
                .metadata(place, for: .bodyTemperature),
                .instant(
                    .bodyTemperature, try Quantity(37.6, .degreeCelsius),
                    measured: MeasurementTime(.local(time))),
            ]))
    }

    func testMeasurement_keepsFahrenheit() throws {
        XCTAssertEqual(
            try decode(bytes("01 DA 03 00 FF"), of: Self.measurement).readings,
            [.instant(.bodyTemperature, try Quantity(98.6, .degreeFahrenheit))])
    }

    func testMeasurement_withoutAValue_isEmpty() throws {
        for special in ["FF FF 7F 00", "00 00 80 00", "FE FF 7F 00", "02 00 80 00"] {
            XCTAssertEqual(
                try decode(bytes("00 " + special), of: Self.measurement),
                GATTDecoding(drops: [.empty]), special)
        }
    }

    func testPlace_thatIsReserved_isInvalid() {
        for type in [0, 10, 255] as [UInt8] {
            XCTAssertThrowsError(
                try decode([type], of: HealthThermometerProfile.temperatureType)
            ) { XCTAssertEqual($0 as? ByteDecodingError, .invalid) }
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
            for: HealthThermometerProfile(), values: Self.values, receivedAt: Self.received)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: HealthThermometerProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(HealthThermometerProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 72 01 00 FF"), of: Self.measurement)
        let samples = try await harness.samples(of: .bodyTemperature)
        XCTAssertEqual(samples.map(\.quantity.value), [37])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: HealthThermometerProfile = HealthThermometerProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
