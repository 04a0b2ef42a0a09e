import Bluetooth
import BluetoothTesting
import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

@testable import HeartRate

final class HeartRateHarnessTests: XCTestCase {
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(
                HeartRateProfile(), reads: [BluetoothUUID(0x2A38): [1]])
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for rate in [60, 61, 62] as [UInt8] {
            await harness.notify([0x06, rate], of: BluetoothUUID(0x2A37))
        }
        let samples = try await harness.samples(of: .heartRate, count: 3)
        XCTAssertEqual(samples.map(\.quantity.value), [60, 61, 62])
        XCTAssertEqual(samples[0].metadata["HKHeartRateSensorLocation"], .number(1))
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.ingest.converted, ledger.ingest.published)
    }
}
