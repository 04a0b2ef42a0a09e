import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Readings
import Serial
import XCTest

/// A plugin in a whole gateway: from the bytes of its device to samples in a store.
final class HarnessTests: XCTestCase {
    private struct Beeper: SerialProtocol {
        let lineSettings = LineSettings(baud: .baud9600)
        let device = Device(manufacturer: "Acme", model: "Beeper")

        func makeAdapter() -> any DeviceAdapter { ByteTotal() }
    }

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

    func testSerial_bytesBecomeSamples() async throws {
        let harness = try await SerialHarness(Beeper())
        try await harness.send([1, 2, 3])
        let steps = try await harness.samples(of: .stepCount)
        XCTAssertEqual(steps.map(\.quantity.value).reduce(0, +), 3)
        XCTAssertEqual(steps[0].device?.model, "Beeper")
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.ingest.converted, ledger.ingest.published)
    }

    func testBluetooth_valuesBecomeSamples_ofTheTypeOfAPlugin() async throws {
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

    func testStop_storesWhatHasArrived() async throws {
        let harness = try await SerialHarness(Beeper())
        try await harness.send([UInt8](repeating: 1, count: 100))
        _ = try await harness.samples(of: .stepCount)
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, ledger.ingest.published)
    }
}
