import HealthModel
import XCTest

/// Tests for the errors of invalid lines.
final class RecordDecodingErrorTests: RecordDecoderTestCase {
    func testDecode_whenNotJSON_throws() {
        let lines = [
            "", " ", "null", "[]", "1", "{", "}", "{}x", "{\"a\"}", "{\"a\":}", "{,}", "{a:1}",
            "{" + needed, "{" + needed + "}}", "{" + needed + ",}", "{" + needed + "}{}",
            "{" + needed + "} x", "{" + needed + #","x":tru}"#, "{" + needed + #","x":01}"#,
            "{" + needed + #","x":[1,]}"#, "{" + needed + #","x":[1 2]}"#,
            "{" + needed + #","x":"\x"}"#, "{" + needed + #","x":"\u12g4"}"#,
            "{" + needed + #","x":"\ud800"}"#, "{" + needed + #","x":"\ud800\u0041"}"#,
            "{" + needed + #","x":"\udc00"}"#, "{" + needed + ",\"x\":\"\n\"}",
            "{" + needed + #","x":'a'}"#, "\u{FEFF}{" + needed + "}", "{" + needed + #","x":+1}"#,
        ]
        for line in lines {
            XCTAssertThrowsError(try decode(line), line) {
                guard case .syntax = $0 as? RecordDecodingError else {
                    return XCTFail("\($0) for \(line)")
                }
            }
        }
    }

    func testDecode_whenAKeyIsMissing_namesIt() {
        for key in ["id", "type", "start", "end", "value", "unit"] {
            let line = "{" + needed.replacingOccurrence(of: "\"\(key)\":", with: "\"x\":") + "}"
            XCTAssertEqual(error(line), .missingKey(key))
        }
        for key in ["id", "event", "at", "device", "state"] {
            let full = "{" + neededOfEvent + #","state":{}}"#
            let line = full.replacingOccurrence(of: "\"\(key)\":", with: "\"x\":")
            XCTAssertEqual(error(line), .missingKey(key))
        }
        XCTAssertEqual(error("{" + needed + #","source":{}}"#), .missingKey("source.name"))
    }

    func testDecode_whenAKeyIsDuplicate_throws() {
        let extras = [
            (#","value":2"#, "value"), (#","value":1.5"#, "value"), (#","\u0069d":"x""#, "id"),
            (#","device":{"name":"a","name":"a"}"#, "name"),
            (#","source":{"name":"a","name":"b"}"#, "name"),
            (#","metadata":{"a":1,"a":1}"#, "a"),
            (#","metadata":{"a":{"date":"2026-01-01","date":"2026-01-01"}}"#, "date"),
            (#","state":{"contact":null,"contact":true}"#, "contact"),
        ]
        for (extra, key) in extras {
            guard case .duplicateKey(key, _) = error("{" + needed + extra + "}") else {
                XCTFail(extra)
                continue
            }
        }
    }

    func testDecode_whenAValueIsWrong_namesItsKey() {
        let extras = [
            (#","person":"a b""#, "person"), (#","person":1"#, "person"),
            (#","device":[]"#, "device"),
            (#","device":{"name":1}"#, "device.name"), (#","source":"straps""#, "source"),
            (#","metadata":{"a":null}"#, "metadata.a"), (#","metadata":{"a":[]}"#, "metadata.a"),
            (#","metadata":{"a":{}}"#, "metadata.a"),
            (#","metadata":{"a":{"value":1}}"#, "metadata.a"),
            (#","metadata":{"a":{"value":1,"unit":"x"}}"#, "metadata.a.unit"),
            (#","metadata":{"a":{"date":"yesterday"}}"#, "metadata.a.date"),
            (#","metadata":{"a":{"date":"2026-01-01","value":1,"unit":"m"}}"#, "metadata.a"),
            (#","metadata":{"":1}"#, "metadata"), (#","state":{"battery":1.5}"#, "state.battery"),
            (#","state":{"battery":-0.1}"#, "state.battery"),
            (#","state":{"connection":"lost"}"#, "state.connection"),
            (#","state":{"contact":1}"#, "state.contact"), (#","event":"person""#, "event"),
            (#","reason":5"#, "reason"), (#","at":"now""#, "at"),
        ]
        for (extra, key) in extras {
            guard case .invalidValue(key, _, _) = error("{" + needed + extra + "}") else {
                XCTFail(extra)
                continue
            }
        }
    }

    func testDecode_whenANeededValueIsWrong_namesItsKey() {
        let vectors = [
            (#""id":"x""#, "id"), (#""id":null"#, "id"), (#""type":1"#, "type"),
            (#""start":"2026-11-21T18:15:00.123""#, "start"), (#""end":"3000-01-01""#, "end"),
            (#""value":"1""#, "value"), (#""value":null"#, "value"), (#""value":true"#, "value"),
            (#""unit":"steps""#, "unit"), (#""unit":1"#, "unit"),
        ]
        for (value, key) in vectors {
            guard case .invalidValue(key, _, let offset) = error("{" + value + "}") else {
                XCTFail(value)
                continue
            }
            XCTAssertEqual(offset, key.utf8.count + 4)
        }
    }

    func testDecode_whenValuesDoNotFit_throwsTheSampleError() {
        XCTAssertEqual(
            error("{" + needed.replacingOccurrence(of: #""count""#, with: #""m""#) + "}"),
            .invalidSample(.unitDoesNotFit(type: "stepCount", unit: "m")))
        XCTAssertEqual(
            error("{" + needed.replacingOccurrence(of: "15:01.123000001", with: "15:00.123") + "}"),
            .invalidSample(.emptyInterval(type: "stepCount")))
        XCTAssertEqual(
            error("{" + needed.replacingOccurrence(of: "15:01.123000001", with: "14:00") + "}"),
            .invalidSample(.endBeforeStart(type: "stepCount")))
    }

    func testDecode_whenNumberIsNotFinite_throws() {
        for number in ["1e309", "-1e309", "1e999999999999"] {
            let line = "{" + needed.replacingOccurrence(of: "1.5", with: number) + "}"
            guard case .syntax = error(line) else {
                XCTFail(number)
                continue
            }
        }
    }

    func testDecode_whenKindIsAnother_throws() {
        for kind in ["Workout", "Category", "series", "Sample", ""] {
            XCTAssertEqual(error(#"{"kind":"\#(kind)","type":1}"#), .unsupportedKind(offset: 8))
        }
    }

    func testDecode_whenNestedTooDeep_throws() {
        let open = String(repeating: "[", count: 16)
        let close = String(repeating: "]", count: 16)
        XCTAssertNil(error("{" + needed + #","x":"# + open + close + "}"))
        guard case .tooDeep = error("{" + needed + #","x":["# + open + close + "]}") else {
            return XCTFail("not too deep")
        }
        let hostile = #"{"x":"# + String(repeating: #"{"a":["#, count: 9_000)
        guard case .tooDeep = error(hostile) else { return XCTFail("not too deep") }
    }

    func testDecode_whenLineIsTooLong_throws() {
        let space = String(
            repeating: " ", count: RecordDecoder.maximumLineLength - needed.utf8.count - 2)
        XCTAssertNil(error("{" + needed + space + "}"))
        XCTAssertEqual(error("{" + needed + space + " }"), .lineTooLong)
        var decoder = RecordDecoder()
        let lazy = Array(repeating: UInt8(0x20), count: 65_537).lazy.map { $0 }
        XCTAssertThrowsError(try decoder.decode(lazy)) {
            XCTAssertEqual($0 as? RecordDecodingError, .lineTooLong)
        }
    }

    func testDecode_whenNotUTF8_tellsWhere() {
        var line = Array(("{" + needed + #","x":"é"}"#).utf8)
        let index = line.count - 3
        line[index] = UInt8(ascii: "e")
        var decoder = RecordDecoder()
        XCTAssertThrowsError(try decoder.decode(line)) {
            XCTAssertEqual($0 as? RecordDecodingError, .notUTF8(offset: index - 1))
        }
    }

    func testError_neverTellsAValue() {
        let extra = #","device":{"name":"secret"},"metadata":{"a":{"value":"secret"}}"#
        for line in [needed + extra, needed.replacingOccurrence(of: "count\"", with: "secret\"")] {
            let message = error("{" + line + "}")?.description
            XCTAssertNotNil(message)
            XCTAssertFalse(message?.contains("secret") ?? true)
        }
    }

    func testError_isShort_whenTheLineIsLong() {
        let key = String(repeating: "k", count: 50_000)
        for value in ["[]", "1", #"{"date":1}"#] {
            let message = error("{" + needed + #","metadata":{"\#(key)":\#(value)}}"#)?.description
            XCTAssertLessThan(message?.utf8.count ?? .max, 500)
        }
    }
}
