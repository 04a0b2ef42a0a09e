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
            let findings = AdapterConformance.findings(for: stream) {
                linesProtocol.makeAdapter()
            }
            XCTAssertEqual(findings.map(\.description), [], preset.name)
        }
    }
}
