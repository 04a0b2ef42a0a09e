import HTTPServer
import HTTPTesting
import Platform
import XCTest

/// Tests that clients that send nothing keep nobody out, and that descriptors are left for others.
final class FewPlacesTests: XCTestCase {
    private func start(connections: Int) async throws -> RunningServer {
        var limits = HTTPServerLimits()
        limits.connections = connections
        return try await RunningServer.start(limits) { request, responder in
            responder.send(.text(request.target))
        }
    }

    /// None of them has to wait for the time that a request may take.
    func testConnections_thatSendNothing_giveWayToOthers() async throws {
        let running = try await start(connections: 20)
        var held: [RawHTTPConnection] = []
        for _ in 0..<100 {
            let connection = try running.connect()
            connection.send("GET / HTTP/1.1\r\nHost: loc")
            held.append(connection)
            XCTAssertEqual(try running.connect().get("/now").body, "/now")
        }
        XCTAssertEqual(try held[0].readToEnd(), "", "the first one has ended")
        held[99].send("alhost\r\n\r\n")
        XCTAssertEqual(try held[99].response().body, "/", "the last one has its place")
        await running.server.stop()
    }

    /// The end of a connection that comes with its data is seen late; its place is not lost by that.
    func testConnections_thatEndAtOnce_giveWayToOthers() async throws {
        let running = try await start(connections: 20)
        for _ in 0..<200 { try running.connect().send("GET / HTTP/1.1\r\n") }
        XCTAssertEqual(try running.connect().get("/now").body, "/now")
        await running.server.stop()
    }

    /// A request that is being answered, such as a stream, is never ended for others.
    func testConnections_withAResponse_stay() async throws {
        let output = HTTPOutput()
        var limits = HTTPServerLimits()
        limits.connections = 20
        let running = try await RunningServer.start(limits) { request, responder in
            responder.send(
                request.target == "/live"
                    ? HTTPServerResponse(200, body: .output(output)) : .text("now"))
        }
        output.send(Array("first\n".utf8))
        let stream = try running.connect()
        stream.send("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        XCTAssertTrue(try stream.read(until: "first\n").hasPrefix("HTTP/1.1 200"))
        let held = try (0..<100).map { _ in try running.connect() }
        XCTAssertEqual(try running.connect().get("/").body, "now")
        output.send(Array("second\n".utf8))
        output.finish()
        _ = try stream.read(until: "second\n")
        XCTAssertEqual(held.count, 100)
        await running.server.stop()
    }

    func testLimits_leaveDescriptorsForTheRestOfTheProcess() {
        func connections(_ descriptors: Int) -> Int {
            HTTPServerLimits().fittingDescriptors { wanted in
                XCTAssertEqual(wanted, 1_356)
                return descriptors
            }.connections
        }
        XCTAssertEqual(connections(1_356), 1_100)
        XCTAssertEqual(connections(20_000), 1_100)
        XCTAssertEqual(connections(1_024), 768)
        XCTAssertEqual(connections(100), 16)
    }

    func testDescriptorLimit_isRaisedButNeverLowered() {
        let before = DescriptorLimit.raise(to: 0)
        XCTAssertGreaterThan(before, 0)
        XCTAssertGreaterThanOrEqual(DescriptorLimit.raise(to: before + 1), before)
        XCTAssertGreaterThanOrEqual(DescriptorLimit.raise(to: 1), before)
    }
}
