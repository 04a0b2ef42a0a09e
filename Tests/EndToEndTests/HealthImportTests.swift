import Foundation
import GatewayTesting
import XCTest

/// `pulsegate import` of an export of Apple Health.
final class HealthImportTests: XCTestCase {
    private func export(_ heartRates: [Int]) -> String {
        let records = heartRates.enumerated().map { index, value in
            """
            <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
            startDate="2024-01-31 12:34:0\(index) +0100" endDate="2024-01-31 12:34:0\(index) +0100" \
            value="\(value)"/>

            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [<!ATTLIST RightEye]>
            <HealthData locale="de_DE">
            <ExportDate value="2024-02-01 20:15:30 +0100"/>
            \(records.joined())<ActivitySummary/>
            </HealthData>
            """
    }

    private func write(_ text: String, to name: String, in home: Home) throws -> String {
        let path = home.folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    func testLaterExport_addsWhatIsNew() async throws {
        let home = try Home()
        let first = try await home.run(["import", write(export([72, 73]), to: "a.xml", in: home)])
        XCTAssertEqual(first.ending, .exited(0), first.error)
        XCTAssertEqual(first.output, "imported 2 records, 0 were already in the store\n")
        XCTAssertEqual(
            first.error, "pulsegate: note: left out, as not supported: 1 ActivitySummary\n")
        let later = try await home.run([
            "import", write(export([72, 73, 74]), to: "b.xml", in: home),
        ])
        XCTAssertEqual(later.output, "imported 1 record, 2 were already in the store\n")
        let query = try await home.run([
            "query", "heartRate", "--format", "csv", "--columns", "value",
        ])
        XCTAssertEqual(query.output, "value\r\n72\r\n73\r\n74\r\n")
    }

    func testTruncatedFile_isStoredUpToThere() async throws {
        let home = try Home()
        let text = export([72, 73])
        let cut = try XCTUnwrap(text.range(of: "value=\"73\""))
        let path = try write(String(text[..<cut.lowerBound]), to: "a.xml", in: home)
        let outcome = try await home.run(["import", path])
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(outcome.output, "imported 1 record, 0 were already in the store\n")
        XCTAssertTrue(outcome.error.contains("the file is corrupt: line 6: "), outcome.error)
    }

    func testArchive_isRefused_andCreatesNoStore() async throws {
        let home = try Home()
        let outcome = try await home.run(["import", write("PK\u{3}\u{4}", to: "a.zip", in: home)])
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("unpack it with `unzip FILE`"), outcome.error)
        let query = try await home.run(["query", "heartRate"])
        XCTAssertEqual(query.ending, .exited(1), query.output)
    }

    // MARK: Export

    func testExport_isImportedIntoANewStore_unchanged() async throws {
        let home = try Home()
        _ = try await home.run(["import", write(export([72, 73, 74]), to: "a.xml", in: home)])
        let path = home.folder.path("export.xml")
        let exported = try await home.run(["export", path])
        XCTAssertEqual(exported.ending, .exited(0), exported.error)
        XCTAssertEqual(exported.error, "pulsegate: 3 records written to \(path)\n")
        let again = try await home.run(["import", path])
        XCTAssertEqual(again.output, "imported 0 records, 3 were already in the store\n")

        let other = try Home()
        let moved = try await other.run(["import", path])
        XCTAssertEqual(moved.output, "imported 3 records, 0 were already in the store\n")
        let query = ["query", "heartRate", "--format", "ndjson"]
        let before = try await home.run(query)
        let after = try await other.run(query)
        XCTAssertEqual(after.output, before.output)
        XCTAssertEqual(before.output.split(separator: "\n").count, 3)
    }

    func testExport_toAPipe_hasTheTimesOfItsOptions() async throws {
        let home = try Home()
        _ = try await home.run(["import", write(export([72, 73, 74]), to: "a.xml", in: home)])
        let outcome = try await home.run(["export", "-", "--from", "2024-01-31T11:34:02Z"])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(outcome.output.components(separatedBy: "<Record ").count, 2)
        XCTAssertTrue(outcome.output.hasSuffix("</HealthData>\n"))
        XCTAssertEqual(outcome.error, "")
    }

    func testExport_thatFails_leavesTheOldFile() async throws {
        let home = try Home()
        let path = try write("old", to: "a.xml", in: home)
        let outcome = try await home.run(["export", path])
        XCTAssertEqual(outcome.ending, .exited(1), "there is no store")
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "old")
        let missing = try await home.run(["export", home.folder.path("none/a.xml")])
        XCTAssertEqual(missing.ending, .exited(1))
    }
}
