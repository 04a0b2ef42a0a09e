import GatewayTesting
import HealthModel
import XCTest

@testable import HxM

final class HxMHarnessTests: XCTestCase {
    func testPackets_becomeSamplesInTheStore() async throws {
        let harness = try await SerialHarness(HxMProtocol())
        try await harness.send(Packets.h5 + Packets.h6)
        let rates = try await harness.samples(of: .heartRate, count: 2)
        XCTAssertEqual(rates.count, 2)
        XCTAssertEqual(rates[0].device?.manufacturer, "Zephyr")
        try await harness.gateway.stop()
    }
}
