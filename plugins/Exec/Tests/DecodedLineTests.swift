import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Exec

/// Tests of the lines between the gateway and a decoder.
final class DecodedLineTests: XCTestCase {
    private let moment = BootInstant(nanoseconds: 2_000_000_000)

    private func actions(_ line: String) -> [AdapterAction] {
        var adapter = DecodedLineAdapter(types: .standard)
        return adapter.handle(
            AdapterEvent(.received(Array(line.utf8), on: .program), at: moment))
    }

    func testReadings_areReported() throws {
        XCTAssertEqual(
            actions(#"{"reading":"counter","type":"stepCount","value":7,"modulus":256}"#),
            [
                .reading(
                    .counter(
                        CounterReading(
                            .stepCount, value: 7, range: .rollsOver(at: 256), unit: .count)))
            ])
        XCTAssertEqual(
            actions(#"{"reading":"state","contact":true,"battery":0.5}"#),
            [.reading(.state(.contact(true))), .reading(.state(.battery(0.5)))])
        XCTAssertEqual(actions(#"{"discarded":"damaged"}"#), [.dropped(.damaged)])
    }

    func testWrite_isSentToTheDevice() {
        XCTAssertEqual(
            actions(#"{"write":"2A39","bytes":"01ff"}"#), [.send([1, 255], on: Channel("2a39"))])
        XCTAssertEqual(
            actions(#"{"bytes":"00","write":"stream"}"#), [.send([0], on: .stream)])
    }

    func testUnusableLines_areDroppedAndAnswered() {
        let cases: [(line: String, DropReason, String)] = [
            ("", .damaged, "expected {"),
            ("ready", .damaged, "expected {"),
            (#"{"reading":"instant","type":"stepCounts","value":1}"#, .unknown, "type"),
            (#"{"reading":"instant","type":"heartRate"}"#, .invalid, "value"),
            (#"{"write":"2a39"}"#, .invalid, "bytes"),
            (#"{"write":"2a39","bytes":"0"}"#, .invalid, "hexadecimal"),
            (#"{"write":"2a39","bytes":""}"#, .invalid, "1 to 512"),
            (#"{"write":"2a39","bytes":"zz"}"#, .invalid, "hexadecimal"),
            (
                #"{"write":"2a39","bytes":"\#(String(repeating: "00", count: 513))"}"#, .invalid,
                "1 to 512"
            ),
            (#"{"write":"program","bytes":"00"}"#, .invalid, "channel of the device"),
            (#"{"reading":"state","contact":true,"seq":1}"#, .invalid, "keys of a source"),
            (#"{"reading":"state","contact":true,"device":"x"}"#, .invalid, "keys of a source"),
            (
                #"{"type":"heartRate","start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:15:00Z","value":72,"unit":"count/min"}"#,
                .invalid, "no records"
            ),
        ]
        for (line, reason, words) in cases {
            let found = actions(line)
            XCTAssertEqual(found.first, .dropped(reason), line)
            guard found.count == 2, case .send(let answer, .program) = found[1] else {
                XCTFail("\(line): \(found)")
                continue
            }
            let text = String(decoding: answer, as: UTF8.self)
            XCTAssertTrue(text.contains(words), "\(line): \(text)")
            XCTAssertFalse(text.contains("72"), text)
        }
    }

    func testBytesOfTheDevice_areForTheProgramOnly() {
        var adapter = DecodedLineAdapter(types: .standard)
        let event = AdapterEvent(.received([0x16], on: .stream), at: moment)
        XCTAssertEqual(adapter.handle(event), [])
    }

    func testAnyLine_isReadOrRefused() {
        let line = Array(#"{"reading":"beats","ticks":[1041,1030],"perSecond":1024}"#.utf8)
        var run = FuzzRun("Decoded lines", inputs: 2_000)
        while var generator = run.next() {
            var bytes = line
            generator.mutate(&bytes, words: [Array("\"write\":".utf8), Array("null".utf8)])
            var adapter = DecodedLineAdapter(types: .standard)
            let found = adapter.handle(
                AdapterEvent(.received(bytes, on: .program), at: moment))
            run.expect(!found.isEmpty && found.count <= 2, "\(found)")
        }
        XCTAssertEqual(run.finish(), [])
    }

    // MARK: Events

    private func line(_ kind: AdapterEvent.Kind) -> String? {
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_795_000_000_000_000_000)
        return EventLine.bytes(AdapterEvent(kind, at: moment), of: "D0:11", in: epoch).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    func testEvents_areLines() throws {
        let time = #""time":"2026-11-18T11:06:42.000Z"}"# + "\n"
        XCTAssertEqual(line(.opened), #"{"event":"opened","device":"D0:11","# + time)
        XCTAssertEqual(line(.closed), #"{"event":"closed","device":"D0:11","# + time)
        XCTAssertEqual(
            line(
                .received(
                    [0x16, 0x48], on: Channel("00002a37-0000-1000-8000-00805f9b34fb"))),
            #"{"event":"received","device":"D0:11","channel":"2a37","bytes":"1648","# + time)
        let long = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
        XCTAssertEqual(
            line(.received([], on: Channel(long))),
            #"{"event":"received","device":"D0:11","channel":"\#(long)","bytes":"","# + time)
        XCTAssertEqual(
            line(.received([0xFF], on: .stream)),
            #"{"event":"received","device":"D0:11","channel":"stream","bytes":"ff","# + time)
        XCTAssertNil(line(.timer))
        XCTAssertEqual(
            String(decoding: EventLine.rejection("no \"value\""), as: UTF8.self),
            #"{"event":"rejected","reason":"no \"value\""}"# + "\n")
    }

    // MARK: Queue

    func testQueue_beginsEachRunWithTheEventOpened() async {
        let queue = DecoderQueue()
        queue.open([1])
        XCTAssertTrue(queue.append([2]))
        queue.beginRun()
        let first = await queue.nextLines()
        XCTAssertEqual(first, [1, 2])
        XCTAssertTrue(queue.append([3]))
        XCTAssertEqual(queue.removeAll(), [3])
        queue.beginRun()
        XCTAssertEqual(queue.removeAll(), [1])
    }

    func testQueue_refusesWhatIsBeyondItsLimit() {
        let queue = DecoderQueue()
        let half = [UInt8](repeating: 0, count: DecoderQueue.limit / 2)
        XCTAssertTrue(queue.append(half))
        XCTAssertTrue(queue.append(half))
        XCTAssertFalse(queue.append([0]))
        XCTAssertEqual(queue.count, 2)
        XCTAssertEqual(queue.removeAll().count, DecoderQueue.limit)
        XCTAssertEqual(queue.count, 0)
        XCTAssertTrue(queue.append([0]))
    }

    func testQueue_endsItsWaitWhenTheTaskIsCancelled() async {
        let queue = DecoderQueue()
        let waiting = Task { await queue.nextLines() }
        waiting.cancel()
        let lines = await waiting.value
        XCTAssertEqual(lines, [])
    }
}
