import GatewayTesting
import XCTest

@testable import HxM

final class HxMConformanceTests: XCTestCase {
    func testAdapter_keepsTheContract() {
        let stream = Packets.h5 + Packets.h6
        let makeAdapter = { HxMProtocol().makeAdapter() }
        var findings = AdapterConformance.findingsWhenCut(stream, makeAdapter: makeAdapter)
        for seed in UInt64(1)...20 {
            findings += AdapterConformance.findingsForRandomBytes(
                seed: seed, count: 2_000 * FuzzFactor.current, check: stream,
                makeAdapter: makeAdapter)
        }
        XCTAssertEqual(findings.map(\.description), [])
    }
}
