import HealthModel
import XCTest

final class RecordEncoderTests: XCTestCase {
    func testAppend_whenSample_isTheDocumentedLine() throws {
        XCTAssertEqual(
            text(.sample(try RecordExamples.fullSample())),
            #"{"id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"heartRate","#
                + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:00.123Z","#
                + #""value":72,"unit":"count/min","person":"ada","#
                + #""device":{"name":"Polar H10 8A2F","manufacturer":"Polar Electro Oy","#
                + #""model":"H10","hardwareVersion":"00760690.03","firmwareVersion":"5.0.0","#
                + #""softwareVersion":"H10 3.1.1","localIdentifier":"D0:11:22:33:44:55","#
                + #""serial":"8A2F1234"},"source":{"name":"straps","version":"1.0.0"},"#
                + #""metadata":{"HKHeartRateSensorLocation":1}}"#)
    }

    func testAppend_whenNothingIsOptional_hasOnlyTheNeededKeys() throws {
        XCTAssertEqual(
            text(.sample(try RecordExamples.sample())),
            #"{"id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"stepCount","#
                + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:01.123000001Z","#
                + #""value":1.5,"unit":"count"}"#)
    }

    func testAppend_whenEvent_isTheDocumentedLine() {
        let event = DeviceEvent(
            id: RecordExamples.id, at: RecordExamples.start, device: Device(name: "Polar H10 8A2F"),
            state: DeviceState(connection: .connected, contact: true, battery: 0.87),
            reason: "found")
        XCTAssertEqual(
            text(.event(event)),
            #"{"kind":"event","id":"0198f3c2-0123-8abc-9def-00ff10203040","event":"device","#
                + #""at":"2026-11-21T18:15:00.123Z","device":{"name":"Polar H10 8A2F"},"#
                + #""state":{"connection":"connected","contact":true,"battery":0.87},"#
                + #""reason":"found"}"#)
    }

    func testAppend_whenAnEventHasMetadata_putsItLast() throws {
        var metadata = Metadata()
        try metadata.set(true, for: .clockUnset)
        let event = DeviceEvent(
            id: RecordExamples.id, at: RecordExamples.start, device: Device(), state: DeviceState(),
            reason: "found", metadata: metadata)
        XCTAssertTrue(
            text(.event(event)).hasSuffix(
                #""reason":"found","metadata":{"PulsegateClockUnset":true}}"#))
    }

    func testAppend_whenStateIsPartial_separatesItsKeys() {
        let vectors: [(DeviceState, String)] = [
            (DeviceState(), "{}"), (DeviceState(contact: false), #"{"contact":false}"#),
            (DeviceState(battery: 1), #"{"battery":1}"#),
            (DeviceState(connection: .stale, battery: 0), #"{"connection":"stale","battery":0}"#),
            (DeviceState(contact: true, battery: 0.5), #"{"contact":true,"battery":0.5}"#),
        ]
        for (state, expected) in vectors {
            let event = DeviceEvent(
                id: RecordExamples.id, at: RecordExamples.start, device: Device(), state: state)
            XCTAssertTrue(text(.event(event)).hasSuffix(#""state":"# + expected + "}"))
        }
    }

    func testAppend_whenMetadataIsOfEveryKind_escapesAndMarksIt() throws {
        let sample = try RecordExamples.sample(metadata: RecordExamples.metadataOfEveryKind())
        XCTAssertTrue(
            text(.sample(sample)).hasSuffix(
                #","metadata":{"boolean":false,"date":{"date":"2026-11-21T18:15:00.123Z"},"#
                    + #""key \"\n\"":"","number":-1.25e-07,"#
                    + #""quantity":{"value":120,"unit":"count/min"},"#
                    + #""string":"é \"\\/\b\f\n\r\t\u0001\u001f"# + "\u{7f}" + #" 💓"}}"#))
    }

    func testAppend_preservesTheBuffer() throws {
        var buffer: [UInt8] = [1, 2]
        RecordEncoder.append(.event(RecordExamples.fullEvent()), to: &buffer)
        XCTAssertEqual(
            Array(buffer.dropFirst(2)), RecordExamples.line(.event(RecordExamples.fullEvent())))
    }

    func testAppend_whenEverythingIsAsLongAsItCanBe_fitsTheDecoder() throws {
        let long = String(repeating: "\u{1}", count: 1_024)
        let device = Device(
            name: long, manufacturer: long, model: long, hardwareVersion: long,
            firmwareVersion: long, softwareVersion: long, localIdentifier: long, serial: long)
        var metadata = Metadata()
        for index in 0..<63 { try metadata.set(.date(RecordExamples.start), for: "\u{1}\(index)") }
        try metadata.set(.string(String(repeating: "\u{1}", count: 3_900)), for: "x")
        let sample = try QuantitySample(
            id: RecordExamples.id, type: .heartRate, start: RecordExamples.start,
            end: RecordExamples.start, quantity: Quantity(72, .countPerMinute),
            person: String(repeating: "a", count: 64), device: device,
            source: SourceRevision(name: long, version: long), metadata: metadata)
        let line = RecordExamples.line(.sample(sample))
        XCTAssertGreaterThan(line.count, 50_000)
        var decoder = RecordDecoder()
        XCTAssertEqual(try decoder.decode(line), .sample(sample))
    }

    private func text(_ record: Record) -> String {
        String(decoding: RecordExamples.line(record), as: UTF8.self)
    }
}
