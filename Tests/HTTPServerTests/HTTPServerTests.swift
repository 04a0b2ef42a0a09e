import GatewayTesting
import Glibc
import HTTPServer
import HTTPTesting
import XCTest

/// Tests requests and responses on real connections.
final class HTTPServerTests: XCTestCase {
    func testRequest_arrivesAsItWasSent() async throws {
        let requests = Recorder<HTTPServerRequest>()
        let running = try await RunningServer.start { request, responder in
            requests.add(request)
            responder.send(.text("hello"))
        }
        let connection = try running.connect()
        connection.send(
            "POST /a%20b?c=d&e HTTP/1.1\r\nHost: localhost\r\nX-Two: a\r\nx-two: b\r\n"
                + "Content-Length: 5\r\n\r\n12345")
        let response = try connection.response()
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.body, "hello")
        XCTAssertTrue(response.head.contains("Content-Type: text/plain\r\n"), response.head)
        let request = try XCTUnwrap(requests.values.first)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.target, "/a%20b?c=d&e")
        XCTAssertEqual(request.headers["x-two"], "a, b")
        XCTAssertEqual(request.headers["host"], "localhost")
        XCTAssertEqual(request.body, Array("12345".utf8))
        XCTAssertEqual(request.peer.address, "127.0.0.1")
        XCTAssertTrue(request.peer.isLoopback)
        await running.server.stop()
    }

    func testConnection_isUsedForSeveralRequests_alsoSentAtOnce() async throws {
        let running = try await RunningServer.start { request, responder in
            responder.send(.text(request.target))
        }
        let connection = try running.connect()
        for number in 0..<3 {
            XCTAssertEqual(try connection.get("/\(number)").body, "/\(number)")
        }
        let request = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.send(request + request)
        XCTAssertEqual(try connection.response().body, "/x")
        XCTAssertEqual(try connection.response().body, "/x")
        await running.server.stop()
    }

    func testAnswer_fromAnotherTask_whileOthersAreServed() async throws {
        let (late, signal) = AsyncStream.makeStream(of: HTTPResponder.self)
        let running = try await RunningServer.start { request, responder in
            if request.target == "/late" {
                signal.yield(responder)
            } else {
                responder.send(.text("now"))
            }
        }
        let (first, second) = (try running.connect(), try running.connect())
        first.send("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var iterator = late.makeAsyncIterator()
        let responder = await iterator.next()
        XCTAssertEqual(try second.get("/").body, "now")
        responder?.send(.text("late"))
        responder?.send(.text("again"))
        XCTAssertEqual(try first.response().body, "late")
        XCTAssertEqual(try first.get("/").body, "now")
        await running.server.stop()
    }

    func testHead_hasNoContent() async throws {
        let running = try await RunningServer.start { _, responder in
            responder.send(.text("hello"))
        }
        let connection = try running.connect()
        connection.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = try connection.read(until: "\r\n\r\n")
        XCTAssertTrue(head.hasPrefix("HTTP/1.1 200"), head)
        XCTAssertTrue(head.contains("Content-Length: 5\r\n"), head)
        XCTAssertEqual(try connection.get("/").body, "hello")
        await running.server.stop()
    }

    func testPeer_isTheUserOfThisProcess() async throws {
        let peers = Recorder<HTTPPeer>()
        let running = try await RunningServer.start { request, responder in
            peers.add(request.peer)
            responder.send(.text(""))
        }
        _ = try running.connect().get("/")
        XCTAssertEqual(peers.values.first?.userID, geteuid())
        await running.server.stop()
    }

    func testStop_closesConnections_andFreesTheAddress() async throws {
        let (waiting, signal) = AsyncStream.makeStream(of: Void.self)
        let running = try await RunningServer.start { _, _ in signal.yield() }
        let (idle, unanswered) = (try running.connect(), try running.connect())
        unanswered.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var iterator = waiting.makeAsyncIterator()
        await iterator.next()
        await running.server.stop()
        XCTAssertEqual(try unanswered.readToEnd(), "")
        XCTAssertEqual(try idle.readToEnd(), "")
        let address = try XCTUnwrap(ListenAddress("127.0.0.1:\(running.port)"))
        let next = try await HTTPServer.start(on: address) { _, responder in
            responder.send(.text("next"))
        }
        XCTAssertEqual(try RawHTTPConnection(port: running.port).get("/").body, "next")
        await next.stop()
    }

    func testAddress_thatIsTaken_isReportedWithARemedy() async throws {
        let running = try await RunningServer.start { _, _ in }
        let address = try XCTUnwrap(ListenAddress("127.0.0.1:\(running.port)"))
        do {
            _ = try await HTTPServer.start(on: address) { _, _ in }
            XCTFail("two servers on one port")
        } catch {
            XCTAssertTrue(error.description.contains("another program uses this port"), "\(error)")
        }
        await running.server.stop()
    }
}
