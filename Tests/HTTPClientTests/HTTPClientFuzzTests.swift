import GatewayTesting
import HTTPClient
import HTTPTesting
import Platform
import Synchronization
import XCTest

/// Tests truncated and invalid responses: each request ends.
final class HTTPClientFuzzTests: XCTestCase {
    func testResponse_cutAnywhere_isNeverTakenForAWholeOne() async throws {
        for framing in [ScriptedAnswer.Framing.length, .chunked] {
            let answer = ScriptedAnswer(
                status: 201, headers: [("X-A", "b")], body: "0123456789", framing: framing)
            let count = answer.bytes.count
            let server = try ScriptedHTTPServer { number, _ in
                .cut(answer, after: number - 1)
            }
            let client = HTTPClient()

            // Of the last line's two bytes, which say nothing more, libcurl wants only one.
            let needed = framing == .chunked ? count - 1 : count
            for cut in 0..<needed {
                let error = try await client.failure(of: server.request())
                XCTAssertTrue(
                    [.connectionLost, .badResponse].contains(error.kind), "\(cut): \(error)")
            }
            let response = try await client.send(server.request())
            XCTAssertEqual(response.body, answer.body)
        }
    }

    func testResponse_ofRandomBytes_endsTheRequest() async throws {
        let response = Mutex<[UInt8]>([])
        let server = try ScriptedHTTPServer { _, _ in .bytes(response.withLock { $0 }) }
        let client = HTTPClient()
        let limits = HTTPLimits(
            connectTimeoutSeconds: 60, stallTimeoutSeconds: 60, totalTimeoutSeconds: 60)

        var run = FuzzRun(
            "responses to the client", inputs: 300, limits: FuzzRun.Limits(secondsPerInput: 30))
        while var random = run.next() {
            let bytes = Self.response(&random)
            response.withLock { $0 = bytes }
            do {
                let response = try await client.send(server.request(limits: limits))
                run.expect((1...999).contains(response.status), "status \(response.status)")
            } catch let error as HTTPError {
                run.expect([.connectionLost, .badResponse].contains(error.kind), "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    private static let words = [
        "\r\n", "\n", ":", "Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Connection: close\r\n",
        "Location: http://[\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/2 200\r\n", "HTTP/0.9", " 999 ", "Retry-After: 1e9\r\n", "X-A: \0\r\n",
    ].map { Array($0.utf8) }

    /// A random or a damaged response.
    private static func response(_ random: inout SeededGenerator) -> [UInt8] {
        if random.once(in: 4) { return random.bytes(upTo: 200) }
        var bytes =
            ScriptedAnswer(
                headers: [("X-A", "b")], body: "0123456789",
                framing: random.once(in: 2) ? .chunked : .length
            ).bytes
        for _ in 0..<Int.random(in: 1..<5, using: &random) { random.mutate(&bytes, words: words) }
        return bytes
    }
}
