import GatewayTesting
import HTTPTesting
import Synchronization
import XCTest

@testable import HTTPServer

/// Tests content that is received piece by piece.
final class HTTPInputTests: XCTestCase {
    private static let limit = 1_000_000

    /// A server whose requests with POST have their content in pieces.
    private func start(
        _ change: (inout HTTPServerLimits) -> Void = { _ in },
        _ handle: @escaping @Sendable (HTTPServerRequest, HTTPResponder) async -> Void
    ) async throws -> RunningServer {
        var limits = HTTPServerLimits()
        change(&limits)
        return try await RunningServer.start(
            limits, inputLimit: { method, _ in method == "POST" ? Self.limit : nil }
        ) { request, responder in Task { await handle(request, responder) } }
    }

    private func head(_ headers: String) -> String {
        "POST /file HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n"
    }

    private static func read(_ input: HTTPInput?) async -> Result<Int, HTTPInput.Failure> {
        var count = 0
        do throws(HTTPInput.Failure) {
            while let piece = try await input?.next() { count += piece.count }
            return .success(count)
        } catch {
            return .failure(error)
        }
    }

    func testContent_isReadInPieces_andTheConnectionIsUsedAgain() async throws {
        let running = try await start { request, responder in
            XCTAssertEqual(request.body, [])
            let result = await Self.read(request.input)
            responder.send(.text("\(request.headers["x-name"] ?? "none"): \(result)"))
        }
        let connection = try running.connect()
        for count in [0, 1, 700_000, Self.limit] {
            connection.send(head("X-Name: a\r\nContent-Length: \(count)"))
            connection.send([UInt8](repeating: 1, count: count))
            XCTAssertEqual(try connection.response().body, "a: success(\(count))")
        }
        connection.send(head("Transfer-Encoding: chunked"))
        let chunk = "186A0\r\n" + String(repeating: "x", count: 100_000) + "\r\n"
        for _ in 0..<7 { connection.send(chunk) }
        connection.send("0\r\n\r\n")
        XCTAssertEqual(try connection.response().body, "none: success(700000)")
        XCTAssertEqual(try connection.get("/").body, "none: success(0)")
        await running.server.stop()
    }

    func testContent_thatIsTooLong_isRefused() async throws {
        let running = try await start { request, responder in
            responder.send(.text("\(await Self.read(request.input))"))
        }
        let announced = try running.connect()
        announced.send(head("Content-Length: 104857600"))
        XCTAssertEqual(try announced.response().status, 413)
        let chunked = try running.connect()
        chunked.send(head("Transfer-Encoding: chunked"))
        let chunk = "186A0\r\n" + String(repeating: "x", count: 100_000) + "\r\n"
        for _ in 0..<30 { chunked.send(chunk) }
        chunked.send("0\r\n\r\n")
        XCTAssertEqual(try chunked.response().body, "failure(HTTPServer.HTTPInput.Failure.tooLong)")
        await running.server.stop()
    }

    func testClientThatLeaves_endsTheContent() async throws {
        let (results, signal) = AsyncStream.makeStream(of: Result<Int, HTTPInput.Failure>.self)
        let running = try await start { request, _ in
            signal.yield(await Self.read(request.input))
        }
        var connection: RawHTTPConnection? = try running.connect()
        connection?.send(head("Content-Length: 1000") + "start")
        connection = nil
        var iterator = results.makeAsyncIterator()
        let result = await iterator.next()
        XCTAssertEqual(result, .failure(.closed))
        await running.server.stop()
    }

    func testContent_thatDoesNotArrive_isCutOff() async throws {
        let (results, signal) = AsyncStream.makeStream(of: Result<Int, HTTPInput.Failure>.self)
        let running = try await start({ $0.inputSeconds = 0.2 }) { request, _ in
            signal.yield(await Self.read(request.input))
        }
        let connection = try running.connect()
        connection.send(head("Content-Length: 1000") + "start")
        var iterator = results.makeAsyncIterator()
        let result = await iterator.next()
        XCTAssertEqual(result, .failure(.closed))
        XCTAssertEqual(try connection.readToEnd(), "")
        await running.server.stop()
    }

    /// A server that stops does not leave a reader waiting.
    func testStop_endsTheContent() async throws {
        let (results, signal) = AsyncStream.makeStream(of: Result<Int, HTTPInput.Failure>.self)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let running = try await start { request, _ in
            let piece = try? await request.input?.next()
            XCTAssertEqual(piece, Array("start".utf8))
            started.yield()
            signal.yield(await Self.read(request.input))
        }
        let connection = try running.connect()
        connection.send(head("Content-Length: 1000") + "start")
        var start = starts.makeAsyncIterator()
        await start.next()
        await running.server.stop()
        var iterator = results.makeAsyncIterator()
        let result = await iterator.next()
        XCTAssertEqual(result, .failure(.closed))
    }

    /// A request that is refused by its headers is answered, also while the client sends.
    func testAnswer_withoutReading_reachesTheClient() async throws {
        let running = try await start { _, responder in responder.send(.text("no", status: 403)) }
        let short = try running.connect()
        short.send(head("Content-Length: 500000"))
        short.send([UInt8](repeating: 1, count: 500_000))
        XCTAssertEqual(try short.response().status, 403)
        XCTAssertEqual(try short.get("/").status, 403)
        let patient = try running.connect()
        patient.send(head("Content-Length: 900000\r\nExpect: 100-continue"))
        XCTAssertEqual(try patient.response().status, 403)
        await running.server.stop()
    }

    func testAnswer_inTheMiddle_comesAfterTheContent() async throws {
        let running = try await start { request, responder in
            _ = try? await request.input?.next()
            responder.send(.text("full", status: 507))
        }
        let connection = try running.connect()
        connection.send(head("Content-Length: \(Self.limit)"))
        connection.send([UInt8](repeating: 1, count: Self.limit))
        XCTAssertEqual(try connection.response().status, 507)
        XCTAssertEqual(try connection.get("/").status, 507)
        await running.server.stop()
    }

    /// The client waits for a reader that is slow, and little is in memory.
    func testSlowReader_makesTheClientWait() async throws {
        let input = HTTPInput(maximumBytes: 10 * HTTPInput.limit)
        let wakes = Mutex(0)
        input.attach { wakes.withLock { $0 += 1 } }
        let bytes = [UInt8](repeating: 7, count: HTTPInput.limit / 2)
        let isAdded = { bytes.withUnsafeBytes { input.add($0) } }
        XCTAssertEqual([isAdded(), isAdded(), isAdded(), isAdded()], [true, true, false, false])
        _ = try await input.next()
        XCTAssertEqual(wakes.withLock { $0 }, 1)
        XCTAssertEqual([isAdded(), isAdded()], [true, false])
        input.discard()
        XCTAssertEqual([isAdded(), isAdded()], [true, true])
    }
}
