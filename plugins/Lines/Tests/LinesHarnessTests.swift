import GatewayTesting
import HealthModel
import XCTest

@testable import Lines

final class LinesHarnessTests: XCTestCase {
    func testLines_becomeSamplesInTheStore() async throws {
        let preset = try XCTUnwrap(LinePreset.table.first { $0.name == "steps" })
        let harness = try await SerialHarness(LinesProtocol(preset: preset))
        try await harness.send(Array("Steps: 7\r\nSteps: 9\r\nnoise\r\n".utf8))
        let steps = try await harness.samples(of: .stepCount)
        XCTAssertEqual(steps.map(\.quantity.value), [2])
        try await harness.gateway.stop()
    }
}
