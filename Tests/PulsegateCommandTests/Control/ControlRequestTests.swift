import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

@testable import PulsegateCommand

final class ControlRequestTests: XCTestCase {
    private static let people = ["ada", "ada \"\\ é"]

    private func request(_ line: String) throws -> ControlRequest {
        try ControlRequest(line: Array(line.utf8), people: Self.people, types: .standard)
    }

    func testRead_whatIsWritten() throws {
        let requests: [ControlRequest] = [
            .status, .tap(TapFilter()), .tap(TapFilter(type: .quantity(.heartRate))),
            .tap(TapFilter(type: .category(.sleepAnalysis))),
            .tap(TapFilter(type: .correlation(.bloodPressure))), .tap(TapFilter(type: .workout)),
            .tap(TapFilter(person: "ada \"\\ é")),
            .tap(TapFilter(type: .quantity(.stepCount), person: "ada")),
        ]
        for request in requests {
            XCTAssertEqual(
                try ControlRequest(line: request.line, people: Self.people, types: .standard),
                request)
        }
    }

    func testRead_aSampleThatSomebodyHasEntered() throws {
        let time = Instant(nanosecondsSince1970: 1_790_000_000_123_456_789)
        let sample = try QuantitySample(
            id: RecordID.make(start: time, device: "entered", stream: "bodyMass", key: 1),
            type: .bodyMass, start: time, end: time, quantity: Quantity(154.1, .pound),
            person: "ada", metadata: Metadata(["HKWasUserEntered": .boolean(true)]))
        let request = ControlRequest.add(sample)
        XCTAssertEqual(
            try ControlRequest(line: request.line, people: Self.people, types: .standard), request)
    }

    func testRead_aSampleThatCannotBe_isRefusedWithoutItsValue() {
        let id = "01a20341-2160-86c1-85e4-df4f344017da"
        func line(_ fields: String) -> String {
            #"{"request":"add","sample":{"id":"\#(id)",\#(fields)}}"#
        }
        let time = #""start":"2026-11-21T10:00:00Z","end":"2026-11-21T10:00:00Z""#
        let cases = [
            #"{"request":"add"}"#, #"{"request":"add","sample":7}"#,
            #"{"request":"add","sample":{}}"#, #"{"request":"status","sample":{}}"#,
            line(#""type":"bodyMass",\#(time),"value":8137,"unit":"kg""#),
            line(#""type":"bodyMass",\#(time),"value":8137,"unit":"in""#),
            line(#""type":"bodyMass",\#(time),"value":80,"unit":"kg","person":"eve""#),
            line(#""type":"stepCount",\#(time),"value":8137,"unit":"count""#),
            line(
                #""type":"stepCount","start":"2020-11-21T10:00:00Z","end":"2026-11-21T10:00:00Z","#
                    + #""value":8137,"unit":"count""#),
            line(
                #""type":"bodyMass",\#(time),"value":80,"unit":"kg","metadata":{"HKTimeZone":7}"#),
            #"{"request":"add","sample":{"kind":"event","id":"\#(id)","event":"device"}}"#,
        ]
        for line in cases {
            XCTAssertThrowsError(try request(line), line) { error in
                XCTAssertFalse("\(error)".contains("8137"), "\(error)")
            }
        }
    }

    func testRead_aTypeThatOnlyTheGatewayKnows() throws {
        let type = try QuantityType(custom: "skin", style: .discreteArithmetic, unit: .count)
        let request = ControlRequest.tap(TapFilter(type: .quantity(type)))
        XCTAssertThrowsError(
            try ControlRequest(line: request.line, people: [], types: .standard))
        XCTAssertEqual(
            try ControlRequest(
                line: request.line, people: [], types: QuantityTypes(custom: [type])), request)
    }

    func testLine_isPlainJSON() {
        let request = ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada"))
        XCTAssertEqual(
            String(decoding: request.line, as: UTF8.self),
            #"{"request":"tap","type":"heartRate","person":"ada"}"#)
    }

    func testRead_whatIsWrong_saysWhatIsMeant() {
        let cases: [(line: String, problem: String)] = [
            (#"{"request":"stats"}"#, "did you mean `status`?"),
            (#"{"request":"dance"}"#, "known: status, tap"),
            (#"{"request":7}"#, "request: expected a string"),
            (#"{"type":"heartRate"}"#, "the key `request` is missing"),
            (#"{"request":"tap","type":"heartrat"}"#, "did you mean `heartRate`?"),
            (
                #"{"request":"tap","person":"adda"}"#,
                "person: `adda` is unknown; did you mean `ada`?"
            ),
            (#"{"request":"tap","person":7}"#, "person: expected a string"),
            (#"{"request":"tap","tipe":"heartRate"}"#, "did you mean `type`?"),
            (#"{"request":"status","type":"heartRate"}"#, "`status` does not"),
            (#"{"request":"tap","request":"tap"}"#, "stands here twice"),
            (#"["request"]"#, "expected an object"), ("\u{0}", "line 1, column 1"),
        ]
        for (line, problem) in cases {
            XCTAssertThrowsError(try request(line), line) { error in
                XCTAssertTrue("\(error)".contains(problem), "\(line): \(error)")
            }
        }
        XCTAssertThrowsError(
            try ControlRequest(line: [0x22, 0xFF, 0x22], people: Self.people, types: .standard))
    }

    func testRead_everyTruncation_isAnError() throws {
        let line = ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada")).line
        for count in 0..<line.count {
            XCTAssertThrowsError(
                try ControlRequest(line: line.prefix(count), people: Self.people, types: .standard),
                "\(count) bytes")
        }
    }

    func testRead_randomBytes_isARequestOrAnError() throws {
        var generator = SeededGenerator(seed: 41)
        let line = ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada")).line
        for _ in 0..<2_000 * FuzzFactor.current {
            var bytes = line
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            guard
                let request = try? ControlRequest(
                    line: bytes, people: Self.people, types: .standard)
            else {
                continue
            }
            XCTAssertEqual(
                try ControlRequest(line: request.line, people: Self.people, types: .standard),
                request)
        }
    }

    func testFilter_byTypeAndPerson() throws {
        let now = Instant(nanosecondsSince1970: 1)
        let id = RecordID.make(start: now, device: "d", stream: "s", key: 1)
        let sample = Record.sample(
            try QuantitySample(
                id: id, type: .heartRate, start: now, end: now,
                quantity: Quantity(60, .countPerMinute), person: "ada"))
        let event = Record.event(
            DeviceEvent(id: id, at: now, device: Device(), person: "ada", state: DeviceState()))
        let cases: [(filter: TapFilter, sample: Bool, event: Bool)] = [
            (TapFilter(), true, true), (TapFilter(type: .quantity(.heartRate)), true, false),
            (TapFilter(type: .quantity(.stepCount)), false, false),
            (TapFilter(person: "ada"), true, true),
            (TapFilter(person: "bob"), false, false),
            (TapFilter(type: .quantity(.heartRate), person: "bob"), false, false),
        ]
        let sleep = Record.category(
            try CategorySample(
                id: id, type: .sleepAnalysis, start: now, end: now, value: 3, person: "ada"))
        XCTAssertTrue(TapFilter(type: .category(.sleepAnalysis), person: "ada").lets(sleep))
        XCTAssertFalse(TapFilter(type: .category(.sleepAnalysis), person: "bob").lets(sleep))
        XCTAssertFalse(TapFilter(type: .category(.appleStandHour)).lets(sleep))
        for (filter, letsSample, letsEvent) in cases {
            XCTAssertEqual(filter.lets(sample), letsSample, "\(filter)")
            XCTAssertEqual(filter.lets(event), letsEvent, "\(filter)")
        }
    }
}

final class RequestLinesTests: XCTestCase {
    private func take(_ pieces: [String]) throws -> [String] {
        var lines = RequestLines()
        var taken: [String] = []
        for piece in pieces {
            taken += try lines.take(Array(piece.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        return taken
            + (lines.finish().map { ["rest: " + String(decoding: $0, as: UTF8.self)] } ?? [])
    }

    func testTake_linesHoweverTheyAreCut() throws {
        XCTAssertEqual(try take(["a\nbc\n"]), ["a", "bc"])
        XCTAssertEqual(try take(["a", "b", "\n", "\n\nc", "d\n"]), ["ab", "cd"])
        XCTAssertEqual(try take(["a\nb"]), ["a", "rest: b"])
        XCTAssertEqual(try take(["\n", ""]), [])
    }

    func testTake_keepsNoMoreThanALineMayHave() throws {
        let longest = String(repeating: "x", count: ControlRequest.longestLine)
        XCTAssertEqual(try take([longest, "\n"]), [longest])
        XCTAssertThrowsError(try take([longest, "x"]))
        XCTAssertThrowsError(try take([longest + "x\n"]))
        XCTAssertThrowsError(try take(["a\n" + longest, "x"]))
    }
}
