import HealthModel
import XCTest

/// Categories and correlations as JSON.
final class RecordKindTests: RecordDecoderTestCase {
    private let category =
        #"{"kind":"category","id":"0198f3c2-0123-8abc-0000-000000000001","#
        + #""type":"sleepAnalysis","start":"2026-11-21T18:15:00.123Z","#
        + #""end":"2026-11-21T18:45:00.123Z","value":4"#
    private let systolic =
        #"{"id":"0198f3c2-0123-8abc-0000-000000000001","type":"bloodPressureSystolic","#
        + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:00.123Z","#
        + #""value":120,"unit":"mmHg"}"#
    private let diastolic =
        #"{"id":"0198f3c2-0123-8abc-0000-000000000002","type":"bloodPressureDiastolic","#
        + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:00.123Z","#
        + #""value":80,"unit":"mmHg"}"#
    private let head =
        #"{"kind":"correlation","id":"0198f3c2-0123-8abc-9def-00ff10203040","#
        + #""type":"bloodPressure","start":"2026-11-21T18:15:00.123Z","#
        + #""end":"2026-11-21T18:15:00.123Z","samples":["#

    func testCategory_isWrittenAndRead() throws {
        let sample = try RecordExamples.sleep(1)
        let line = category + "}"
        XCTAssertEqual(
            String(decoding: RecordExamples.line(.category(sample)), as: UTF8.self), line)
        XCTAssertEqual(try decode(line), .category(sample))
        XCTAssertEqual(
            try decode(line.replacingOccurrence(of: "\"value\":4", with: "\"value\":4.0")),
            .category(sample))
    }

    func testCorrelation_isWrittenAndRead() throws {
        let correlation = try RecordExamples.bloodPressure()
        let line = head + systolic + "," + diastolic + #"],"person":"ada"}"#
        XCTAssertEqual(
            String(decoding: RecordExamples.line(.correlation(correlation)), as: UTF8.self), line)
        XCTAssertEqual(try decode(line), .correlation(correlation))
        let turned = head + " " + diastolic + " ,\n" + systolic + #" ] ,"person":"ada"}"#
        XCTAssertEqual(try decode(turned), .correlation(correlation))
    }

    func testKind_mayBeLast_andMembersMayHaveOne() throws {
        let correlation = try RecordExamples.bloodPressure()
        let member = "{\"kind\":\"sample\"," + systolic.dropFirst()
        let line =
            "{" + head.dropFirst(#"{"kind":"correlation","#.count) + member + "," + diastolic
            + #"],"person":"ada","kind":"correlation"}"#
        XCTAssertEqual(try decode(line), .correlation(correlation))
    }

    func testFullRecords_readTheSame() throws {
        for record in try RecordExamples.otherKinds() {
            XCTAssertEqual(
                try decode(String(decoding: RecordExamples.line(record), as: UTF8.self)), record)
        }
    }

    func testCategory_whenItsValueIsWrong_isRefusedWithItsType() {
        for value in ["6", "-1", "1.5", "1e300"] {
            XCTAssertEqual(
                error(
                    category.replacingOccurrence(of: "\"value\":4", with: "\"value\":\(value)")
                        + "}"),
                .invalidSample(.unknownValue(type: "sleepAnalysis")))
        }
    }

    func testKeys_thatAreMissing_areNamed() {
        for key in ["id", "type", "start", "end", "value"] {
            let line = category.replacingOccurrence(of: "\"\(key)\":", with: "\"x\":") + "}"
            XCTAssertEqual(error(line), .missingKey(key))
        }
        for key in ["id", "type", "start", "end", "samples"] {
            let line = head.replacingOccurrence(of: "\"\(key)\":", with: "\"x\":")
            XCTAssertEqual(error(line + "]}"), .missingKey(key))
        }
        let incomplete = systolic.replacingOccurrence(of: "\"unit\":", with: "\"x\":")
        XCTAssertEqual(error(head + incomplete + "]}"), .missingKey("unit"))
    }

    func testType_ofAnotherKind_isRefused() {
        let vectors = [
            "{" + needed.replacingOccurrence(of: "stepCount", with: "sleepAnalysis") + "}",
            "{" + needed.replacingOccurrence(of: "stepCount", with: "bloodPressure") + "}",
            category.replacingOccurrence(of: "sleepAnalysis", with: "heartRate") + "}",
            category.replacingOccurrence(of: "sleepAnalysis", with: "food") + "}",
            head.replacingOccurrence(of: "bloodPressure", with: "heartRate") + "]}",
            head.replacingOccurrence(of: "bloodPressure", with: "sleepAnalysis") + "]}",
        ]
        for line in vectors {
            guard case .invalidValue("type", _, _) = error(line) else {
                XCTFail(line)
                continue
            }
        }
    }

    func testCorrelation_whenItsSamplesAreNotAList_throws() {
        let closed = head.dropLast()
        for samples in ["{}", "1", "null", "\"x\""] {
            guard case .invalidValue("samples", _, _) = error(closed + samples + "}") else {
                XCTFail(samples)
                continue
            }
        }
        for samples in ["[1]", "[null]", "[[]]", "[" + systolic + ",]", "[" + systolic] {
            guard case .syntax = error(closed + samples + "}") else {
                XCTFail(samples)
                continue
            }
        }
    }

    func testCorrelation_inACorrelation_isRefused() {
        for kind in ["correlation", "event"] {
            let member = "{\"kind\":\"\(kind)\"," + systolic.dropFirst()
            XCTAssertEqual(
                error(head + member + "]}"), .unsupportedMember(offset: head.utf8.count + 1))
        }
        let nested = String(repeating: #"{"samples":["#, count: 4_000)
        guard case .tooDeep = error(head + nested) else { return XCTFail("not too deep") }
    }

    func testCorrelation_ofTooMany_isRefusedBeforeAllAreRead() {
        let many = String(repeating: systolic + ",", count: Correlation.maximumCount + 1)
        guard case .invalidValue("samples", _, _) = error(head + many) else {
            return XCTFail("not refused")
        }
    }

    func testCorrelation_whenItsMembersDoNotFit_throwsTheSampleError() {
        XCTAssertEqual(
            error(head + systolic + "]}"),
            .invalidSample(
                .members(
                    type: "bloodPressure",
                    expected: "one bloodPressureSystolic and one bloodPressureDiastolic")))
        let same = diastolic.replacingOccurrence(of: "0002", with: "0001")
        XCTAssertEqual(
            error(head + systolic + "," + same + "]}"),
            .invalidSample(.duplicateID(type: "bloodPressure")))
    }
}
