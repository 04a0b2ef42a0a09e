import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import InfiniTime

final class InfiniTimeTests: XCTestCase {
    private static let stepCount = InfiniTimeProfile.stepCount
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        stepCount: [bytes("E8 03 00 00"), bytes("00 00 00 00")]
    ]

    func testStepCount_isACounter() throws {
        XCTAssertEqual(
            try decode(bytes("E8 03 00 00"), of: Self.stepCount),
            GATTDecoding([.counter(CounterReading(.stepCount, value: 1_000, unit: .count))]))
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
            for: InfiniTimeProfile(), values: Self.values)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: InfiniTimeProfile.factory)
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeRecordsInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(InfiniTimeProfile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for steps in ["64 00 00 00", "78 00 00 00", "05 00 00 00"] {
            await harness.notify(bytes(steps), of: Self.stepCount)
        }
        // The count begins anew at midnight.
        let samples = try await harness.samples(of: .stepCount, count: 2)
        XCTAssertEqual(samples.map(\.quantity.value), [20, 5])
        try await harness.gateway.stop()
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID,
        _ profile: InfiniTimeProfile = InfiniTimeProfile()
    ) throws -> GATTDecoding {
        try profile.decode(value, of: characteristic, from: Device())
    }
}
