import GatewayTesting
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal
@testable import Platform
@testable import WorkoutService

/// Clients of a gateway that send anything, in any pieces, and leave at any time: each line is
/// answered, the server continues, and nothing delays its stop.
final class ControlFuzzTests: ControlTestCase {
    private static let requests = [
        #"{"request":"status"}"#, #"{"request":"tap","type":"heartRate","person":"ada"}"#,
        #"{"request":"tap"}"#, #"{"request":"reload"}"#, #"{"request":"devices"}"#,
        #"{"request":"people"}"#, #"{"request":"adopt","device":"D0:11:22:33:44:55"}"#,
        #"{"request":"forget","device":"/dev/ttyUSB0"}"#,
        #"{"request":"setPerson","name":"ada","sex":null,"units":{"bodyMass":"lb"}}"#,
        #"{"request":"removePerson","name":"ada"}"#,
        #"{"request":"setDefaultPerson","name":"ada"}"#,
        #"{"request":"query","type":"heartRate","from":"2026-11-22T00:00:00Z","limit":5}"#,
        #"{"request":"workout","action":"start","person":"ada","activity":"running"}"#,
        #"{"request":"workout","action":"watch","person":"ada"}"#,
        #"{"request":"workout","action":"status"}"#,
        #"{"request":"workout","action":"stop","person":"ada","discard":true}"#,
        #"{"request":"add","sample":\#(sample(1)),"waitForStore":true}"#,
        #"{"request":"ingest","records":[\#(sample(2)),\#(sample(3))]}"#,
    ].map { Array($0.utf8) }

    private static func sample(_ number: Int) -> String {
        #"{"id":"0198f3c2-0000-8000-8000-00000000000\#(number)","type":"bodyMass","value":81,"#
            + #""unit":"kg","start":"2026-05-22T18:00:00Z","end":"2026-05-22T18:00:00Z","#
            + #""person":"ada","source":{"name":"my-scale"}}"#
    }

    private static let words: [[UInt8]] =
        [
            "\n", "\r\n", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null",
            "1e999", "-0", "9223372036854775808", "\"request\"", "\"type\":\"sleepAnalysis\"",
            "\"person\":\"\"", "/*", "//", "'", "\u{FEFF}", "\u{2028}", "__proto__",
            "\"kind\":\"workout\"", sample(4),
        ].map { Array($0.utf8) } + [[0], [0xFF, 0xFE], [0xC0, 0x80]]

    private static let handlers: [RequestHandler] = [
        .reload, .workout, .devices, .adopt, .forget, .people, .setPerson, .setDefaultPerson,
        .removePerson,
        .query,
        .add, .ingest,
    ]

    func testAnyRequests_inAnyPieces_areAnswered() async throws {
        var run = FuzzRun("requests at the control socket", inputs: 150)
        while var random = run.next() {
            let visits = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Visit(&random, Self.requests, Self.words)
            }
            for problem in try await problems(of: visits) { run.expect(false, problem) }
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// What is wrong when these clients come at the same time to a new gateway.
    private func problems(of visits: [Visit]) async throws -> [String] {
        let served = try serve(Self.handlers)
        let (end, stop) = AsyncStream.makeStream(of: Never.self)
        async let ledger = served.gateway.run { for await _ in end {} }
        // Requests for workouts wait until the stored ones are restored.
        _ = await served.service.workouts.restoreSessions()
        var problems: [String] = []
        await withTaskGroup(of: String?.self) { group in
            for visit in visits { group.addTask { await visit.problem(at: served) } }
            for await case let problem? in group { problems.append(problem) }
        }
        let answer = try await served.client().ask(#"{"request":"status"}"#)
        if answer != #"{"fine":true}"# {
            problems.append("the server answers \(answer ?? "nothing")")
        }
        await served.stop()
        stop.finish()
        problems += await ledger.imbalances
        let connected = served.clients.counts.connected
        if connected != 0 { problems.append("\(connected) clients after the stop") }
        return problems
    }
}

/// What one client sends, and how.
private struct Visit: Sendable {
    private var pieces: [[UInt8]] = []
    private let answers: Int
    private let isTooLong: Bool
    /// Whether it leaves without reading.
    private let isRude: Bool
    /// Whether it says that nothing follows.
    private let endsSending: Bool

    init(_ random: inout SeededGenerator, _ requests: [[UInt8]], _ words: [[UInt8]]) {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes += Self.line(&random, requests, words)
            bytes.append(UInt8(ascii: "\n"))
        }
        endsSending = Bool.random(using: &random)
        if endsSending, random.once(in: 3) { bytes.removeLast() }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        isTooLong = lines.contains { $0.count > ControlRequest.maximumLineLength }
        answers = lines.count
        isRude = random.once(in: 5)
        while !bytes.isEmpty {
            let limit = random.pick([1, 7, 100, 4_096, 100_000])
            let count = min(Int.random(in: 1...limit, using: &random), bytes.count)
            let isLast = pieces.count == 40
            pieces.append(Array(isLast ? bytes[...] : bytes.prefix(count)))
            bytes.removeFirst(isLast ? bytes.count : count)
        }
    }

    private static func line(
        _ random: inout SeededGenerator, _ requests: [[UInt8]], _ words: [[UInt8]]
    ) -> [UInt8] {
        if random.once(in: 8) { return random.bytes(upTo: 300) }
        if random.once(in: 40) {
            let excess = random.pick([-1, 0, 1, 5_000])
            return [UInt8](repeating: 0x20, count: ControlRequest.maximumLineLength + excess)
        }
        var line = random.pick(requests)
        for _ in 0..<Int.random(in: 0...4, using: &random) { random.mutate(&line, words: words) }
        return line
    }

    /// Connects, sends everything and reads the answers; what was wrong.
    func problem(at served: ControlTestCase.Served) async -> String? {
        do {
            let client = try served.client()
            for piece in pieces {
                await client.send(piece)
                await Task.yield()
            }
            if endsSending { await client.endSending() }
            guard !isRude else {
                await client.leave()
                return nil
            }
            let problem = try await problemOfAnswers(to: client)
            await client.leave()
            return problem
        } catch {
            let sent = String(decoding: pieces.joined().prefix(2_000), as: UTF8.self)
            return "\(error) after \(sent.debugDescription)"
        }
    }

    private func problemOfAnswers(to client: ControlTestClient) async throws -> String? {
        var count = 0
        while isTooLong || count < answers, let line = try await client.line() {
            guard (try? ConfigurationNode(json5: line)) != nil else { return "no JSON: \(line)" }
            // What others add arrives at a tap at any time.
            if !line.hasPrefix(#"{"kind":"#) { count += 1 }
        }
        return isTooLong || count == answers ? nil : "\(count) answers to \(answers) lines"
    }
}
