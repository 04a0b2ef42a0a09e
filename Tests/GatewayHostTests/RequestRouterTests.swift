import GatewayTesting
import HealthModel
import JSON
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// Requests as clients send them, and what a gateway answers.
final class RequestRouterTests: XCTestCase {
    private let skin = Result {
        try QuantityType(custom: "skin", aggregationStyle: .discreteArithmetic, unit: .count)
    }

    /// Sends lines to a gateway that runs, and returns its answers.
    private func answers(to lines: [[UInt8]]) async throws -> [String] {
        let (gateway, service) = try ServiceFixture.make(types: [try skin.get()])
        let channel = RecordingChannel()
        _ = await gateway.run {
            for line in lines {
                let stream = await RequestRouter().answer(line, service, channel)?.stream
                stream?.cancel()
            }
        }
        return channel.lines
    }

    private func answer(to line: String) async throws -> String {
        let all = try await answers(to: [Array(line.utf8)])
        return try XCTUnwrap(all.first)
    }

    func testTap_repeatsItsFilter() async throws {
        let filters = [
            "{}", #"{"type":"heartRate"}"#, #"{"type":"sleepAnalysis"}"#,
            #"{"type":"bloodPressure"}"#, #"{"type":"workout"}"#, #"{"person":"ada"}"#,
            #"{"type":"stepCount","person":"bob"}"#, #"{"type":"skin"}"#,
        ]
        let lines = filters.map { filter in
            Array((#"{"request":"tap""# + (filter == "{}" ? "}" : "," + filter.dropFirst())).utf8)
        }
        let answers = try await answers(to: lines)
        XCTAssertEqual(answers, filters.map { #"{"tap":\#($0)}"# })
    }

    func testAdd_isAnsweredWithTheID_andPublished() async throws {
        let time = Instant(nanosecondsSince1970: 1_790_000_000_123_456_789)
        let sample = try QuantitySample(
            id: RecordID.make(start: time, device: "entered", stream: "bodyMass", key: 1),
            type: .bodyMass, start: time, end: time, quantity: Quantity(154.1, .pound),
            person: "bob", metadata: Metadata(["HKWasUserEntered": .boolean(true)]))
        var json = JSONWriter()
        json.object { json in
            json.field("request", "add")
            json.record("sample", .sample(sample))
        }
        let line = json.bytes
        let (gateway, service) = try ServiceFixture.make()
        let channel = RecordingChannel()
        let ledger = await gateway.run {
            _ = await RequestRouter().answer(line, service, channel)
        }
        XCTAssertEqual(ledger.ingest.published, 1)
        XCTAssertEqual(channel.lines, [#"{"added":{"id":"\#(sample.id)"}}"#])
    }

    func testIngest_thatWaitsForTheStore_saysWhetherItHasTheRecords() async throws {
        let wait = #"{"request":"ingest","records":[],"waitForStore":"#
        let answers = try await answers(
            to: ["true}", "false}", "1}"].map { Array((wait + $0).utf8) })
        XCTAssertEqual(
            answers,
            [
                #"{"accepted":0,"stored":true}"#, #"{"accepted":0}"#,
                #"{"error":"waitForStore: expected true or false, found a number","#
                    + #""key":"waitForStore"}"#,
            ])
    }

    func testAdd_ofASampleThatCannotBe_isRefusedWithoutItsValue() async throws {
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
            let answer = try await answer(to: line)
            XCTAssertTrue(answer.hasPrefix(#"{"error":"#), "\(line): \(answer)")
            XCTAssertFalse(answer.contains("8137"), answer)
        }
    }

    func testIngest_readsRecordsAsTheyWereSent_andNamesTheWrongOne() async throws {
        let record =
            #"{"id":"01a20341-2160-86c1-85e4-df4f344017da","type":"stepCount","value":12,"#
            + #""start":"2026-11-21T10:00:00Z","end":"2026-11-21T10:01:00Z","unit":"count"}"#
        // The same id again is the same record, whatever the blanks around it.
        let answers = try await answers(
            to: [
                "{ request: 'ingest', records: [ \(record) /* first */, \(record), ] }",
                "{ request: 'ingest', records: [] }",
                "{ request: 'ingest', records: [\(record), {}] }",
                "{ request: 'ingest', records: [{ value: 1 }] }",
                "{ request: 'ingest', records: {} }", "{ request: 'ingest' }",
                "{ request: 'ingest', records: [], record: 1 }",
                #"{"request":"ingest","records":[{"later":{"a":1,"a":2}}]}"#,
                #"{"request":"ingest","records":[],"records":[]}"#,
            ].map { Array($0.utf8) })
        XCTAssertEqual(answers.first, #"{"accepted":2}"#)
        XCTAssertEqual(answers.dropFirst().first, #"{"accepted":0}"#)
        let problems = [
            "records[1]: the key", "records[0]: the line is not valid JSON",
            "records: expected a list",
            "the key `records` is missing", "record: unknown key", "duplicate key",
            "duplicate key",
        ]
        XCTAssertEqual(answers.count, problems.count + 2)
        for (answer, problem) in zip(answers.dropFirst(2), problems) {
            XCTAssertTrue(answer.hasPrefix(#"{"error":"#), answer)
            XCTAssertTrue(answer.contains(problem), "\(problem): \(answer)")
        }
    }

    func testIngest_ofEveryTruncationAndOfRandomBytes_isAnswered() async throws {
        let line = Array(
            (#"{"request":"ingest","records":[{"id":"01a20341-2160-86c1-85e4-df4f344017da","#
                + #""type":"stepCount","start":"2026-11-21T10:00:00Z","#
                + #""end":"2026-11-21T10:01:00Z","value":12,"unit":"count"}]}"#).utf8)
        let parts = try await answers(to: line.indices.map { Array(line.prefix($0)) })
        XCTAssertEqual(parts.count, line.count)
        for answer in parts { XCTAssertTrue(answer.hasPrefix(#"{"error":"#), answer) }
        var random = SeededGenerator(seed: 43)
        let lines = (0..<500 * FuzzFactor.current).map { _ in
            var bytes = line
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        }
        let answers = try await answers(to: lines)
        XCTAssertEqual(answers.count, lines.count)
        for answer in answers { XCTAssertNoThrow(try DocumentNode(json5: answer), answer) }
    }

    func testWrongRequest_saysWhatIsMeant() async throws {
        let cases: [(line: String, problem: String)] = [
            (#"{"request":"stats"}"#, "did you mean `status`?"),
            (#"{"request":"dance"}"#, "known: status, tap"),
            (#"{"request":7}"#, "request: expected a string"),
            (#"{"type":"heartRate"}"#, "the key `request` is missing"),
            (#"{"request":"tap","type":"heartrat"}"#, "did you mean `heartRate`?"),
            (
                #"{"request":"tap","person":"bobb"}"#,
                "person: unknown person `bobb`; did you mean `bob`?"
            ),
            (#"{"request":"tap","person":7}"#, "person: expected a string"),
            (#"{"request":"tap","tipe":"heartRate"}"#, "did you mean `type`?"),
            (#"{"request":"status","type":"heartRate"}"#, "type: unknown key"),
            (#"{"request":"tap","request":"tap"}"#, "duplicate key"),
            (#"["request"]"#, "expected an object"), ("\u{0}", "line 1, column 1"),
            (#"{"request":"reload"}"#, "cannot reload a simulation"),
        ]
        for (line, problem) in cases {
            let answer = try await answer(to: line)
            XCTAssertTrue(answer.hasPrefix(#"{"error":"#), answer)
            XCTAssertTrue(answer.contains(problem), "\(line): \(answer)")
        }
        let notText = try await answers(to: [[0x22, 0xFF, 0x22]])
        XCTAssertEqual(notText, [#"{"error":"not UTF-8 text"}"#])
    }

    func testWorkout_whatIsWrongInIt_isRefusedWithItsKey() async throws {
        let wrong: [(line: String, key: String)] = [
            (#"{"request":"workout"}"#, ""),
            (#"{"request":"workout","action":7}"#, "action"),
            (#"{"request":"workout","action":"run"}"#, "action"),
            (#"{"request":"workout","action":"lap","person":"zoe"}"#, "person"),
            (#"{"request":"workout","action":"lap","person":["bob"]}"#, "person"),
            (#"{"request":"workout","action":"lap","activity":"running"}"#, "activity"),
            (#"{"request":"workout","action":"start","activity":{}}"#, "activity"),
            (#"{"request":"workout","action":"start","location":"moon"}"#, "location"),
            (#"{"request":"workout","action":"start","plan":[]}"#, "plan"),
            (#"{"request":"workout","action":"start","sample":{}}"#, "sample"),
        ]
        for (line, key) in wrong {
            let answer = try await answer(to: line)
            XCTAssertTrue(answer.hasPrefix(#"{"error":"#), answer)
            let fields = try DocumentFields(DocumentNode(json5: answer))
            XCTAssertEqual(try fields.text("key") ?? "", key, answer)
        }
    }

    func testEveryTruncation_isAnError() async throws {
        let line = Array(#"{"request":"tap","type":"heartRate","person":"bob"}"#.utf8)
        let answers = try await answers(to: line.indices.map { Array(line.prefix($0)) })
        XCTAssertEqual(answers.count, line.count)
        for answer in answers { XCTAssertTrue(answer.hasPrefix(#"{"error":"#), answer) }
    }

    func testRandomBytes_areAnswered() async throws {
        var generator = SeededGenerator(seed: 41)
        let line = Array(#"{"request":"tap","type":"heartRate","person":"bob"}"#.utf8)
        let lines = (0..<500 * FuzzFactor.current).map { _ in
            var bytes = line
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            return bytes
        }
        let answers = try await answers(to: lines)
        XCTAssertEqual(answers.count, lines.count)
        for answer in answers {
            XCTAssertNoThrow(try DocumentNode(json5: answer), answer)
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
        XCTAssertTrue(TapFilter(type: .category(.sleepAnalysis), person: "ada").matches(sleep))
        XCTAssertFalse(TapFilter(type: .category(.sleepAnalysis), person: "bob").matches(sleep))
        XCTAssertFalse(TapFilter(type: .category(.appleStandHour)).matches(sleep))
        for (filter, letsSample, letsEvent) in cases {
            XCTAssertEqual(filter.matches(sample), letsSample, "\(filter)")
            XCTAssertEqual(filter.matches(event), letsEvent, "\(filter)")
        }
    }
}
