import GatewayCore
import GatewayTesting
import HTTPTesting
import HealthModel
import Platform
import Synchronization
import XCTest

@testable import HTTPSink

/// Tests random responses.
final class ResponseFuzzTests: SinkTestCase {
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "120", "0", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
        "Sat, 29 Feb 2020 23:59:60 GMT", "99999999999999999999",
    ]
    private static let words = [
        "GMT", "UTC", "-", ",", " ", ":", "Jan", "Feb", "9999", "0000", "-1", "+1", "1e9", "\u{0}",
        "é",
        "60", "24", "Nov", "0x10", "１２", "999999999999",
    ].map { Array($0.utf8) }

    func testRetryAfter_ofAnyText_isNothingOrATimeThatCanBeWaited() {
        var run = FuzzRun("Retry-After", inputs: 5_000)
        var understoodCount = 0
        while var random = run.next() {
            let header = Self.text(&random)
            let date = random.once(in: 2) ? Self.text(&random) : nil
            let now = Instant(nanosecondsSince1970: Int64(bitPattern: random.next()))
            let seconds = RetryAfter.seconds(header, date: date, now: now)
            if seconds != nil { understoodCount += 1 }
            run.expect(
                seconds.map { $0 > 0 && $0 <= RetryAfter.longest } ?? true,
                "\(header) is \(seconds ?? 0) s")
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertTrue(run.count < 1_000 || understoodCount > 100, "\(understoodCount)")
    }

    func testResponseText_ofAnyBytes_isAShortLine() {
        let secrets = ["s3cret-token", "p w"]
        var run = FuzzRun("text of an answer", inputs: 300)
        while var random = run.next() {
            var body = random.bytes(upTo: 2_000)
            for _ in 0..<3 {
                random.mutate(&body, words: secrets.map { Array($0.utf8) } + Self.words)
            }
            let text = ResponseText.text(body, hiding: secrets)
            run.expect(text.unicodeScalars.count <= ResponseText.lengthLimit, "it is too long")
            run.expect(
                text.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
                },
                "it has a control character")
            for secret in secrets { run.expect(!text.contains(secret), "it has \(secret)") }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testResponseText_hidesASecret_whateverBlanksItComesWith() {
        XCTAssertEqual(ResponseText.text(Array("not a\u{1} b".utf8), hiding: ["a b"]), "not …")
        XCTAssertEqual(ResponseText.text(Array("not a b".utf8), hiding: ["a  b", " "]), "not …")
    }

    func testResponseAction_ofEveryStatus_isOne() {
        for status in -1_000...10_000 {
            let verdict = ResponseAction(status: status)
            XCTAssertEqual(verdict == .stored, (200..<300).contains(status), "\(status)")
        }
    }

    func testWrite_whateverIsAnswered_endsAndRepeatsNothingOfIt() async throws {
        let answers = Answers()
        let server = try ScriptedHTTPServer(recordsRequests: false) { _, _ in answers.next() }
        let sink = try makeSink(at: server, #"token: { env: "TOKEN" }"#, environment: "TOKEN")
        defer { withExtendedLifetime(server) {} }
        let records = try records(3)
        var run = FuzzRun(
            "answers to the sink", inputs: 150, limits: FuzzRun.Limits(secondsPerInput: 30))
        while let random = run.next() {
            answers.begin(random)
            do {
                try await sink.write(records)
            } catch let error as SinkError {
                let text = "\(error)"
                run.expect(!text.contains("s3cret"), "the secret is told: \(text)")
                run.expect(!text.contains("echo-of-it"), "the answer is told: \(text)")
                run.expect(text.utf8.count < 2_000, "a long message: \(text.utf8.count)")
            } catch {
                run.expect(false, "an error of another kind: \(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertFalse(logged.text.contains("s3cret"))
    }

    private func makeSink(
        at server: ScriptedHTTPServer, _ more: String, environment name: String
    ) throws -> HTTPSink {
        try makeSink(
            "url: \"\(server.url("/v1/samples"))\", \(more)", environment: [name: "s3cret-token"])
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        if random.once(in: 10) { return String(decoding: random.bytes(upTo: 80), as: UTF8.self) }
        var bytes = Array(random.pick(dates).utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) { random.mutate(&bytes, words: words) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Answers for the thread of a server, all made of the input's random numbers.
    private final class Answers: Sendable {
        private let random = Mutex(SeededGenerator(seed: 0))

        func begin(_ generator: SeededGenerator) { random.withLock { $0 = generator } }

        func next() -> ScriptedReaction { random.withLock { Self.reaction(&$0) } }

        private static func reaction(_ random: inout SeededGenerator) -> ScriptedReaction {
            var bytes = answer(&random).bytes
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                random.mutate(&bytes, words: words)
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: return .reset
            case 1: return .close
            case 2: return .bytes(bytes).thenReset()
            case 3: return .bytes(random.bytes(upTo: 300))
            case 4: return .bytes(bytes).beforeBody()
            default: return .bytes(bytes)
            }
        }

        private static func answer(_ random: inout SeededGenerator) -> ScriptedAnswer {
            let statuses = [
                200, 204, 207, 301, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 599, 100,
                999,
            ]
            let values = [
                "120", "Sun, 06 Nov 2094 08:49:37 GMT", "-1",
                "http://other.example/a/?s3cret-token", "",
            ]
            let names = ["Retry-After", "Location", "Date", "WWW-Authenticate", "X-A"]
            let headers = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (random.pick(names), random.pick(values))
            }
            let body = [
                "", "s3cret-token", "echo-of-it", String(repeating: "echo-of-it ", count: 9_000),
            ]
            return ScriptedAnswer(
                status: random.pick(statuses), headers: headers, body: random.pick(body),
                framing: random.pick([.length, .chunked, .untilClose]))
        }

        private static let words = [
            "\r\n", "\n", "\r\n\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/0.9", "HTTP/2 ", " 429 ", ": ",
            "0\r\n\r\n",
            "ffffffffffffffff\r\n", "-1\r\n", "Content-Length: 18446744073709551616\r\n",
            "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n",
            "Content-Encoding: gzip\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "\u{0}",
            "é",
        ].map { Array($0.utf8) }
    }
}
