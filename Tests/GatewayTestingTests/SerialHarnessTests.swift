import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Readings
import Serial
import XCTest

/// A serial plugin in a whole gateway: from the bytes of its device to samples in a store.
final class SerialHarnessTests: XCTestCase {
    private struct Beeper: SerialProtocol {
        let lineSettings = LineSettings(baud: .baud9600)
        let device = Device(manufacturer: "Acme", model: "Beeper")

        func makeAdapter() -> any DeviceAdapter { ByteTotal() }
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

    func testStop_storesWhatHasArrived() async throws {
        let harness = try await SerialHarness(Beeper())
        try await harness.send([UInt8](repeating: 1, count: 100))
        _ = try await harness.samples(of: .stepCount)
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, ledger.ingest.published)
    }
}
