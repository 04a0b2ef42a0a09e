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
        XCTAssertEqual(later.output, "imported 1 records, 2 were already in the store\n")
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
        XCTAssertEqual(outcome.output, "imported 1 records, 0 were already in the store\n")
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
}
