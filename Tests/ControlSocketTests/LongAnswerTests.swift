import GatewayCore
import GatewayHost
import XCTest

@testable import ControlSocket

/// Answers that are longer than what may wait for a client.
final class LongAnswerTests: ControlTestCase {
    private static let block = Array((String(repeating: "x", count: 65_535) + "\n").utf8)
    private static let count = 4 * ControlOutput.limit / block.count

    /// Sends blocks and waits after each; then reports how it ended.
    private func handler(
        blocks: Int?, _ ended: AsyncStream<String>.Continuation
    ) -> RequestHandler {
        RequestHandler("long") { _, _, channel in
            var sent = 0
            do {
                while sent < blocks ?? .max {
                    channel.send(Self.block)
                    sent += 1
                    try await channel.waitUntilWritten()
                }
                ended.yield("complete")
            } catch {
                ended.yield("\(error)")
                throw error
            }
            return nil
        }
    }

    func testLongAnswer_waitsForTheClient_whoGetsAllOfIt() async throws {
        let (ends, ended) = AsyncStream<String>.makeStream()
        let served = try serve([handler(blocks: Self.count, ended)])
        let client = try served.client()
        await client.send(#"{"request":"long"}"#)
        await client.send(#"{"request":"status"}"#)
        let lines = try await client.lines(Self.count + 1)
        XCTAssertEqual(lines.count, Self.count + 1)
        XCTAssertEqual(lines.last, #"{"fine":true}"#)
        var iterator = ends.makeAsyncIterator()
        let end = await iterator.next()
        XCTAssertEqual(end, "complete")
        XCTAssertEqual(served.clients.counts.cutOff, 0)
        await served.stop()
    }

    func testClientThatLeaves_endsTheAnswer() async throws {
        let (ends, ended) = AsyncStream<String>.makeStream()
        let served = try serve([handler(blocks: nil, ended)])
        let client = try served.client()
        await client.send(#"{"request":"long"}"#)
        _ = try await client.line()
        await client.leave()
        var iterator = ends.makeAsyncIterator()
        let end = await iterator.next()
        XCTAssertEqual(end, "ResponseChannelClosed()")
        await served.stop()
    }

    func testServerThatStops_endsTheAnswer() async throws {
        let (ends, ended) = AsyncStream<String>.makeStream()
        let served = try serve([handler(blocks: nil, ended)])
        let client = try served.client()
        await client.send(#"{"request":"long"}"#)
        _ = try await client.line()
        await served.stop()
        var iterator = ends.makeAsyncIterator()
        let end = await iterator.next()
        XCTAssertNotNil(end)
        XCTAssertNotEqual(end, "complete")
    }
}
