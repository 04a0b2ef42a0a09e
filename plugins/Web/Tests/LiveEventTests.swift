import GatewayCore
import GatewayTesting
import HTTPTesting
import Readings
import XCTest

@testable import Web

/// Tests the Server-Sent Events.
final class LiveEventTests: XCTestCase {
    private let clock = ManualClock()

    private func start(
        _ gateway: FakeGateway
    ) async throws -> RunningWeb {
        try await RunningWeb.start(gateway, clock: clock)
    }

    private func gateway(_ stream: FakeGateway.Stream = FakeGateway.Stream()) -> FakeGateway {
        FakeGateway(stream: stream) { _, channel in
            channel.send(Array("{\"state\":{\"people\":[]}}\n".utf8))
        }
    }

    private static func request(_ headers: String = "") -> String {
        "GET /v1/live?person=ada HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
    }

    func testState_thenEachChange_thenTheEnd() async throws {
        let gateway = gateway()
        let web = try await start(gateway)
        let connection = try web.connect()
        connection.send(Self.request())
        let head = try connection.read(until: "\r\n\r\n")
        XCTAssertTrue(head.contains("Content-Type: text/event-stream\r\n"), head)
        let first = try connection.chunk()
        XCTAssertTrue(first?.hasPrefix("event: state\nid: ") == true, first ?? "")
        XCTAssertTrue(first?.hasSuffix("data: {\"people\":[]}\n\n") == true, first ?? "")
        XCTAssertEqual(gateway.texts, [#"{"person":"ada","request":"follow"}"#])
        let channel = await gateway.nextChannel()
        channel?.send(Array("{\"person\":{\"name\":\"ada\"}}\n".utf8))
        let second = try connection.chunk()
        XCTAssertTrue(second?.hasSuffix("data: {\"name\":\"ada\"}\n\n") == true, second ?? "")
        try await web.stop()
        XCTAssertEqual(try connection.chunk(), "event: end\ndata: {\"reason\":\"stopping\"}\n\n")
        XCTAssertNil(try connection.chunk())
    }

    func testComment_keepsAnIdleConnection() async throws {
        let web = try await start(gateway())
        let connection = try web.connect()
        connection.send(Self.request())
        _ = try connection.read(until: "\r\n\r\n")
        _ = try connection.chunk()
        await clock.waitForSleepers(1)
        clock.advance(seconds: 15)
        XCTAssertEqual(try connection.chunk(), ":\n\n")
        try await web.stop()
    }

    func testClientThatComesBack_isInformedOfTheGap() async throws {
        let web = try await start(gateway())
        let connection = try web.connect()
        connection.send(Self.request())
        _ = try connection.read(until: "\r\n\r\n")
        let event = try XCTUnwrap(try connection.chunk())
        let line = try XCTUnwrap(event.split(separator: "\n").first { $0.hasPrefix("id: ") })
        clock.advance(seconds: 2.5)
        let again = try web.connect()
        again.send(Self.request("Last-Event-ID: \(line.dropFirst(4))\r\n"))
        _ = try again.read(until: "\r\n\r\n")
        let start = try XCTUnwrap(try again.chunk())
        XCTAssertTrue(start.hasPrefix("event: state\n"), start)
        XCTAssertTrue(start.hasSuffix("}\n\nevent: gap\ndata: {\"seconds\":2.5}\n\n"), start)
        for wrong in ["x", "-1", "99999999999999999999", "9223372036854775807"] {
            let other = try web.connect()
            other.send(Self.request("Last-Event-ID: \(wrong)\r\n"))
            _ = try other.read(until: "\r\n\r\n")
            XCTAssertTrue(try XCTUnwrap(try other.chunk()).hasPrefix("event: state\n"))
        }
        try await web.stop()
    }

    func testRefusal_isAProblem_notAnEvent() async throws {
        let gateway = FakeGateway { _, channel in
            channel.send(Array("{\"error\":\"no\",\"code\":\"notAsked\"}\n".utf8))
        }
        let web = try await start(gateway)
        XCTAssertEqual(try web.connect().get("/v1/live").status, 403)
        try await web.stop()
    }

    /// Who is refused has no stream, and takes no place of one.
    func testRefusals_takeNoPlaces() async throws {
        let stream = FakeGateway.Stream()
        let gateway = FakeGateway(streamOf: { $0.contains("eve") ? nil : stream }) {
            request, channel in
            let isRefused = request.contains("eve")
            channel.send(
                Array(
                    (isRefused ? #"{"error":"no","key":"person"}"# : #"{"state":{}}"#).utf8)
                    + [0x0A])
        }
        let web = try await start(gateway)
        let refused = try web.connect()
        for _ in 0..<1_001 { XCTAssertEqual(try refused.get("/v1/live?person=eve").status, 400) }
        let connection = try web.connect()
        connection.send(Self.request())
        let head = try connection.read(until: "\r\n\r\n")
        XCTAssertTrue(head.hasPrefix("HTTP/1.1 200"), head)
        try await web.stop()
    }

    func testStream_endsWhenTheClientLeaves() async throws {
        let stream = FakeGateway.Stream()
        let gateway = gateway(stream)
        let web = try await start(gateway)
        do {
            let connection = try web.connect()
            connection.send(Self.request())
            _ = try connection.read(until: "\r\n\r\n")
            _ = try connection.chunk()
        }
        let channel = await gateway.nextChannel()
        let writing = Task {
            while !Task.isCancelled {
                channel?.send(Array("{\"gap\":{}}\n".utf8))
                try? await channel?.waitUntilWritten()
                await Task.yield()
            }
        }
        await stream.waitForEnd()
        writing.cancel()
        try await web.stop()
    }
}
