import Bluetooth
import BluetoothTesting
import ByteDecoding
import Cycling
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import CyclingPower

final class CyclingPowerTests: XCTestCase {
    private static let measurement = CyclingPowerProfile.measurement
    /// 250 W; 300 W with the balance; 320 W with the energy; 331 W with the wheel; 368 W with the
    /// crank; all fields.
    private static let values = [
        bytes("00 00 FA 00"), bytes("01 00 2C 01 64"), bytes("00 08 40 01 0A 00"),
        bytes("10 00 4B 01 39 30 00 00 00 08"), bytes("20 00 70 01 90 01 00 04"),
        bytes(
            "FF 0F 70 01 64 00 01 39 30 00 00 00 10 92 01 00 08 01 00 02 00 03 00 04 00 BC 3A 12 "
                + "5A 00 0E 01 0A 00"),
    ]

    /// The readings of values that come a second apart.
    private func decode(_ values: [[UInt8]]) throws -> [[Reading]] {
        var decoder = CyclingPowerDecoder(wheel: Wheel(circumference: 2_000))
        return try values.enumerated().map { second, value in
            try decoder.decode(
                value, of: Self.measurement, from: Device(),
                at: BootInstant(nanoseconds: Int64(second) * 1_000_000_000)
            ).readings
        }
    }

    private func power(_ watts: Double) throws -> Reading {
        .instant(.cyclingPower, try Quantity(watts, .watt))
    }

    func testDecode_power() throws {
        XCTAssertEqual(
            try decode(Array(Self.values.prefix(3))),
            try [250, 300, 320].map { [try power($0)] })
    }

    func testPower_thatIsNegative_isNone() throws {
        XCTAssertEqual(try decode([bytes("00 00 F6 FF")]), [[try power(0)]])
    }

    /// The clock of the wheel has 2,048 ticks a second, that of the crank 1,024.
    func testDecode_wheelAndCrank_haveDifferentClocks() throws {
        let first = bytes("30 00 64 00 00 00 00 00 00 00 00 00 00 00")
        let second = bytes("30 00 64 00 03 00 00 00 00 08 02 00 00 04")
        XCTAssertEqual(
            try decode([first, second])[1].dropFirst(2),
            [
                .instant(.cyclingSpeed, try Quantity(6, .meterPerSecond)),
                .instant(.cyclingCadence, try Quantity(120, .countPerMinute)),
            ])
    }

    func testDecode_findsTheTurnsAmongAllFields() throws {
        let first = bytes("30 00 64 00 38 30 00 00 00 08 90 01 00 04")
        XCTAssertEqual(
            try decode([first, Self.values[5]])[1].dropFirst(2),
            [
                .instant(.cyclingSpeed, try Quantity(2, .meterPerSecond)),
                .instant(.cyclingCadence, try Quantity(120, .countPerMinute)),
            ])
    }

    func testDecode_whenCutShort_throws() {
        for value in Self.values {
            for length in 0..<value.count {
                let part = Array(value.prefix(length))
                XCTAssertThrowsError(
                    try CyclingPowerProfile().decode(part, of: Self.measurement, from: Device())
                ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated, "\(part)") }
            }
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: CyclingPowerProfile(), values: [Self.measurement: Self.values])
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: CyclingPowerProfile.factory), [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(CyclingPowerProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify(bytes("00 00 FA 00"), of: Self.measurement)
        let samples = try await harness.samples(of: .cyclingPower)
        XCTAssertEqual(samples.map(\.quantity.value), [250])
        try await harness.gateway.stop()
    }
}
