import Foundation
import GatewayCore
import HealthModel
import XCTest

@testable import HTTPSink

final class JSONDocumentTests: XCTestCase {
    private let sample = """
        {"id":"0198f3c2-0123-8abc-9def-00ff00000000","type":"heartRate",\
        "start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:00.123Z","value":72,\
        "unit":"count/min"}
        """
    private let event = """
        {"kind":"event","id":"0198f3c2-0123-8abc-9def-00ff00000001","event":"device",\
        "at":"2026-11-21T18:15:00.123Z","device":{},"state":{"contact":true}}
        """

    private func body(_ lines: [String]) -> RequestBody {
        RequestFormat.json.body(of: Examples.lines(lines))
    }

    func testBody_hasSamplesAndEventsApart_eachInOrder() {
        let later = sample.replacingOccurrences(of: "00000000\"", with: "00000002\"")
        let lines = RecordLines(Array("\(event)\n\(sample)\n\(event)\n\(later)".utf8))

        let body = RequestFormat.json.body(of: lines)

        XCTAssertEqual(
            body.text,
            "{\"v\":1,\"samples\":[\(sample),\(later)],\"events\":[\(event),\(event)]}")
        XCTAssertEqual(body.count, 4)
    }

    func testBody_whenThereIsNothing_hasEmptyLists() {
        XCTAssertEqual(body([]).text, "{\"v\":1,\"samples\":[],\"events\":[]}")
    }

    func testBody_knowsAnEventOfAnotherWriter_howeverItsKindIsWritten() {
        let rest = event.replacingOccurrences(of: "{\"kind\":\"event\",", with: "{")
        let endless = rest.dropLast()
        let events = [
            "\(endless),\"kind\":\"event\"}", "\(endless), \"kind\" : \"event\" } ",
            "\(endless),\"\\u006bind\":\"event\"}", "\(endless),\"k\\u0069nd\":\"ev\\u0065nt\"}",
            " { \"kind\" : \"event\" , \(rest.dropFirst())", "\(event)\r",
        ]

        for line in events {
            let text = body([line]).text
            XCTAssertEqual(text, "{\"v\":1,\"samples\":[],\"events\":[\(line)]}")
        }
    }

    func testBody_knowsASampleOfAnotherWriter() {
        let samples = [
            "{\"kind\":\"sample\",\(sample.dropFirst())",
            "\(sample.dropLast()),\"kind\":\"sample\"}",
            " \(sample) ", "{ \(sample.dropFirst())", "\(sample)\r",
            "\(sample.dropLast()),\"person\":\"kind\"}",
            "\(sample.dropLast()),\"more\":\"\\u006b\"}",
            "\(sample.dropLast()),\"more\":{\"kind\":\"event\"}}",
        ]

        for line in samples {
            let text = body([line]).text
            XCTAssertEqual(text, "{\"v\":1,\"samples\":[\(line)],\"events\":[]}")
        }
    }

    func testBody_whenALineOfAnotherWriterIsNoRecord_leavesItOut() {
        let lines = [
            "{\"kind\":\"category\",\(sample.dropFirst())",
            "\(sample.dropLast()),\"kind\":\"event\"}",
            "\(sample),\(sample)", "[\(sample)]", "{}", "{\"id\":\"\"", "\"", sample,
        ]

        let body = body(lines)

        XCTAssertEqual(body.invalid, [0, 1, 3, 4, 5, 6])
    }

    func testBody_readsBackAsTheRecords() throws {
        let records =
            try Examples.everyType() + Examples.hostile() + Examples.three() + Examples.otherKinds()

        let json = try RequestFormat.json.body(of: records).json()

        XCTAssertEqual(json["v"] as? Int, 1)
        var decoder = RecordDecoder()
        var read: [Record] = []
        for list in ["samples", "events"] {
            for object in try XCTUnwrap(json[list] as? [NSDictionary]) {
                read.append(try decoder.decode(JSONSerialization.data(withJSONObject: object)))
            }
        }
        let samples = records.filter { $0.typeName != nil }
        XCTAssertEqual(read, samples + records.filter { $0.typeName == nil })
    }
}
