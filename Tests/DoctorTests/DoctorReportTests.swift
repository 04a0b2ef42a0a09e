import Foundation
import HostFiles
import Terminal
import XCTest

@testable import Doctor

/// What is printed, and what the manual says of it.
final class DoctorReportTests: XCTestCase {
    private func makeFacts() -> Facts {
        var facts = Facts()
        facts.configuration.path = "/etc/a\u{1b}[31m"
        facts.configuration.sources = ["s"]
        facts.storage.path = "/data"
        facts.storage.freeBytes = 1
        return facts
    }

    func testText_hasALineForEach_withoutControlCharacters() {
        let report = DoctorReport(makeFacts())
        let lines = report.text(.plain).split(separator: "\n")
        XCTAssertEqual(
            lines.first,
            "✗ disk-full: the disk of /data has 1 B left; fix: df -h /data  # free space there, "
                + "or set `retention` of the store")
        XCTAssertTrue(lines.dropFirst().allSatisfy { $0.hasPrefix("✓ ") }, "\(lines)")
        XCTAssertFalse(report.text(.plain).contains("\u{1b}"))
        XCTAssertEqual(report.status, .failure)
    }

    func testMarks_haveColoursAtATerminal() {
        let text = DoctorReport(makeFacts()).text(Painter(isOn: true))
        XCTAssertTrue(text.hasPrefix("\u{1b}[31m✗ disk-full\u{1b}[0m: the disk"), text)
        XCTAssertTrue(text.contains("\u{1b}[32m✓\u{1b}[0m sources: s"), text)
    }

    func testJSON_hasTheKeysOfTheManual() throws {
        let report = DoctorReport(makeFacts())
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
        let fields = try XCTUnwrap(object as? [String: Any])
        XCTAssertEqual(fields["dataFlows"] as? Bool, false)
        XCTAssertEqual(fields["v"] as? Int, 1)
        let finding = try XCTUnwrap((fields["findings"] as? [[String: Any]])?.first)
        XCTAssertEqual(finding["id"] as? String, "disk-full")
        XCTAssertEqual(finding["severity"] as? String, "problem")
        XCTAssertEqual(finding["subject"] as? String, "/data")
        XCTAssertEqual(finding["command"] as? String, "df -h /data")
        XCTAssertEqual((fields["well"] as? [String])?.count, report.well.count)
    }

    func testAdvice_alone_isNoFailure() {
        var facts = Facts()
        facts.gateway.state = .stopped
        let report = DoctorReport(facts)
        XCTAssertEqual(report.findings.map(\.severity), [.advice])
        XCTAssertEqual(report.status, .success)
    }

    func testManual_namesEveryFinding() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let manual = try String(
            contentsOf: root.appending(path: "Sources/pulsegate/Manual/operation.md"),
            encoding: .utf8)
        for kind in Finding.Kind.allCases {
            XCTAssertTrue(manual.contains("`\(kind.rawValue)`"), kind.rawValue)
        }
    }
}
