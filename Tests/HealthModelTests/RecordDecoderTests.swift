import HealthModel
import XCTest

final class RecordDecoderTests: XCTestCase {
    private let needed =
        #""id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"stepCount","#
        + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:01.123000001Z","#
        + #""value":1.5,"unit":"count""#
    private let neededOfEvent =
        #""kind":"event","id":"0198f3c2-0123-8abc-9def-00ff10203040","event":"device","#
        + #""at":"2026-11-21T18:15:00.123Z","device":{"name":"x"}"#

    func testDecode_whenEncoded_isTheSame() throws {
        var decoder = RecordDecoder()
        for record in try RecordExamples.all() + RecordExamples.all() {
            XCTAssertEqual(try decoder.decode(RecordExamples.line(record)), record)
        }
    }

    func testDecode_whenRandomRecord_isTheSame() throws {
        let seed: UInt64 = 2_026
        var generator = SeededGenerator(seed: seed)
        var decoder = RecordDecoder()
        for _ in 0..<2_000 {
            let record = try randomRecord(&generator)
            XCTAssertEqual(try decoder.decode(RecordExamples.line(record)), record, "seed \(seed)")
        }
    }

    func testDecode_fromAnyCollection_isTheSame() throws {
        let record = Record.sample(try RecordExamples.fullSample())
        let line = RecordExamples.line(record)
        var decoder = RecordDecoder()
        XCTAssertEqual(try decoder.decode(([0] + line + [0])[1...line.count]), record)
        XCTAssertEqual(try decoder.decode(line.lazy.map { $0 }), record)
        XCTAssertEqual(try line.withUnsafeBytes { try decoder.decode($0) }, record)
    }

    func testDecode_whenKeysComeInAnyOrderAndWithSpace_isRead() throws {
        let line =
            "\t{ \"unit\" : \"count\" ,\r\n \"value\":15e-1,\"end\":\"2026-11-21T18:15:01.123000001Z\","
            + #""start":"2026-11-21T19:15:00.123+01:00","kind":"sample","#
            + #""type":"HKQuantityTypeIdentifierStepCount","#
            + #""id":"0198F3C2-0123-8ABC-9DEF-00FF10203040" } "# + "\n"
        XCTAssertEqual(try decode(line), .sample(try RecordExamples.sample()))
    }

    func testDecode_whenKeysAreUnknown_skipsThem() throws {
        let unknown =
            #","zone":null,"list":[1,-2.5e3,"\u00e9",{"a":[]},[[]],true,false],"o":{"id":1}"#
        XCTAssertEqual(
            try decode("{" + needed + unknown + "}"), .sample(try RecordExamples.sample()))
        let device = try decode("{" + needed + #","device":{"color":"red","name":"x","a":{}}}"#)
        XCTAssertEqual(device, .sample(try RecordExamples.sample(device: Device(name: "x"))))
        let event = try decode("{" + neededOfEvent + #","state":{"mood":[1],"contact":true}}"#)
        guard case .event(let read) = event else { return XCTFail("not an event") }
        XCTAssertEqual(read.state, DeviceState(contact: true))
    }

    func testDecode_whenOptionalIsNull_isLeftOut() throws {
        let nulls = #","person":null,"device":null,"source":null,"metadata":null"#
        XCTAssertEqual(
            try decode("{" + needed + nulls + "}"), .sample(try RecordExamples.sample()))
        let device = try decode("{" + needed + #","device":{"name":null,"serial":"1"}}"#)
        XCTAssertEqual(device, .sample(try RecordExamples.sample(device: Device(serial: "1"))))
    }

    func testDecode_whenEscaped_readsTheCharacters() throws {
        let escaped = #"\u0041\u00e9\ud83d\udc93\/\"\\\b\f\n\r\t\u0000"#
        let record = try decode("{" + needed + #","device":{"n\u0061me":"\#(escaped)"}}"#)
        let name = "Aé💓/\"\\\u{8}\u{c}\n\r\t\u{0}"
        XCTAssertEqual(record, .sample(try RecordExamples.sample(device: Device(name: name))))
        XCTAssertNoThrow(try decode("{" + needed.replacingID(with: #"\u0069d"#) + "}"))
    }

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

    func testDecode_whenAKeyComesTwice_throws() {
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
            (#""id":"x""#, "id"), (#""id":null"#, "id"), (#""type":"pulse""#, "type"),
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
        for kind in ["workout", "category", "correlation", "Sample", ""] {
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
        let space = String(repeating: " ", count: RecordDecoder.longestLine - needed.utf8.count - 2)
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

    func testDecode_whenMoreDevicesThanRemembered_readsEach() throws {
        var decoder = RecordDecoder()
        for round in 0..<50 {
            let device = Device(name: "device \(round % 20)")
            let record = Record.sample(try RecordExamples.sample(device: device))
            XCTAssertEqual(try decoder.decode(RecordExamples.line(record)), record)
        }
    }

    private func decode(_ line: String) throws -> Record {
        var decoder = RecordDecoder()
        return try decoder.decode(Array(line.utf8))
    }

    private func error(_ line: String) -> RecordDecodingError? {
        do {
            _ = try decode(line)
            return nil
        } catch {
            return error as? RecordDecodingError
        }
    }

    private func randomRecord(_ generator: inout SeededGenerator) throws -> Record {
        let type = QuantityType.all.randomElement(using: &generator) ?? .heartRate
        let start = Instant(
            nanosecondsSince1970: .random(in: .min ... .max - 10_000, using: &generator))
        let end = start.adding(nanoseconds: .random(in: 1...10_000, using: &generator))
        let value = Double.random(in: -1e6...1e6, using: &generator)
        let id = RecordID(high: generator.next(), low: generator.next())
        let isKnown = Bool.random(using: &generator)
        return .sample(
            try QuantitySample(
                id: id, type: type, start: start, end: end,
                quantity: Quantity(value, isKnown ? type.displayUnit : type.canonicalUnit),
                person: isKnown ? "ada" : nil, device: isKnown ? RecordExamples.device : nil,
                source: isKnown ? nil : RecordExamples.source,
                metadata: isKnown ? RecordExamples.metadataOfEveryKind() : Metadata()))
    }
}

extension String {
    fileprivate func replacingOccurrence(of text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    fileprivate func replacingID(with key: String) -> String {
        replacingOccurrence(of: "\"id\"", with: "\"\(key)\"")
    }

    private func firstRange(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map {
            $0..<index($0, offsetBy: text.count)
        }
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
