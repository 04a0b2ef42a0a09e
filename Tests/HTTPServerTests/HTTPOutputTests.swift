import GatewayTesting
import HTTPServer
import HTTPTesting
import XCTest

/// Tests responses that are sent piece by piece.
final class HTTPOutputTests: XCTestCase {
    private func start(
        _ output: HTTPOutput, _ asked: AsyncStream<Void>.Continuation? = nil
    ) async throws -> RunningServer {
        try await RunningServer.start { request, responder in
            guard request.target == "/stream" else { return responder.send(.text("other")) }
            responder.send(HTTPServerResponse(200, body: .output(output)))
            asked?.yield()
        }
    }

    private static let request = "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"

    func testPieces_arriveAsTheyAreSent() async throws {
        let output = HTTPOutput()
        let running = try await start(output)
        let connection = try running.connect()
        connection.send(Self.request)
        XCTAssertTrue(try connection.read(until: "\r\n\r\n").contains("chunked"))
        for number in 0..<100 {
            output.send(Array("piece \(number);".utf8))
            XCTAssertEqual(try connection.chunk(), "piece \(number);")
        }
        output.finish()
        XCTAssertNil(try connection.chunk())
        XCTAssertNil(output.end)
        // The connection goes on.
        connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        XCTAssertEqual(try connection.response().body, "other")
        await running.server.stop()
    }

    func testLongContent_arrivesWhole_whileItIsDrained() async throws {
        let output = HTTPOutput()
        let running = try await start(output)
        let connection = try running.connect()
        connection.send(Self.request)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let sending = Task {
            for _ in 0..<50 {
                output.send(piece)
                await output.drain()
            }
            output.finish()
        }
        let response = try await Task.detached { try connection.response() }.value
        XCTAssertEqual(response.body.utf8.count, 5_000_000)
        await sending.value
        await running.server.stop()
    }

    func testClient_thatLeaves_isNoticed() async throws {
        let output = HTTPOutput()
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: HTTPOutput.End.self)
        output.whenEnded { end.yield($0) }
        let running = try await start(output, isAsked)
        do {
            let connection = try running.connect()
            connection.send(Self.request)
            var iterator = asked.makeAsyncIterator()
            await iterator.next()
            output.send([1])
            _ = try connection.read(until: "\r\n\r\n")
            _ = try connection.chunk()
        }
        // The first write after the end is answered with a reset, the second one fails.
        let writing = Task {
            while !Task.isCancelled {
                output.send([1])
                await output.drain()
                await Task.yield()
            }
        }
        var iterator = ends.makeAsyncIterator()
        let reason = await iterator.next()
        XCTAssertEqual(reason, .closed)
        writing.cancel()
        await running.server.stop()
    }

    func testClient_thatDoesNotRead_isCutOffAndInformed() async throws {
        let output = HTTPOutput(farewell: Array("too slow".utf8))
        let (ends, end) = AsyncStream.makeStream(of: HTTPOutput.End.self)
        output.whenEnded { end.yield($0) }
        let running = try await start(output)
        let connection = try running.connect()
        connection.send(Self.request)
        _ = try connection.read(until: "\r\n\r\n")
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        // The buffers of the sockets fill first.
        for _ in 0..<2_000 where output.end == nil { output.send(piece) }
        var iterator = ends.makeAsyncIterator()
        let reason = await iterator.next()
        XCTAssertEqual(reason, .tooSlow)
        XCTAssertEqual(try running.connect().get("/").body, "other")
        let rest = try connection.readToEnd()
        XCTAssertTrue(rest.contains("too slow"))
        await running.server.stop()
    }

    func testStop_endsAnOutput() async throws {
        let output = HTTPOutput()
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let running = try await start(output, isAsked)
        let connection = try running.connect()
        connection.send(Self.request)
        var iterator = asked.makeAsyncIterator()
        await iterator.next()
        output.send(Array("last words".utf8))
        output.finish()
        await running.server.stop()
        XCTAssertTrue(try connection.readToEnd().contains("last words"))
    }

    func testStop_informsTheSenderOfAnOutputThatIsNotFinished() async throws {
        let output = HTTPOutput()
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let running = try await start(output, isAsked)
        let connection = try running.connect()
        connection.send(Self.request)
        var iterator = asked.makeAsyncIterator()
        await iterator.next()
        await running.server.stop()
        XCTAssertEqual(output.end, .closed)
        await output.drain()
    }
}
