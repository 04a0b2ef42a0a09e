import GatewayTesting
import XCTest

@testable import HTTPClient

/// Tests that random pieces of a response stay within the limits.
final class ResponseReaderFuzzTests: XCTestCase {
    private static let words = [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n", "HTTP/", "\r\n", "\n", ":", " : ",
        "X-A: b\r\n",
        "Retry-After: 120\r\n", " folded\r\n", "\t", "\u{0}", "é: é\r\n", "::::", "X D: e\r\n",
    ].map { Array($0.utf8) }

    func testPieces_ofAnyBytes_stayWithinTheLimits() {
        var run = FuzzRun("pieces of an answer", inputs: 3_000)
        while var random = run.next() {
            let limit = Int.random(in: -1...5_000, using: &random)
            var reader = ResponseReader(bodyLimit: limit)
            var given = 0
            for _ in 0..<Int.random(in: 1...12, using: &random) where reader.stop == nil {
                var piece = random.pick(Self.words)
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    random.mutate(&piece, words: Self.words)
                }
                let isBody = random.once(in: 5)
                if !isBody { given += piece.count }
                let resume = piece.withUnsafeBytes {
                    isBody ? reader.receiveBody($0) : reader.receiveHeader($0)
                }
                run.expect(resume == (reader.stop == nil), "it goes on although it stopped")
            }
            run.expect(reader.body.count <= max(limit, 0), "the body is too long")
            run.expect(
                reader.headers.allSatisfy { !$0.name.isEmpty && !$0.name.contains(":") },
                "a header has no name: \(reader.headers)")
            run.expect(
                given <= ResponseReader.headerLimit || reader.stop != nil, "headers without an end")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
