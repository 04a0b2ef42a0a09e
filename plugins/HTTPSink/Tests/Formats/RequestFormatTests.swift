import GatewayCore
import XCTest

@testable import HTTPSink

final class RequestFormatTests: XCTestCase {
    func testName_isThatOfTheConfiguration() {
        XCTAssertEqual(
            RequestFormat.allCases.map(\.rawValue), ["json", "ndjson", "influx", "fhir"])
    }

    func testContentType_isThatOfTheFormat() {
        XCTAssertEqual(
            RequestFormat.allCases.map(\.contentType),
            [
                "application/json", "application/x-ndjson", "text/plain; charset=utf-8",
                "application/fhir+json",
            ])
    }

    func testBody_isTheSameOfLinesAndOfRecords() throws {
        let batches = [
            [], try Examples.three(), [Examples.event()], try Examples.everyType(),
            try Examples.hostile(), try Examples.otherKinds() + [Examples.event()],
        ]
        for format in RequestFormat.allCases {
            for batch in batches {
                let body = format.body(of: Examples.lines(batch))
                XCTAssertEqual(format.body(of: batch), body, format.rawValue)
                let published = RecordBatch(batch).lines
                XCTAssertEqual(format.body(of: published), body, format.rawValue)
            }
        }
    }

    func testNDJSON_isTheLinesAsTheyAre() throws {
        let lines = RecordLines(Array("{\"id\":1}\nno json\n\n{\"kind\":\"x\"}".utf8))

        let body = RequestFormat.ndjson.body(of: lines)

        XCTAssertEqual(body, RequestBody(bytes: lines.bytes, count: 4))
    }

    func testNDJSON_copiesNothing() throws {
        let lines = Examples.lines(try Examples.three())

        let body = RequestFormat.ndjson.body(of: lines)

        let addresses = (
            lines.bytes.withUnsafeBytes(\.baseAddress), body.bytes.withUnsafeBytes(\.baseAddress)
        )
        XCTAssertEqual(addresses.0, addresses.1)
    }

    func testBody_whenALineIsNoRecord_leavesItOutAndReportsWhich() throws {
        let good = try Examples.three().map { Examples.lines([$0]).bytes.dropLast() }
            .map { String(decoding: $0, as: UTF8.self) }
        let long = "{\"id\":\"\(String(repeating: "x", count: 70_000))\"} "
        let lines = Examples.lines([
            good[0], "", "null", "{\"id\":", good[1], "{\"kind\":\"workout\"}", long, good[2],
        ])

        for format in [RequestFormat.json, .influx, .fhir] {
            let body = format.body(of: lines)
            let expected = format.body(of: try Examples.three())
            XCTAssertEqual(body.bytes, expected.bytes, format.rawValue)
            XCTAssertEqual(body.count, expected.count, format.rawValue)
            XCTAssertEqual(body.invalid, [1, 2, 3, 5, 6], format.rawValue)
            XCTAssertEqual(
                body.unsupported, expected.unsupported.map { [0, 4, 7][$0] }, format.rawValue)
        }
    }

    func testBody_whenAllLinesAreNoRecords_hasNone() {
        let lines = Examples.lines(["", "x"])

        XCTAssertEqual(
            RequestFormat.json.body(of: lines).text, "{\"v\":1,\"samples\":[],\"events\":[]}")
        XCTAssertEqual(RequestFormat.influx.body(of: lines).text, "")
        XCTAssertEqual(
            RequestFormat.fhir.body(of: lines).text,
            "{\"resourceType\":\"Bundle\",\"type\":\"transaction\"}")
        for format in [RequestFormat.json, .influx, .fhir] {
            XCTAssertEqual(format.body(of: lines).count, 0)
        }
    }
}
