import GatewayTesting
import XCTest

@testable import Lines

final class LinesConformanceTests: XCTestCase {
    func testAdapters_ofEveryPresetKeepTheContract() throws {
        for preset in LinePreset.table {
            let terminator = preset.terminator == .semicolon ? ";" : "\r\n"
            let lines = preset.examples.map { $0 + terminator }.joined()
            let stream = Array((lines + lines).utf8)
            let linesProtocol = try LinesProtocol(preset: preset)
            let makeAdapter = { linesProtocol.makeAdapter() }
            var findings = AdapterConformance.findingsWhenCut(stream, makeAdapter: makeAdapter)
            for seed in UInt64(1)...5 {
                findings += AdapterConformance.findingsForRandomBytes(
                    seed: seed, count: 2_000 * FuzzFactor.current, check: stream,
                    makeAdapter: makeAdapter)
            }
            XCTAssertEqual(findings.map(\.description), [], preset.name)
        }
    }
}
