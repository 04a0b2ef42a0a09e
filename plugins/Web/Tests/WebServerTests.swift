import Foundation
import GatewayCore
import GatewayTesting
import HTTPTesting
import XCTest

@testable import Web

/// Tests the server with a gateway whose answers are chosen.
final class WebServerTests: XCTestCase {
    private func send(_ line: String, to channel: any ResponseChannel) {
        channel.send(Array((line + "\n").utf8))
    }

    func testObject_isTheAnswerOfTheGateway() async throws {
        let gateway = FakeGateway { _, channel in channel.send(Array("{\"a\":1}\n".utf8)) }
        let web = try await RunningWeb.start(gateway)
        let response = try web.connect().get("/v1/status")
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.body, #"{"a":1}"#)
        XCTAssertTrue(response.head.contains("Content-Type: application/json\r\n"))
        XCTAssertEqual(gateway.texts, [#"{"request":"status"}"#])
        XCTAssertEqual(gateway.clients.map(\.isOwner), [true])
        try await web.stop()
    }

    func testError_isAProblem() async throws {
        let gateway = FakeGateway { _, channel in
            channel.send(Array(#"{"error":"asked for too much","code":"denied"}"#.utf8) + [0x0A])
        }
        let web = try await RunningWeb.start(gateway)
        let response = try web.connect().get("/v1/status")
        XCTAssertEqual(response.status, 403)
        XCTAssertTrue(response.head.contains("Content-Type: application/problem+json\r\n"))
        XCTAssertEqual(
            response.body,
            #"{"type":"about:blank","title":"Forbidden","status":403,"detail":"asked for too much","#
                + #""code":"denied"}"#)
        try await web.stop()
    }

    func testGatewayWithoutAnAnswer_isUnavailable() async throws {
        let web = try await RunningWeb.start(FakeGateway { _, _ in })
        XCTAssertEqual(try web.connect().get("/v1/status").status, 503)
        XCTAssertEqual(try web.connect().get("/readyz").status, 503)
        XCTAssertEqual(try web.connect().get("/healthz").body, "ok\n")
        try await web.stop()
    }

    func testRecords_areOneList() async throws {
        let gateway = FakeGateway { request, channel in
            if request.contains("stepCount") {
                channel.send(Array("{\"query\":{\"records\":0}}\n".utf8))
            } else {
                channel.send(Array("{\"id\":1}\n{\"id\":2}\n".utf8))
                channel.send(Array("{\"id\":3}\n{\"query\":{\"records\":3}}\n".utf8))
            }
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        XCTAssertEqual(
            try connection.get("/v1/samples?type=heartRate").body,
            #"{"records":[{"id":1},{"id":2},{"id":3}]}"#)
        XCTAssertEqual(
            try connection.get("/v1/samples?type=stepCount").body, #"{"records":[]}"#)
        try await web.stop()
    }

    /// What was sent cannot be taken back; the error is part of the object.
    func testRecords_thatBreakOff_haveAnError() async throws {
        let gateway = FakeGateway { _, channel in
            channel.send(Array("{\"id\":1}\n{\"error\":\"disk\"}\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        XCTAssertEqual(
            try web.connect().get("/v1/samples?type=heartRate").body,
            #"{"records":[{"id":1}],"error":"disk"}"#)
        try await web.stop()
    }

    func testLists_haveTheOtherFieldsOfTheLastLine() async throws {
        let gateway = FakeGateway { request, channel in
            let end =
                request.contains("changes")
                ? #"{"changes":{"records":2,"anchor":"a.1","hasMore":false}}"#
                : #"{"statistics":{"rows":2}}"#
            channel.send(Array("{\"id\":1}\n{\"id\":2}\n\(end)\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        XCTAssertEqual(
            try connection.get("/v1/changes?limit=2").body,
            #"{"records":[{"id":1},{"id":2}],"anchor":"a.1","hasMore":false}"#)
        XCTAssertEqual(
            try connection.get("/v1/statistics?type=stepCount&bucket=day").body,
            #"{"rows":[{"id":1},{"id":2}]}"#)
        XCTAssertEqual(
            gateway.texts,
            [
                #"{"limit":2,"request":"changes"}"#,
                #"{"bucket":"day","request":"statistics","type":"stepCount"}"#,
            ])
        try await web.stop()
    }

    func testFile_isADownload() async throws {
        let gateway = FakeGateway { request, channel in
            guard request.contains(#""id":"1""#) else {
                return channel.send(Array("{\"error\":\"none\",\"code\":\"notFound\"}\n".utf8))
            }
            channel.send(
                Array(#"{"file":{"name":"a.csv","type":"text/csv","bytes":6}}"#.utf8) + [0x0A])
            channel.send(Array("{\"data\":\"Zm9v\"}\n{\"data\":\"YmFy\"}\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        let response = try connection.get("/v1/workouts/1/file?format=csv")
        XCTAssertEqual(response.body, "foobar")
        XCTAssertTrue(response.head.contains("Content-Type: text/csv\r\n"), response.head)
        XCTAssertTrue(
            response.head.contains("Content-Disposition: attachment; filename=\"a.csv\"\r\n"),
            response.head)
        XCTAssertEqual(gateway.texts, [#"{"format":"csv","id":"1","request":"workoutFile"}"#])
        XCTAssertEqual(try connection.get("/v1/workouts/2/file?format=csv").status, 404)
        XCTAssertEqual(try connection.get("/v1/workouts/2/file?format=gpx").status, 400)
        XCTAssertEqual(try connection.get("/v1/workouts/2/file").status, 400)
        try await web.stop()
    }

    func testMetrics_haveTheFormatThatIsAccepted() async throws {
        let gateway = FakeGateway { request, channel in
            let text = request.contains("openMetrics") ? "open" : "plain"
            channel.send(Array("{\"metrics\":\"\(text)\\n\"}\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        let plain = try connection.get("/metrics")
        XCTAssertEqual(plain.body, "plain\n")
        XCTAssertTrue(plain.head.contains("Content-Type: text/plain; version=0.0.4"), plain.head)
        let open = try connection.get(
            "/metrics", "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n")
        XCTAssertEqual(open.body, "open\n")
        XCTAssertTrue(open.head.contains("application/openmetrics-text; version=1.0.0"))
        try await web.stop()
    }

    func testMetrics_haveValues_onlyWhereTheyAreSet() async throws {
        for (settings, isAsked) in [
            ("{}", false), ("{ metrics: {} }", false), ("{ metrics: { values: false } }", false),
            ("{ metrics: { values: true } }", true),
        ] {
            let gateway = FakeGateway { _, channel in
                channel.send(Array("{\"metrics\":\"a 1\\n\"}\n".utf8))
            }
            let web = try await RunningWeb.start(gateway, settings)
            // What a client sends changes nothing.
            _ = try web.connect().get("/metrics?values=true")
            XCTAssertEqual(try web.connect().get("/metrics").body, "a 1\n")
            let request = try XCTUnwrap(gateway.texts.last)
            XCTAssertEqual(request.contains(#""values":true"#), isAsked, settings)
            XCTAssertTrue(
                gateway.texts.allSatisfy { $0.contains(#""values""#) == isAsked }, settings)
            try await web.stop()
        }
    }

    func testPaths_andMethods_thatAreNotThere() async throws {
        let web = try await RunningWeb.start(FakeGateway { _, _ in })
        let connection = try web.connect()
        XCTAssertEqual(try connection.get("/v1/nothing").status, 404)
        XCTAssertEqual(try connection.get("/v1/status/").status, 404)
        XCTAssertEqual(try connection.get("/../etc/passwd").status, 400)
        XCTAssertEqual(try connection.get("/%2e%2e/%2e%2e/etc/passwd").status, 400)
        connection.send("DELETE /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try connection.response()
        XCTAssertEqual(response.status, 405)
        XCTAssertTrue(response.head.contains("Allow: GET, HEAD\r\n"), response.head)
        try await web.stop()
    }

    func testContent_mustBeJSON() async throws {
        let gateway = FakeGateway { _, channel in channel.send(Array("{\"live\":{}}\n".utf8)) }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        func post(_ type: String, _ body: String) throws -> Int {
            connection.send(
                "POST /v1/workout/start HTTP/1.1\r\nHost: localhost\r\n\(type)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try connection.response().status
        }
        XCTAssertEqual(try post("", "{}"), 415)
        XCTAssertEqual(try post("Content-Type: text/plain\r\n", "{}"), 415)
        XCTAssertEqual(
            try post("Content-Type: application/x-www-form-urlencoded\r\n", "a=b"), 415)
        XCTAssertEqual(gateway.texts, [])
        XCTAssertEqual(try post("Content-Type: application/json; charset=utf-8\r\n", "{}"), 200)
        XCTAssertEqual(try post("", ""), 200)
        XCTAssertEqual(gateway.texts.count, 2)
        try await web.stop()
    }

    func testPage_isSentOnceUntilItChanges() async throws {
        let web = try await RunningWeb.start(FakeGateway { _, _ in })
        let connection = try web.connect()
        let first = try connection.get("/")
        XCTAssertEqual(first.status, 200)
        XCTAssertTrue(first.head.contains("Content-Security-Policy: default-src 'none'"))
        XCTAssertTrue(first.head.contains("X-Content-Type-Options: nosniff"))
        let line = try XCTUnwrap(
            first.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        let again = try connection.get("/", "If-None-Match: \(line.dropFirst(6))\r\n")
        XCTAssertEqual(again.status, 304)
        XCTAssertEqual(try connection.get("/", "If-None-Match: \"other\"\r\n").status, 200)
        try await web.stop()
    }

    func testToken_isReadAgainForEachRequest() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/phone.token"
        try Data("0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let gateway = FakeGateway { _, channel in channel.send(Array("{}\n".utf8)) }
        let web = try await RunningWeb.start(
            gateway, "{ tokens: { phone: { file: \"phone.token\" } } }", in: folder.path)
        let connection = try web.connect()
        let header = "Authorization: Bearer 0123456789abcdef\r\n"
        XCTAssertEqual(try connection.get("/v1/status", header).status, 200)
        XCTAssertEqual(gateway.clients.last?.id?.description, "web:-:phone")
        try Data("fedcba9876543210".utf8).write(to: URL(fileURLWithPath: file))
        XCTAssertEqual(try connection.get("/v1/status", header).status, 401)
        try Data("short".utf8).write(to: URL(fileURLWithPath: file))
        let short = try connection.get("/v1/status", "Authorization: Bearer short\r\n")
        XCTAssertEqual(short.status, 401)
        XCTAssertTrue(short.head.contains("WWW-Authenticate: Bearer"), short.head)
        try FileManager.default.removeItem(atPath: file)
        XCTAssertEqual(try connection.get("/v1/status", header).status, 401)
        try await web.stop()
    }
}
