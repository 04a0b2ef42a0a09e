import GatewayTesting
import HealthModel
import XCTest

@testable import HxM

final class HxMConformanceTests: XCTestCase {
    func testProtocol_keepsTheContract() {
        let findings = SerialProtocolConformance.findings(
            for: HxMProtocol(), stream: Packets.h5 + Packets.h6, hasChecksum: true)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(SerialProtocolConformance.findings(for: HxMProtocol.factory), [])
    }
}
