import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Capture

final class CaptureDecoderTests: XCTestCase {
    private func event(_ line: String) throws -> CaptureEvent? {
        var decoder = CaptureDecoder()
        return try Array(line.utf8).withUnsafeBytes { try decoder.event($0) }
    }

    private let moment = BootInstant(nanoseconds: 9_007_199_254_740_993)

    private var examples: [CaptureEvent] {
        [
            .clock(offset: 1_795_000_000_123_456_789),
            .device(
                1, source: "foot",
                Device(
                    name: "Foot \"1\"\n", manufacturer: "A", model: "B", hardwareVersion: "C",
                    firmwareVersion: "D", softwareVersion: "E", localIdentifier: "/dev/ttyUSB0",
                    serial: "F")),
            .opened(1, at: moment, adapter: .object(["protocol": .string("hxm")])),
            .received(1, at: moment, Array(0...255), on: .stream),
            .received(1_000, at: moment, [], on: Channel("2a37")),
            .stale(1, at: moment, reason: "silent"),
            .closed(1, at: moment, reason: "a \\ b"),
            .forgotten(1, at: moment),
        ]
    }

    func testEvents_readBackExactly() throws {
        for example in examples {
            let line = String(decoding: CaptureEncoder.line(example).dropLast(), as: UTF8.self)
            XCTAssertEqual(try event(line), example, line)
        }
    }

    func testReceived_withSpacesAndCapitals_isRead() throws {
        XCTAssertEqual(
            try event(#"{ "received": 7, "at": 12, "channel": "2A37", "bytes": "0aFF" }"#),
            .received(7, at: BootInstant(nanoseconds: 12), [0x0A, 0xFF], on: Channel("2a37")))
    }

    func testNote_isSkipped() throws {
        XCTAssertNil(try event(#"{"note":"recorded by …"}"#))
    }

    func testTruncatedLines_areRefused() throws {
        for example in examples {
            let line = CaptureEncoder.line(example).dropLast()
            for length in 0..<line.count {
                var decoder = CaptureDecoder()
                XCTAssertThrowsError(
                    try Array(line.prefix(length)).withUnsafeBytes { try decoder.event($0) },
                    String(decoding: line.prefix(length), as: UTF8.self))
            }
        }
    }

    func testInvalidLines_areRefused() {
        let lines = [
            "", "{}", "[]", "1", #"{"unknown":1}"#,
            #"{"received":0,"at":1,"channel":"a","bytes":""}"#,
            #"{"received":1001,"at":1,"channel":"a","bytes":""}"#,
            #"{"received":1,"at":-1,"channel":"a","bytes":""}"#,
            #"{"received":1,"at":99999999999999999999,"channel":"a","bytes":""}"#,
            #"{"received":1,"at":3200000000000000001,"channel":"a","bytes":""}"#,
            #"{"received":1,"at":1,"channel":"a","bytes":"0"}"#,
            #"{"received":1,"at":1,"channel":"a","bytes":"0g"}"#,
            #"{"received":1,"channel":"a","at":1,"bytes":"00"}"#,
            #"{"received":1,"at":1,"channel":"a","bytes":"00"} x"#, #"{"opened":1,"at":1}"#,
            #"{"closed":1,"at":1}"#, #"{"clock":1}"#, #"{"clock":"9223372036854775807"}"#,
            #"{"device":1,"source":"foot"}"#, #"{"device":1.5,"source":"a","localIdentifier":"b"}"#,
            #"{"device":1,"source":"","localIdentifier":"b"}"#,
        ]
        for line in lines { XCTAssertThrowsError(try event(line), line) }
    }

    func testRandomBytes_areRefusedOrRead() {
        var run = FuzzRun("CaptureDecoder", inputs: 5_000)
        let words = ["\"at\":", "{", "}", ",", "-1", "99999999999999999999", "\\", "\"clock\":\""]
        while var generator = run.next() {
            var line = CaptureEncoder.line(generator.pick(examples))
            generator.mutate(&line, words: words.map { Array($0.utf8) })
            var decoder = CaptureDecoder()
            _ = try? line.withUnsafeBytes { try decoder.event($0) }
            _ = try? line.withUnsafeBytes { try CaptureDecoder.header($0) }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
