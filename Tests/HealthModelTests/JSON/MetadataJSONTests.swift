import HealthModel
import XCTest

final class MetadataJSONTests: XCTestCase {
    private let json =
        #"{"a":"\"x\"\n","b":-0.1,"c":true,"#
        + #""d":{"value":120,"unit":"count/min"},"e":{"date":"2026-11-21T18:15:00.123Z"}}"#

    private func metadata() throws -> Metadata {
        try Metadata([
            "a": .string("\"x\"\n"), "b": .number(-0.1), "c": .boolean(true),
            "d": .quantity(Quantity(120, Unit(parsing: "count/min"))),
            "e": .date(XCTUnwrap(Instant(iso8601: "2026-11-21T18:15:00.123Z"))),
        ])
    }

    func testJSON_isAsInARecord() throws {
        XCTAssertEqual(try metadata().json, json)
        XCTAssertEqual(Metadata().json, "{}")
    }

    func testInit_ofJSON_readsTheSame() throws {
        XCTAssertEqual(try Metadata(json: json), try metadata())
        XCTAssertEqual(try Metadata(json: " {} "), Metadata())
    }

    func testInit_whenTruncatedOrFollowedByMore_throws() {
        for count in 0..<json.count {
            XCTAssertThrowsError(try Metadata(json: String(json.prefix(count))), "\(count)")
        }
        XCTAssertThrowsError(try Metadata(json: json + "x"))
        XCTAssertThrowsError(try Metadata(json: #"{"a":[1]}"#))
    }

    func testInit_ofAValueOfAWrongKind_namesTheKindsThatAreAccepted() {
        for value in ["[1]", "null"] {
            XCTAssertThrowsError(try Metadata(json: "{\"a\":\(value)}")) { error in
                XCTAssertEqual(
                    "\(error)",
                    "metadata.a must be a string, a number, true, false, an object with value and "
                        + "unit, or an object with date, at byte 5")
            }
        }
    }

    func testDecode_ofRecordsThatWereAcceptedBefore_keepsMetadataThatWouldBeRefusedToday() throws {
        let line = Array(
            (#"{"id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"heartRate","#
                + #""start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:15:00Z","value":71,"#
                + #""unit":"count/min","metadata":{"HKMetadataKeySyncIdentifier":"a","HKTimeZone":7}}"#)
                .utf8)
        var strict = RecordDecoder()
        XCTAssertThrowsError(try strict.decode(line))
        var keeping = RecordDecoder(allowingUndeclared: true)
        guard case .sample(let sample) = try keeping.decode(line) else { return XCTFail() }
        XCTAssertEqual(sample.metadata["HKTimeZone"], .number(7))
        var encoded: [UInt8] = []
        RecordEncoder.append(.sample(sample), to: &encoded)
        XCTAssertEqual(try keeping.decode(encoded), .sample(sample))
    }
}
