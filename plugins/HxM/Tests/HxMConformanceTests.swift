import GatewayTesting
import XCTest

@testable import HxM

final class HxMConformanceTests: XCTestCase {
    func testAdapter_keepsTheContract() {
        let findings = AdapterConformance.findings(for: Packets.h5 + Packets.h6) {
            HxMProtocol().makeAdapter()
        }
        XCTAssertEqual(findings.map(\.description), [])
    }
}
