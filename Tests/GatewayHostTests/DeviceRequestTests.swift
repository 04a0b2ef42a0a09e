import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import GatewayHost
@testable import JSON

/// The requests `adopt`, `forget` and `devices`.
final class DeviceRequestTests: XCTestCase {
    private static let other = "/dev/tty-other"
    private static let adoptOther =
        #"{"request":"adopt","device":"/dev/tty-other","protocol":"hxm","name":"Foot"}"#

    private func fields(_ line: String) throws -> [String: JSONValue] {
        guard case .object(let fields) = try JSONValue(json5: line) else { return [:] }
        return fields
    }

    func testAdopt_isStored_appliedAndListed_andForgetUndoesIt() async throws {
        let gateway = try HostedGateway("{ people: { ada: {}, bob: {} } }")
        let channel = RecordingChannel()
        try await gateway.run { service in
            func ask(_ request: String) async -> [String] {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
                return await service.status().sources.map(\.name)
            }
            let adopted = await ask(Self.adoptOther)
            XCTAssertEqual(adopted, ["tty-other", "tty-test"])
            XCTAssertTrue(gateway.text(of: "devices.json").contains(Self.other))
            let same = await ask(Self.adoptOther)
            XCTAssertEqual(same, adopted)
            _ = await ask(#"{"request":"adopt","device":"/dev/tty-other","person":"bob"}"#)
            _ = await ask(#"{"request":"devices"}"#)
            let forgotten = await ask(#"{"request":"forget","device":"/dev/tty-other"}"#)
            XCTAssertEqual(forgotten, ["tty-test"])
            XCTAssertFalse(gateway.text(of: "devices.json").contains(Self.other))
        }
        let answers = try channel.lines.map(fields)
        XCTAssertEqual(
            answers.map { $0["change"] },
            [.string("adopted"), .string("unchanged"), .string("changed"), nil, nil])
        for index in [0, 1, 2, 4] { XCTAssertEqual(answers[index]["applied"], .boolean(true)) }
        guard case .object(let device) = answers[2]["adopted"] else { return XCTFail("no device") }
        XCTAssertEqual(device["device"], .string(Self.other))
        XCTAssertEqual(device["name"], .string("Foot"))
        XCTAssertEqual(device["person"], .string("bob"))
        guard case .array(let devices) = answers[3]["devices"] else { return XCTFail("no list") }
        XCTAssertEqual(devices.count, 2)
        XCTAssertTrue(channel.lines[3].contains(#""device":"/dev/tty-other","adopted":true"#))
        XCTAssertTrue(
            channel.lines[3].contains(
                #""person":"bob","name":"Foot","protocol":"hxm","source":"tty-other"}"#),
            channel.lines[3])
        XCTAssertEqual(answers[4]["forgotten"], .object(["device": .string(Self.other)]))
    }

    func testAnswers_areReadAgain() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let answers = try await gateway.answers(to: [
            #"{"request":"adopt","device":"4A:11:22:33:44:55","person":"ada","role":"backup"}"#,
            #"{"request":"forget","device":"4A:11:22:33:44:55"}"#,
        ])
        let adopted = try ConfigurationNode(json5: answers[0])
        let result = try AdoptionResult(answer: adopted)
        XCTAssertEqual(result.device.summary, "person ada, role backup")
        XCTAssertEqual(result.change, .adopted)
        XCTAssertEqual(result.notes.count, 1)
        XCTAssertTrue(result.notes[0].contains("changes about every 15 minutes"))
        XCTAssertEqual(try ReloadOutcome(answer: adopted), .applied)
        let forgotten = try ForgetResult(answer: ConfigurationNode(json5: answers[1]))
        XCTAssertEqual(forgotten.device.description, "4A:11:22:33:44:55")
        XCTAssertThrowsError(try AdoptionResult(answer: ConfigurationNode(json5: answers[1])))
    }

    func testConfiguredDevice_isListed_andItsFactsWin() async throws {
        let gateway = try HostedGateway(
            #"{ people: { ada: {}, bob: {} }, devices: { "/dev/tty-test": { person: "ada" } } }"#)
        let answers = try await gateway.answers(to: [
            #"{"request":"adopt","device":"/dev/tty-test","person":"bob"}"#,
            #"{"request":"forget","device":"/dev/tty-test"}"#,
            #"{"request":"devices"}"#,
        ])
        XCTAssertTrue(answers[0].contains("the configuration wins: devices./dev/tty-test.person"))
        XCTAssertTrue(answers[1].contains("is still configured by devices./dev/tty-test in"))
        XCTAssertEqual(
            answers[2],
            #"{"devices":[{"device":"/dev/tty-test","adopted":false,"person":"ada"}]}"#)
    }

    func testAdopt_whenTheReloadFails_isStoredAndReported() async throws {
        let gateway = try HostedGateway("{}")
        try await gateway.run { service in
            try gateway.configure(#"{ dataDirectory: "/tmp/elsewhere" }"#)
            let (_, outcome) = try await service.adopt(
                ConfigurationNode(json5: #"{ device: "/dev/tty-other", protocol: "hxm" }"#),
                by: ServiceClient(transport: PlainName(known: "test"), user: nil, isOwner: true))
            guard case .failed(let reason) = outcome else { return XCTFail("applied") }
            XCTAssertTrue(reason.contains("dataDirectory changed; restart the gateway"), reason)
        }
        XCTAssertTrue(gateway.text(of: "devices.json").contains(Self.other))
    }

    func testAdopt_whenTheConfigurationIsInvalid_changesNothing() async throws {
        let gateway = try HostedGateway("{}")
        let before = gateway.text(of: "devices.json")
        let channel = RecordingChannel()
        try await gateway.run { service in
            try gateway.configure("{ people: ")
            _ = await RequestRouter().answer(Array(Self.adoptOther.utf8), service, channel)
        }
        XCTAssertTrue(channel.lines[0].hasPrefix(#"{"error":"#), channel.lines[0])
        XCTAssertTrue(channel.lines[0].contains("line 1"), channel.lines[0])
        XCTAssertEqual(gateway.text(of: "devices.json"), before)
    }

    func testInvalidRequest_namesItsKey_andChangesNothing() async throws {
        let long = String(repeating: "x", count: 60_000)
        let cases: [(fields: String, key: String, problem: String)] = [
            ("", "", "the key `device` is missing"),
            (#","device":7"#, "device", "expected a string"),
            (#","device":"""#, "device", "expected an address such as"),
            (#","device":"/etc/passwd""#, "device", "expected an address such as"),
            (#","device":"/dev/\#(long)""#, "device", "expected an address such as"),
            (#","device":"00:00:00:00:00:00""#, "device", "is not the address of a device"),
            (#","device":"/dev/tty-x""#, "protocol", "is required for /dev/tty-x"),
            (#","device":"/dev/tty-x","protocol":"hxn""#, "protocol", "did you mean `hxm`?"),
            (#","device":"/dev/tty-x","protocol":[]"#, "protocol", "expected an object"),
            (#","device":"/dev/tty-x","person":"eve""#, "person", "unknown person `eve`"),
            (#","device":"/dev/tty-x","role":"third""#, "role", "known: primary, backup"),
            (#","device":"/dev/tty-x","name":"a\nb""#, "name", "without control characters"),
            (#","device":"/dev/tty-x","name":"\#(long)""#, "name", "a device name must be"),
            (#","device":"/dev/tty-x","since":"2026-01-01T00:00:00Z""#, "since", "unknown key"),
        ]
        let gateway = try HostedGateway("{ people: { ada: {}, bob: {} } }")
        let before = gateway.text(of: "devices.json")
        let answers = try await gateway.answers(
            to: cases.map { #"{"request":"adopt"\#($0.fields)}"# })
        XCTAssertEqual(answers.count, cases.count)
        for (answer, test) in zip(answers, cases) {
            let fields = try fields(answer)
            guard case .string(let error) = fields["error"] else {
                XCTFail("\(test.fields): \(answer)")
                continue
            }
            XCTAssertTrue(error.contains(test.problem), error)
            XCTAssertEqual(fields["key"], test.key.isEmpty ? nil : .string(test.key), error)
        }
        XCTAssertEqual(gateway.text(of: "devices.json"), before)
    }

    func testForget_ofAnUnknownDevice_suggestsTheNearest() async throws {
        let gateway = try HostedGateway("{}")
        let answers = try await gateway.answers(to: [
            #"{"request":"forget","device":"/dev/tty-tast"}"#,
            #"{"request":"forget","device":"tty-test"}"#,
            #"{"request":"forget","device":"/dev/tty-test","person":"me"}"#,
            #"{"request":"devices","device":"/dev/tty-test"}"#,
        ])
        XCTAssertTrue(answers[0].contains("is not adopted; did you mean `/dev/tty-test`?"))
        XCTAssertTrue(answers[1].contains(#""key":"device""#), answers[1])
        XCTAssertTrue(answers[2].contains("person: unknown key"), answers[2])
        XCTAssertTrue(answers[3].contains("device: unknown key"), answers[3])
    }

    func testSimulation_rejectsChanges() async throws {
        let gateway = try HostedGateway("{}")
        let answers = try await gateway.answers(
            to: [Self.adoptOther, #"{"request":"devices"}"#], isSimulation: true)
        for answer in answers {
            XCTAssertTrue(answer.contains("a simulation has no adopted devices"), answer)
        }
    }

    func testTruncatedAndRandomRequests_areAnswered() async throws {
        let line = Array(Self.adoptOther.utf8)
        var random = SeededGenerator(seed: 47)
        var lines = line.indices.map { Array(line.prefix($0)) }
        for _ in 0..<200 * FuzzFactor.current {
            var bytes = line
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            lines.append(bytes)
        }
        let requests = lines
        let channel = RecordingChannel()
        try await HostedGateway("{}").run { service in
            for line in requests { _ = await RequestRouter().answer(line, service, channel) }
        }
        XCTAssertEqual(channel.lines.count, requests.count)
        for answer in channel.lines { XCTAssertNoThrow(try JSONValue(json5: answer), answer) }
    }
}
