import GatewayTesting
import HTTPServer
import HTTPTesting
import XCTest

/// Tests that a hostile client is bounded and harms no other.
final class HTTPServerLimitTests: XCTestCase {
    private func start(
        _ change: (inout HTTPServerLimits) -> Void = { _ in }
    ) async throws -> RunningServer {
        var limits = HTTPServerLimits()
        change(&limits)
        return try await RunningServer.start(limits) { request, responder in
            responder.send(.text("\(request.body.count)"))
        }
    }

    func testContent_thatIsTooLong_isRefused() async throws {
        let running = try await start { $0.bodyBytes = 100 }
        let announced = try running.connect()
        announced.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n")
        let refused = try announced.response()
        XCTAssertEqual(refused.status, 413)
        XCTAssertEqual(refused.body, "refused: The content must not exceed 100 bytes.")
        let chunked = try running.connect()
        let chunk = "64\r\n" + String(repeating: "x", count: 100) + "\r\n"
        chunked.send(
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk
                + chunk + chunk + "0\r\n\r\n")
        let long = try chunked.response()
        XCTAssertEqual(long.status, 413)
        XCTAssertEqual(long.body, refused.body)
        XCTAssertEqual(try chunked.readToEnd(), "")
        let fitting = try running.connect()
        fitting.send(
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk
                + "0\r\n\r\n")
        XCTAssertEqual(try fitting.response().body, "100")
        await running.server.stop()
    }

    /// Request smuggling: what is content for one reader is a request for another.
    func testContent_withoutAClearLength_isRefused() async throws {
        let running = try await start()
        for headers in [
            "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5, 5", "Content-Length: +5",
            "Content-Length: 0x5", "Content-Length: -1", "Content-Length: 5 5",
            "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked",
            "Transfer-Encoding: identity\r\nContent-Length: 5", "Content-Length: ",
        ] {
            let connection = try running.connect()
            connection.send(
                "POST / HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n"
                    + "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try connection.readToEnd()
            XCTAssertTrue(answer.hasPrefix("HTTP/1.1 400 "), "\(headers): \(answer)")
            let statuses = answer.matches(of: /HTTP\/1.1 (\d+)/).map { $0.1 }
            XCTAssertTrue(statuses.allSatisfy { $0 == "400" }, "\(headers): \(answer)")
        }
        await running.server.stop()
    }

    func testHeaders_thatAreTooLong_areRefused() async throws {
        let running = try await start()
        for start in ["/" + String(repeating: "a", count: 20_000), "/"] {
            let connection = try running.connect()
            connection.send("GET \(start) HTTP/1.1\r\nHost: localhost\r\n")
            for number in 0..<2_000 { connection.send("X-Header-\(number): 0123456789\r\n") }
            connection.send("\r\n")
            let answer = try connection.readToEnd()
            XCTAssertTrue(["", "HTTP/1.1 4"].contains(String(answer.prefix(10))), answer)
        }
        XCTAssertEqual(try running.connect().get("/").body, "0")
        await running.server.stop()
    }

    /// Up to twice the limit the owner of the server words the refusal.
    func testHeaders_thatAreSomewhatTooLong_areRefusedByTheOwner() async throws {
        let running = try await start()
        let long = String(repeating: "a", count: 9_000)
        for (target, header, status, problem) in [
            ("/\(long)", "x", 414, "The address must not exceed 8192 bytes."),
            ("/", long, 431, "The headers must not exceed 8192 bytes."),
            (
                "/\(long.prefix(4_200))", "\(long.prefix(4_200))", 431,
                "The headers must not exceed 8192 bytes."
            ),
        ] {
            let connection = try running.connect()
            connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nX: \(header)\r\n\r\n")
            let refused = try connection.response()
            XCTAssertEqual(refused.status, status)
            XCTAssertEqual(refused.body, "refused: \(problem)")
            XCTAssertEqual(try connection.readToEnd(), "")
        }
        let connection = try running.connect()
        connection.send(
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(long.prefix(8_000))\r\n\r\n")
        XCTAssertEqual(try connection.response().status, 200)
        await running.server.stop()
    }

    /// A client that sends a byte now and then keeps its place only for a limited time.
    func testRequest_thatDoesNotArrive_isCutOff() async throws {
        let running = try await start { $0.requestSeconds = 0.2 }
        let (idle, slow) = (try running.connect(), try running.connect())
        slow.send("GET / HTTP/1.1\r\nHost: loc")
        XCTAssertEqual(try slow.readToEnd(), "")
        XCTAssertEqual(try idle.readToEnd(), "")
        await running.server.stop()
    }

    /// Connections beyond the limit wait, and are served when others end.
    func testConnections_beyondTheLimit_waitForAPlace() async throws {
        let running = try await start {
            $0.connections = 2
            $0.requestSeconds = 0.2
        }
        let held = [try running.connect(), try running.connect()]
        let waiting = try running.connect()
        XCTAssertEqual(try waiting.get("/").body, "0")
        for connection in held { XCTAssertEqual(try connection.readToEnd(), "") }
        await running.server.stop()
    }

    func testRequests_ofAnyBytes_neverStopTheServer() async throws {
        let running = try await start { $0.requestSeconds = 0.5 }
        var run = FuzzRun("bytes of requests", inputs: 200)
        var connections: [RawHTTPConnection] = []
        let request = Array("POST /a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8)
        while var generator = run.next() {
            let connection = try running.connect()
            var bytes = request
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            connection.send(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
            connection.finish()
            connections.append(connection)
            guard connections.count == 100 else { continue }
            for connection in connections { _ = try connection.readToEnd() }
            connections = []
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertEqual(try running.connect().get("/").body, "0")
        await running.server.stop()
    }
}
