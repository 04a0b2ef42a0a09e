import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

@testable import PolarMeasurement

/// Both measurements of an H10 at once, over one characteristic.
final class AccelerationSamplesTests: XCTestCase {
    private typealias Profile = PolarMeasurementProfile

    private static let features = bytes("0F 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
    private static let offers = bytes(
        "F0 01 02 00 00 00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00")

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: Profile(electrocardiogram: true, acceleration: true),
            values: [
                Profile.controlPoint: [
                    Self.features, Self.offers, bytes("F0 02 02 00 00 05 01 00 00 80 39"),
                ],
                Profile.measurements: [
                    Self.frame(of: 0, number: 0, count: 73, form: 0, Self.voltage),
                    Self.frame(of: 2, number: 0, count: 36, form: 1, Self.moment),
                ],
            ])
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testElectrocardiogramAndAcceleration_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(
                Profile(electrocardiogram: true, acceleration: true),
                reads: [Profile.controlPoint: Self.features])
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.bluez.wait { $0.writes.count == 2 }
        await harness.notify(bytes("F0 02 00 00 00"), of: Profile.controlPoint)
        await harness.notify(Self.offers, of: Profile.controlPoint)
        await harness.bluez.wait { $0.writes.count == 3 }
        let writes = await harness.bluez.writes
        XCTAssertEqual(
            writes.map(\.value),
            [
                [2, 0, 0, 1, 130, 0, 1, 1, 14, 0], [1, 2],
                [2, 2, 0, 1, 50, 0, 1, 1, 16, 0, 2, 1, 8, 0],
            ])
        await harness.notify(bytes("F0 02 02 00 00"), of: Profile.controlPoint)
        for number in 0..<3 {
            await harness.notify(
                Self.frame(of: 0, number: number, count: 73, form: 0, Self.voltage),
                of: Profile.measurements)
            await harness.notify(
                Self.frame(of: 2, number: number, count: 36, form: 1, Self.moment),
                of: Profile.measurements)
        }
        let voltages = try await harness.samples(of: .electrocardiogramVoltage, count: 3 * 73)
        XCTAssertEqual(voltages.map(\.quantity.value), (0..<3 * 73).map(Double.init))
        var starts: [[Instant]] = []
        for (type, scale) in [
            (QuantityType.accelerationX, 1.0), (.accelerationY, -1), (.accelerationZ, 2),
        ] {
            let samples = try await harness.samples(of: type, count: 3 * 36)
            XCTAssertEqual(
                samples.map(\.quantity.value),
                (0..<3 * 36).map { Double($0) * scale * 9.80665 / 1_000 })
            XCTAssertEqual(samples.first?.quantity.unit.string, "m/s^2")
            starts.append(samples.map(\.start))
        }
        XCTAssertEqual(Set(starts[0]).count, 3 * 36)
        XCTAssertEqual(starts[0], starts[1], "the axes are in step")
        XCTAssertEqual(starts[0], starts[2], "the axes are in step")
        try await harness.gateway.stop()
    }

    private static func voltage(_ index: Int) -> [UInt8] {
        [UInt8(index & 0xFF), UInt8(index >> 8 & 0xFF), 0]
    }

    private static func moment(_ index: Int) -> [UInt8] {
        [index, -index, 2 * index].flatMap { value -> [UInt8] in
            let bits = UInt16(bitPattern: Int16(value))
            return [UInt8(bits & 0xFF), UInt8(bits >> 8)]
        }
    }

    /// A frame whose values count up.
    private static func frame(
        of measurement: UInt8, number: Int, count: Int, form: UInt8, _ value: (Int) -> [UInt8]
    ) -> [UInt8] {
        let time = UInt64(600_000_000_000_000_000 + (number + 1) * 700_000_000)
        return [measurement] + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + [form]
            + (0..<count).flatMap { value(number * count + $0) }
    }
}
