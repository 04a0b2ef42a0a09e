import Bluetooth
import BluetoothTesting
import ByteDecoding
import Cycling
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import CyclingSpeed

final class CyclingSpeedTests: XCTestCase {
    private static let measurement = CyclingSpeedProfile.measurement
    /// Wheel 12,345 at 1,000 ticks; crank 345 at 2,000; both; the same 1,024 ticks later.
    private static let values = [
        bytes("01 39 30 00 00 E8 03"), bytes("02 59 01 D0 07"),
        bytes("03 39 30 00 00 E8 03 59 01 D0 07"), bytes("03 3D 30 00 00 E8 07 5B 01 D0 0B"),
    ]

    private func counter(_ value: Double) -> Reading {
        .counter(
            CounterReading(
                .distanceCycling, value: value, range: .rollsOver(at: 4_294_967_296), unit: .meter,
                countsPerUnit: 1 / 2.105))
    }

    /// The readings of values that come a second apart.
    private func decode(_ values: [[UInt8]]) throws -> [[Reading]] {
        var decoder = CyclingSpeedDecoder(wheel: Wheel())
        return try values.enumerated().map { second, value in
            try decoder.decode(
                value, of: Self.measurement, from: Device(),
                at: BootInstant(nanoseconds: Int64(second) * 1_000_000_000)
            ).readings
        }
    }

    func testDecode_wheelAndCrank() throws {
        XCTAssertEqual(
            try decode([Self.values[2], Self.values[3]]),
            [
                [counter(12_345)],
                [
                    counter(12_349),
                    .instant(.cyclingSpeed, try Quantity(4 * 2.105, .meterPerSecond)),
                    .instant(.cyclingCadence, try Quantity(120, .countPerMinute)),
                ],
            ])
    }

    func testCrank_rollsOver() throws {
        XCTAssertEqual(
            try decode([bytes("02 FF FF 00 FC"), bytes("02 01 00 00 04")]).last,
            [.instant(.cyclingCadence, try Quantity(60, .countPerMinute))])
    }

    func testNeitherWheelNorCrank_isEmpty() throws {
        XCTAssertEqual(
            try CyclingSpeedProfile().decode([0], of: Self.measurement, from: Device()),
            GATTDecoding(drops: [.empty]))
    }

    func testDecode_whenCutShort_throws() {
        for value in Self.values {
            for length in 0..<value.count {
                let part = Array(value.prefix(length))
                XCTAssertThrowsError(
                    try CyclingSpeedProfile().decode(part, of: Self.measurement, from: Device())
                ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated, "\(part)") }
            }
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: CyclingSpeedProfile(), values: [Self.measurement: Self.values])
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: CyclingSpeedProfile.factory), [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(CyclingSpeedProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for value in Self.values.suffix(2) {
            await harness.notify(value, of: Self.measurement)
        }
        let distances = try await harness.samples(of: .distanceCycling)
        XCTAssertEqual(distances.map(\.quantity.value), [4 / (1 / 2.105)])
        let cadences = try await harness.samples(of: .cyclingCadence)
        XCTAssertEqual(cadences.map(\.quantity.value), [120])
        try await harness.gateway.stop()
    }
}
