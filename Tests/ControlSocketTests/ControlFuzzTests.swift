import GatewayTesting
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// Clients that send anything, in any pieces, and leave at any time: each line is answered, and the
/// server goes on.
final class ControlFuzzTests: ControlTestCase {
    private static let requests = [
        #"{"request":"status"}"#, #"{"request":"tap","type":"heartRate","person":"ada"}"#,
        #"{"request":"tap"}"#, #"{"request":"reload"}"#, #"{"request":"devices"}"#,
        #"{"request":"people"}"#, #"{"request":"adopt","device":"D0:11:22:33:44:55"}"#,
        #"{"request":"forget","device":"/dev/ttyUSB0"}"#,
        #"{"request":"setPerson","name":"ada","sex":null,"units":{"bodyMass":"lb"}}"#,
        #"{"request":"removePerson","name":"ada"}"#,
        #"{"request":"query","type":"heartRate","from":"2026-11-22T00:00:00Z","limit":5}"#,
        #"{"request":"workout","action":"start","person":"ada","activity":"running"}"#,
        #"{"request":"workout","action":"status"}"#,
        #"{"request":"workout","action":"stop","person":"ada","discard":true}"#,
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] =
        [
            "\n", "\r\n", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null",
            "1e999",
            "-0", "9223372036854775808", "\"request\"", "\"type\":\"sleepAnalysis\"",
            "\"person\":\"\"",
            "/*", "//", "'", "\u{FEFF}", "\u{2028}", "__proto__",
        ].map { Array($0.utf8) } + [[0], [0xFF, 0xFE], [0xC0, 0x80]]

    /// Everything but what waits for a journal that commits, which does not run here.
    private static let handlers: [RequestHandler] = [
        .reload, .workout, .devices, .adopt, .forget, .people, .setPerson, .removePerson, .query,
    ]

    func testAnyRequests_inAnyPieces_areAnswered() async throws {
        let served = try serve(Self.handlers)
        var run = FuzzRun("requests at the control socket", inputs: 150)
        while var random = run.next() {
            var findings: [String] = []
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let visit = Visit(&random, Self.requests, Self.words)
                    group.addTask { await visit.problem(at: served) }
                }
                for await case let problem? in group { findings.append(problem) }
            }
            let answer = try await served.client().ask(#"{"request":"status"}"#)
            run.expect(answer == #"{"fine":true}"#, "the server answers \(answer ?? "nothing")")
            run.expect(findings.isEmpty, findings.joined(separator: "; "))
        }
        XCTAssertEqual(run.finish(), [])
        await served.stop()
        XCTAssertEqual(served.clients.counts.connected, 0)
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
            let lines = try await client.lines(isTooLong ? .max : answers)
            await client.leave()
            for line in lines where (try? ConfigurationNode(json5: line)) == nil {
                return "no JSON: \(line)"
            }
            guard !isTooLong, lines.count != answers else { return nil }
            return "\(lines.count) answers to \(answers) lines"
        } catch {
            return "\(error)"
        }
    }
}
