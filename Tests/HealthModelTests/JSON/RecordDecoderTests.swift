import HealthModel
import Platform
import XCTest

final class RecordDecoderTests: RecordDecoderTestCase {
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

    func testDecode_whenMoreDevicesThanRemembered_readsEach() throws {
        var decoder = RecordDecoder()
        for round in 0..<50 {
            let device = Device(name: "device \(round % 20)")
            let record = Record.sample(try RecordExamples.sample(device: device))
            XCTAssertEqual(try decoder.decode(RecordExamples.line(record)), record)
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
