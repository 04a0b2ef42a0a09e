import Foundation
import GatewayCore
import HealthModel
import XCTest

@testable import HTTPSink

/// Deletions in each format.
final class DeletionFormatTests: XCTestCase {
    private let line = """
        {"kind":"deletion","id":"0198f3c2-0123-8abc-9def-00ff00000000","type":"heartRate",\
        "at":"2026-11-21T18:15:00.123Z","store":"f3"}
        """

    /// The body from records, which is the same from lines that must be decoded.
    private func body(_ format: RequestFormat, _ records: [Record]) -> RequestBody {
        var lines = RecordBatch(records).lines
        let body = format.body(of: lines)
        lines.forgetRecords()
        XCTAssertEqual(format.body(of: lines), body)
        return body
    }

    func testJSON_hasAListOfDeletionsOnlyWhenThereAreAny() throws {
        XCTAssertFalse(body(.json, [try Examples.heartRate()]).text.contains("deletions"))
        let both = body(.json, [Examples.deletion(0), try Examples.heartRate(1)])
        XCTAssertTrue(both.text.hasPrefix(#"{"v":1,"samples":[{"id":"#), both.text)
        XCTAssertTrue(
            both.text.hasSuffix(#"],"events":[],"deletions":[\#(line)]}"#), both.text)
        XCTAssertEqual(both.count, 2)
    }

    func testNdjson_hasTheLine() {
        XCTAssertEqual(body(.ndjson, [Examples.deletion(0)]).text, line + "\n")
    }

    func testInflux_cannotSayIt() throws {
        let body = body(.influx, [Examples.deletion(0), try Examples.heartRate(1)])
        XCTAssertEqual(body.unsupported, [0])
        XCTAssertEqual(body.count, 1)
        XCTAssertEqual(RequestFormat.allCases.filter { !$0.hasDeletions }, [.influx])
    }

    func testFHIR_deletesConditionally() {
        let request = """
            {"request":{"method":"DELETE","url":"Observation?identifier=urn:ietf:rfc:3986|\
            urn:uuid:0198f3c2-0123-8abc-9def-00ff00000000"}}
            """
        let body = body(
            .fhir, [Examples.deletion(0), Examples.deletion(0), Examples.deletion(1, of: nil)])
        XCTAssertEqual(
            body.text, #"{"resourceType":"Bundle","type":"transaction","entry":[\#(request)]}"#)
        // Device events are never sent.
        XCTAssertEqual(body.unsupported, [2])
    }

    /// A server deletes before it creates, so that the record would stay.
    func testFHIR_leavesOutARecordThatIsDeletedInTheSameBatch() throws {
        let body = body(
            .fhir,
            [
                try Examples.heartRate(0), try Examples.heartRate(1), Examples.deletion(0),
            ])
        XCTAssertEqual(body.unsupported, [])
        XCTAssertEqual(body.count, 3)
        XCTAssertEqual(body.text.components(separatedBy: #""method":"POST""#).count - 1, 1)
        XCTAssertEqual(body.text.components(separatedBy: #""method":"DELETE""#).count - 1, 1)
        XCTAssertEqual(
            body.text.components(separatedBy: "0198f3c2-0123-8abc-9def-00ff00000000").count - 1, 1)
    }
}
