import GatewayTesting
import XCTest

@testable import Lines

final class LinesConformanceTests: XCTestCase {
    func testEveryPreset_keepsTheContract() throws {
        for preset in LinePreset.table {
            let terminator = preset.terminator == .semicolon ? ";" : "\r\n"
            let lines = preset.examples.map { $0 + terminator }.joined()
            let findings = SerialProtocolConformance.findings(
                for: try LinesProtocol(preset: preset), stream: Array((lines + lines).utf8))
            XCTAssertEqual(findings, [], preset.name)
        }
    }

    func testUnusableLinesBetween_keepTheContract() throws {
        let lines =
            "Steps: 7, Distance: 5.25 meters\r\nboot\r\r\n\nSteps: 8\n"
            + String(repeating: "x", count: 300) + "\nSteps: 9, Distance: 6 m, Calories: 1\n"
        let preset = try XCTUnwrap(LinePreset.table.first { $0.name == "steps" })
        let findings = SerialProtocolConformance.findings(
            for: try LinesProtocol(preset: preset), stream: Array(lines.utf8))
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        let findings = SerialProtocolConformance.findings(
            for: LinesProtocol.factory, settings: "preset: \"steps\"")
        XCTAssertEqual(findings, [])
    }
}
