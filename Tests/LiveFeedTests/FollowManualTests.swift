import Foundation
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import LiveFeed

/// The example of `follow` in the manual.
final class FollowManualTests: XCTestCase {
    func testExample_isWhatAGatewaySends() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow("ada")
            let strap = Device(name: "Polar H10", localIdentifier: "strap")
            let steps = try QuantitySample(
                id: fixture.nextID(), type: .stepCount,
                start: fixture.now.adding(nanoseconds: -10_000_000_000), end: fixture.now,
                quantity: Quantity(20, .count), person: "ada", device: Device(name: "HxM"))
            let rate = try QuantitySample(
                id: fixture.nextID(), type: .heartRate, start: fixture.now, end: fixture.now,
                quantity: Quantity(142, .countPerMinute), person: "ada", device: strap)
            let battery = DeviceEvent(
                id: fixture.nextID(), at: fixture.now, device: strap, person: "ada",
                state: DeviceState(battery: 0.8))
            await fixture.publish([.event(battery), .sample(steps), .sample(rate)])

            let page = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/pulsegate/Manual/control-protocol.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            XCTAssertEqual(client.lines.count, 2)
            for line in client.lines {
                XCTAssertTrue(text.contains("```json\n\(line)\n```"), "not in the manual: \(line)")
            }
        }
    }
}
