import Foundation
import GatewayTesting
import HTTPClient
import HTTPTesting
import XCTest

/// Tests requests and responses.
final class HTTPClientTests: XCTestCase {
    func testPost_sendsItsHeadersAndBody() async throws {
        let server = try ScriptedHTTPServer()
        let headers = [
            try HTTPHeader("Authorization", "Bearer abc"),
            try HTTPHeader("Content-Type", "application/json"),
            try HTTPHeader("X-Empty", ""), try HTTPHeader("X-Word", "grün; b"),
        ]

        let response = try await HTTPClient().send(
            server.request("/v1/../samples?a=b", headers: headers, body: [0, 1, 2]))

        XCTAssertEqual(response.status, 200)
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.target, "/v1/../samples?a=b")
        XCTAssertEqual(request.body, [0, 1, 2])
        XCTAssertEqual(request["Host"], "127.0.0.1:\(server.port)")
        XCTAssertEqual(request["Content-Length"], "3")
        XCTAssertEqual(request["Authorization"], "Bearer abc")
        XCTAssertEqual(request["Content-Type"], "application/json")
        XCTAssertEqual(request["X-Empty"], "")
        XCTAssertEqual(request["X-Word"], "grün; b")
        XCTAssertEqual(request["User-Agent"], "pulsegate")
        XCTAssertNil(request["Expect"])
        XCTAssertNil(request["Accept-Encoding"])
    }

    func testBody_ofAnyLength_isSentWithItsLength() async throws {
        let server = try ScriptedHTTPServer()
        let client = HTTPClient()

        _ = try await client.send(server.request())
        _ = try await client.send(server.request(body: []))

        XCTAssertEqual(server.requests.map(\.method), ["POST", "POST"])
        XCTAssertEqual(server.requests.map { $0["Content-Length"] }, ["2", "0"])
        XCTAssertEqual(server.requests.compactMap { $0["Content-Type"] }, [])
    }

    func testResponse_isGivenAsItCame() async throws {
        let framings: [ScriptedAnswer.Framing] = [.length, .chunked, .untilClose]
        let server = try ScriptedHTTPServer { number, _ in
            .answer(
                ScriptedAnswer(
                    status: 429,
                    headers: [("Retry-After", " 7 "), ("X-Twice", "1"), ("x-twice", "2")],
                    body: "try later", framing: framings[number - 1]))
        }
        let client = HTTPClient()

        for _ in framings {
            let response = try await client.send(server.request())

            XCTAssertEqual(response.status, 429)
            XCTAssertEqual(response["retry-after"], "7")
            XCTAssertEqual(response["X-TWICE"], "1")
            XCTAssertNil(response["X-None"])
            XCTAssertEqual(response.body, Array("try later".utf8))
        }
    }

    func testResponse_afterProvisionalOnes_isTheLast() async throws {
        let text =
            "HTTP/1.1 100 Continue\r\nX-A: no\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-B: no\r\n\r\n"
            + "HTTP/1.1 201 Created\r\nX-C: yes\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedHTTPServer { _, _ in .bytes(Array(text.utf8)) }

        let response = try await HTTPClient().send(server.request())

        XCTAssertEqual(response.status, 201)
        XCTAssertEqual(response.headers.map(\.name), ["X-C", "Content-Length"])
    }

    func testRequestsInTurn_useOneConnection() async throws {
        let server = try ScriptedHTTPServer()
        let client = HTTPClient()

        for _ in 0..<20 { _ = try await client.send(server.request()) }

        XCTAssertEqual(server.counts.requests, 20)
        XCTAssertEqual(server.counts.connections, 1)
    }

    func testManyRequestsAtOnce_areAllAnswered() async throws {
        let server = try ScriptedHTTPServer { number, request in
            .answer(ScriptedAnswer(body: request.target)).onRelease()
        }
        let client = HTTPClient()

        let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<100 {
                let request = try server.request("/\(number)")
                group.addTask { (number, try await client.send(request).body) }
            }
            // Respond only when all requests are waiting.
            try await server.wait { $0.requests == 100 }
            server.release()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        XCTAssertEqual(
            bodies, Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, Array("/\($0)".utf8)) }))
        // Some idle connections remain.
        try await server.wait { $0.openConnections <= 4 }
    }

    func testLargeBody_arrivesAsItWas() async throws {
        let server = try ScriptedHTTPServer()
        let body = (0..<9_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }

        let response = try await HTTPClient().send(server.request(body: body))

        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(server.requests.first?.body, body)
    }

    func testConnectionThatWasClosedMeanwhile_isReplaced() async throws {
        let server = try ScriptedHTTPServer { number, _ in
            number == 2 ? .close : .answer()
        }
        let client = HTTPClient()
        let body = [UInt8](repeating: 7, count: 300_000)
        _ = try await client.send(server.request(body: body))

        // The second time the server closes just when the connection is used again.
        let response = try await client.send(server.request(body: body))

        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(server.requests.map(\.bodyCount), [300_000, 300_000, 300_000])
        XCTAssertEqual(server.requests.last?.body, body)
        XCTAssertEqual(server.counts.connections, 2)
    }

    func testServerThatRestarts_isReachedAgain() async throws {
        let server = try ScriptedHTTPServer()
        let client = HTTPClient()
        _ = try await client.send(server.request())

        server.stop()
        let error = try await client.failure(of: server.request())
        try server.start()
        let response = try await client.send(server.request())

        XCTAssertEqual(error.kind, .cannotConnect)
        XCTAssertEqual(response.status, 200)
    }

    func testUnixSocket_isWhereRequestsGo() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedHTTPServer(socketPath: folder.path("s"))
        var options = HTTPClientOptions()
        options.socketPath = folder.path("s")
        let client = HTTPClient(options)

        let response = try await client.send(
            HTTPRequest(try HTTPURL("http://store.invalid/x"), body: [1]))

        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(server.requests.first?["Host"], "store.invalid")
    }

    func testUnixSocket_thatIsNotThere_cannotBeConnected() async throws {
        let folder = try TemporaryFolder()
        var options = HTTPClientOptions()
        options.socketPath = folder.path("s")
        let request = HTTPRequest(try HTTPURL("http://localhost/"))

        let error = try await HTTPClient(options).failure(of: request)
        XCTAssertEqual(error.kind, .cannotConnect)

        for path in ["", String(repeating: "x", count: 108), "a\u{0}b"] {
            options.socketPath = path
            let error = try await HTTPClient(options).failure(of: request)
            XCTAssertEqual(error.kind, .configuration)
        }
    }

    func testProxyOfTheEnvironment_isNotUsedForHTTP() async throws {
        let proxy = try ScriptedHTTPServer()
        let server = try ScriptedHTTPServer()
        setenv("http_proxy", proxy.url(), 1)
        setenv("all_proxy", proxy.url(), 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("all_proxy")
        }

        _ = try await HTTPClient().send(server.request())

        XCTAssertEqual(server.counts.requests, 1)
        XCTAssertEqual(proxy.counts.connections, 0)
    }

    func testProxyOfTheEnvironment_forHTTPS_seesNoHeader() async throws {
        let proxy = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: 403)) }
        setenv("https_proxy", proxy.url(), 1)
        defer { unsetenv("https_proxy") }
        let request = HTTPRequest(
            try HTTPURL("https://repo.invalid/path"),
            headers: [try HTTPHeader("Authorization", "Bearer hunter2")], body: [1])

        let error = try await HTTPClient().failure(of: request)

        XCTAssertFalse(error.description.contains("hunter2"), error.description)
        XCTAssertEqual(proxy.requests.map(\.method), ["CONNECT"])
        XCTAssertEqual(proxy.requests.map(\.target), ["repo.invalid:443"])
        XCTAssertNil(proxy.requests.first?["Authorization"])
    }
}
