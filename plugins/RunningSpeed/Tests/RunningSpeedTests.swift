import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import RunningSpeed

final class RunningSpeedTests: XCTestCase {
    private static let measurement = RunningSpeedProfile.measurement
    /// 2.5 m/s and 180 steps per minute; with a stride of 0.85 m; with 1,000.0 m; with both; running.
    private static let values = [
        bytes("00 80 02 B4"), bytes("01 80 02 B4 55 00"), bytes("02 80 02 B4 10 27 00 00"),
        bytes("03 80 02 B4 55 00 10 27 00 00"), bytes("07 00 03 12 56 00 01 00 00 F0"),
    ]

    private func counter(_ value: Double) -> Reading {
        .counter(
            CounterReading(
                .distanceWalkingRunning, value: value, range: .rollsOver(at: 4_294_967_296),
                unit: .meter, countsPerUnit: 10))
    }

    private func decode(_ value: [UInt8], stepsPerCount: Double = 1) throws -> [Reading] {
        try RunningSpeedProfile(stepsPerCount: stepsPerCount)
            .decode(value, of: Self.measurement, from: Device()).readings
    }

    func testDecode_running() throws {
        XCTAssertEqual(
            try decode(bytes("07 00 03 12 56 00 01 00 00 F0")),
            [
                .instant(.runningSpeed, try Quantity(3, .meterPerSecond)),
                .instant(.runningCadence, try Quantity(18, .countPerMinute)),
                .instant(.runningStrideLength, try Quantity(0.86, .meter)), counter(0xF000_0001),
            ])
    }

    /// There is no type for the cadence and the strides of a walk.
    func testDecode_walking() throws {
        XCTAssertEqual(
            try decode(bytes("03 80 02 B4 55 00 10 27 00 00")),
            [.instant(.walkingSpeed, try Quantity(2.5, .meterPerSecond)), counter(10_000)])
    }

    func testCadence_inStrides_isTwiceAsMuch() throws {
        XCTAssertTrue(
            try decode(bytes("04 80 02 5A"), stepsPerCount: 2)
                .contains(.instant(.runningCadence, try Quantity(180, .countPerMinute))))
    }

    func testDecode_whenCutShort_throws() {
        for value in Self.values {
            for length in 0..<value.count {
                let part = Array(value.prefix(length))
                XCTAssertThrowsError(
                    try RunningSpeedProfile().decode(part, of: Self.measurement, from: Device())
                ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated, "\(part)") }
            }
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: RunningSpeedProfile(), values: [Self.measurement: Self.values])
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: RunningSpeedProfile.factory), [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(RunningSpeedProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for distance in ["E8 03", "06 04", "24 04"] {
            await harness.notify(bytes("06 00 03 A0 \(distance) 00 00"), of: Self.measurement)
        }
        let distances = try await harness.samples(of: .distanceWalkingRunning, count: 2)
        XCTAssertEqual(distances.map(\.quantity.value), [3, 3])
        let cadences = try await harness.samples(of: .runningCadence, count: 3)
        XCTAssertEqual(cadences.map(\.quantity.value), [160, 160, 160])
        try await harness.gateway.stop()
    }
}
