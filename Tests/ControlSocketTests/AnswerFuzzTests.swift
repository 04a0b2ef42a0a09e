import GatewayTesting
import Glibc
import Synchronization
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import JSON
@testable import Platform
@testable import WorkoutService
@testable import Workouts

/// Any answers of a gateway, perhaps of another version: a command reads them or fails with a message.
final class AnswerFuzzTests: XCTestCase {
    private static let answers = [
        #"{"error":"person: unknown person `eve`; known: ada","key":"person"}"#,
        #"{"error":"--type: x","key":"type[0].a"}"#,
        #"{"tap":{"type":"heartRate","person":"ada"}}"#,
        #"{"added":{"id":"0198f3c2-0000-8000-8000-000000000001"},"stored":true}"#,
        #"{"accepted":2}"#, #"{"stopping":true}"#,
        #"{"adopted":{"device":"D0:11:22:33:44:55","person":"ada","since":"2026-11-21T18:15:00Z"},"#
            + #""change":"added","notes":["a"]}"#,
        #"{"forgotten":{"device":"D0:11:22:33:44:55"},"notes":[]}"#,
        #"{"ended":{"id":"0198f3c2-0000-8000-8000-000000000001"}}"#,
        #"{"live":{"id":"0198f3c2-0000-8000-8000-000000000001","at":"2026-11-21T18:15:00Z","#
            + #""start":"2026-11-21T18:00:00Z","person":"ada","activity":"running","state":"running"}}"#,
        #"{"workouts":[{"id":"0198f3c2-0000-8000-8000-000000000001","at":"2026-11-21T18:15:00Z","#
            + #""start":"2026-11-21T18:00:00Z"}]}"#,
        #"{"v":1,"version":"1","devices":[{"device":"a","drops":{"damaged":3}}],"sinks":[{"name":"s"}]}"#,
    ].map { Array($0.utf8) }

    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "\\u0000", "null", "1e999", "-1", "9223372036854775808",
        "\"error\":", "\"key\":\"person\"", "\n",
        "\"heartRate\":{\"value\":1,\"unit\":\"count/min\"}",
        "[[1,2],[3,4]]", "true", "\"plot\":", "\"zones\":[1]", "\"2262-04-11T23:47:16Z\"",
    ].map { Array($0.utf8) }

    private static func answer(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = random.once(in: 10) ? random.bytes(upTo: 200) : random.pick(answers)
        for _ in 0..<Int.random(in: 0...5, using: &random) { random.mutate(&bytes, words: words) }
        return bytes
    }

    func testLines_areReadOrRefused() {
        var run = FuzzRun("answers of a gateway", inputs: 3_000)
        while var random = run.next() {
            let line = Self.answer(&random)
            _ = WorkoutAnswer(line)
            _ = try? WorkoutWire.read(line: line)
            if let report = try? StatusReport(line: line) {
                run.expect((try? StatusReport(line: report.json)) == report, "\(report.json)")
            }
            if let problem = ControlClient.problem(in: line) {
                // White space and comments may be before it.
                run.expect(line.contains(UInt8(ascii: "{")), problem)
            }
            guard let node = try? ConfigurationNode(json5: String(decoding: line, as: UTF8.self))
            else { continue }
            _ = try? AdoptionResult(answer: node)
            _ = try? ForgetResult(answer: node)
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testAsk_ofAnyAnswer_returnsALineOrFails() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: temporary.path, name: DataFiles.control))
        var run = FuzzRun("bytes for a client", inputs: 500)
        while var random = run.next() {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            guard case .client(let gateway) = listener.accept() else { return XCTFail("no client") }
            var bytes = Self.answer(&random) + [UInt8(ascii: "\n")] + Self.answer(&random)
            if random.once(in: 3) { bytes = random.bytes(upTo: 5_000) }
            // It fits into the buffer of the socket.
            _ = gateway.write(bytes.prefix(50_000))
            gateway.shutDown()
            do throws(HostError) {
                let line = try client.ask(ControlRequest("status"))
                run.expect(!line.contains(UInt8(ascii: "\n")), "the line has a line break")
            } catch {
                run.expect(!error.text.isEmpty, "an error without a message")
            }
            while case .lines = try client.nextLines(orInput: -1, until: nil) {}
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testReceivedLines_inAnyPieces_areTheSame() {
        var run = FuzzRun("pieces of lines", inputs: 500)
        while var random = run.next() {
            let bytes = Self.answer(&random) + [UInt8(ascii: "\n")] + Self.answer(&random)
            var whole = ReceivedLines()
            let expected = whole.append(bytes)?.map { Array($0) }
            var pieces = ReceivedLines()
            var (found, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
            let limit = random.pick([50, 5_000])
            while !rest.isEmpty {
                let count = min(Int.random(in: 1...limit, using: &random), rest.count)
                found += pieces.append(Array(rest.prefix(count)))?.map { Array($0) } ?? []
                rest = rest.dropFirst(count)
            }
            run.expect(found == expected, "\(found.count) lines")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
