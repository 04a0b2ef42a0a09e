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
        let seed: UInt64 = 42
        let generator = MutableGenerator(seed: seed)
        let server = try ScriptedHTTPServer { _, _ in .bytes(generator.bytes()) }
        let client = HTTPClient()
        let limits = HTTPLimits(
            connectTimeoutSeconds: 60, stallTimeoutSeconds: 60, totalTimeoutSeconds: 60)

        for round in 0..<300 * FuzzFactor.current {
            do {
                let response = try await client.send(server.request(limits: limits))
                XCTAssertTrue((1...999).contains(response.status), "seed \(seed), round \(round)")
            } catch let error as HTTPError {
                XCTAssertTrue(
                    [.connectionLost, .badResponse].contains(error.kind),
                    "\(error), seed \(seed), round \(round)")
            }
        }
    }
}

/// Random and corrupt responses.
private final class MutableGenerator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func bytes() -> [UInt8] {
        generator.withLock { generator in
            let count = Int.random(in: 0..<200, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            guard Bool.random(using: &generator) else { return bytes }
            bytes =
                ScriptedAnswer(
                    headers: [("X-A", "b")], body: "0123456789",
                    framing: Bool.random(using: &generator) ? .chunked : .length
                ).bytes
            for _ in 0..<Int.random(in: 1..<5, using: &generator) {
                let index = bytes.indices.randomElement(using: &generator) ?? 0
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            return bytes
        }
    }
}
