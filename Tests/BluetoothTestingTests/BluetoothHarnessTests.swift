import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Readings
import XCTest

/// A profile in a whole gateway: from the values of its device to samples in a store.
final class BluetoothHarnessTests: XCTestCase {
    /// A thermometer with one byte of degrees.
    private struct Thermometer: GATTProfile {
        static let measurement = BluetoothUUID(0x2A1C)
        let name = "thermometer"
        let service = BluetoothUUID(0x1809)
        let subscriptions = [measurement]
        var type = QuantityType.bodyTemperature

        func decode(
            _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
        ) throws(ByteDecodingError) -> GATTDecoding {
            guard let degrees = value.first,
                let quantity = try? Quantity(Double(degrees), .degreeCelsius)
            else { throw .truncated }
            return GATTDecoding([.instant(type, quantity)])
        }
    }

    func testValuesBecomeSamples_ofTheTypeOfAPlugin() async throws {
        let type = try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic, unit: .degreeCelsius)
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(
                Thermometer(type: type), types: try QuantityTypes(custom: [type]))
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for degrees in [30, 31] as [UInt8] {
            await harness.notify([degrees], of: Thermometer.measurement)
        }
        let samples = try await harness.samples(of: type, count: 2)
        XCTAssertEqual(samples.map(\.quantity.value), [30, 31])
        try await harness.gateway.stop()
    }

    func testImplausibleValues_areInTheLedgerOnly() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(Thermometer())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.notify([250], of: Thermometer.measurement)
        await harness.notify([37], of: Thermometer.measurement)
        let samples = try await harness.samples(of: .bodyTemperature)
        XCTAssertEqual(samples.map(\.quantity.value), [37])
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.ingest[.implausible], 1)
    }
}
