import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// Requests that another site makes a browser send, and paths and tokens of strangers.
final class ForeignRequestTests: XCTestCase {
    /// DNS rebinding: a foreign name that resolves to this machine.
    func testForeignHost_getsNothing() async throws {
        let web = try await WebGateway("hosts: [\"gym.example\"]")
        let port = web.port
        for host in [
            "evil.example", "evil.example:\(port)", "localhost.evil.example",
            "127.0.0.1.evil.example:\(port)", "127.1", "0x7f000001", "2130706433", "localhost:x",
            "evil.example, localhost", "localhost@evil.example", "gym.example.evil", "[::1", "",
        ] {
            for target in ["/", "/v1/people", "/v1/live", "/metrics", "/healthz"] {
                let response = try web.ask("GET", target, "Host: \(host)\r\n")
                XCTAssertTrue([400, 421].contains(response.status), "\(host) \(response.head)")
                XCTAssertTrue(response.body.isEmpty || response.body.contains(#""status":4"#))
            }
        }
        XCTAssertEqual(
            try web.ask("GET", "/", "Host: localhost\r\nHost: evil.example\r\n").status / 100, 4)
        XCTAssertEqual(try web.ask("GET", "http://evil.example/v1/people").status / 100, 4)
        let old = try web.connect()
        old.send("GET /v1/people HTTP/1.0\r\n\r\n")
        XCTAssertEqual(try old.response().status, 421)
        for host in ["localhost", "LOCALHOST:\(port)", "127.0.0.1:\(port)", "[::1]", "gym.example"]
        {
            XCTAssertEqual(try web.ask("GET", "/v1/people", "Host: \(host)\r\n").status, 200, host)
        }
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// Cross-site request forgery: a page of another site starts a workout.
    func testForeignSite_changesNothing() async throws {
        let web = try await WebGateway()
        let host = "Host: localhost:\(web.port)\r\n"
        let json = "Content-Type: application/json\r\n"
        let start = #"{"person":"me","activity":"running"}"#
        let attempts = [
            json + "Origin: http://evil.example\r\n", json + "Origin: null\r\n",
            json + "Origin: http://localhost:1\r\n", json + "Origin: http://localhost\r\n",
            json + "Origin: http://localhost:\(web.port).evil.example\r\n",
            json + "Origin: \r\n", json + "Sec-Fetch-Site: cross-site\r\n",
            json + "Sec-Fetch-Site: same-site\r\n",
            "Content-Type: text/plain\r\n", "Content-Type: text/plain; application/json\r\n",
            "Content-Type: application/x-www-form-urlencoded\r\n",
            "Content-Type: multipart/form-data; boundary=application/json\r\n", "",
        ]
        for headers in attempts {
            for body in [start, headers.contains("Sec-F") || headers.contains("Ori") ? "" : start] {
                let response = try web.ask(
                    "POST", "/v1/workout/start", host + headers, body: body)
                XCTAssertTrue([403, 415].contains(response.status), headers + response.head)
            }
        }
        let preflight = try web.ask(
            "OPTIONS", "/v1/workout/start",
            host + "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n")
        XCTAssertEqual(preflight.status, 403)
        for target in ["/", "/v1/people", "/v1/workout"] {
            let response = try web.ask("GET", target, host + "Origin: http://evil.example\r\n")
            for head in [response.head, preflight.head] {
                XCTAssertFalse(head.lowercased().contains("access-control-"), head)
            }
            XCTAssertTrue(response.head.contains("Cross-Origin-Resource-Policy: same-origin"))
        }
        XCTAssertEqual(try web.ask("GET", "/v1/workout/start?person=me").status, 405)
        let none = try web.ask("GET", "/v1/workout").body
        XCTAssertFalse(none.contains("running"), none)
        let own = try web.ask(
            "POST", "/v1/workout/start",
            host + json + "Origin: http://localhost:\(web.port)\r\nSec-Fetch-Site: same-origin\r\n",
            body: #"{"activity":"running"}"#)
        XCTAssertEqual(own.status, 200, own.body)
        let discarded = try web.ask("POST", "/v1/workout/discard", host)
        XCTAssertEqual(discarded.status, 200, discarded.body)
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// A token is in no answer, no log line and no file, whether it is right or wrong.
    func testToken_isNeverRepeated() async throws {
        let web = try await WebGateway()
        let wrong = "a-wrong-token-of-somebody-else"
        for token in [WebGateway.token, wrong] {
            for (target, headers) in [
                ("/v1/status", "Authorization: Bearer \(token)\r\n"),
                ("/v1/status", "Authorization: Basic \(token)\r\n"),
                ("/v1/status", "Authorization: \(token)\r\n"),
                ("/v1/status", "Cookie: token=\(token)\r\n"),
                ("/v1/status?token=\(token)", ""), ("/v1/access?token=\(token)", ""),
                ("/v1/status?Token=\(token)", ""), ("/v1/status?token=\(token)&x=1", ""),
                ("/v1/status?token=\(token)&token=\(token)", ""), ("/wall?token=\(token)", ""),
                ("/nothing?token=\(token)", ""), ("/v1/samples?token=\(token)&type=x", ""),
            ] {
                for method in ["GET", "POST"] {
                    let response = try web.ask(
                        method, target, "Host: localhost\r\n" + headers)
                    XCTAssertFalse((response.head + response.body).contains(token), target)
                }
            }
        }
        let bearer = "Host: localhost\r\nAuthorization: Bearer "
        XCTAssertEqual(try web.ask("GET", "/v1/access", bearer + wrong + "\r\n").status, 401)
        XCTAssertEqual(
            try web.ask("GET", "/v1/access", bearer + WebGateway.token + "\r\n").body,
            try web.ask("GET", "/v1/access?token=\(WebGateway.token)").body)
        // A token in an address may be seen by others: it changes nothing.
        XCTAssertEqual(
            try web.ask("POST", "/v1/workout/start?token=\(WebGateway.token)").status, 401)
        try await web.assertUnharmed()
        try await web.stop()
        for stream in [RunningCommand.Stream.output, .error] {
            let text = await web.gateway.text(of: stream)
            for token in [WebGateway.token, wrong] { XCTAssertFalse(text.contains(token), text) }
        }
        for path in try web.home.folder.permissions().keys {
            guard !path.hasSuffix("phone.token"),
                let content = FileManager.default.contents(atPath: web.home.folder.path(path))
            else { continue }
            for token in [WebGateway.token, wrong] {
                XCTAssertNil(content.range(of: Data(token.utf8)), path)
            }
        }
    }

    /// Asserts that there is no such page; what is no request at all ends the connection.
    private func assertRefused(
        _ target: String, _ web: WebGateway, line: UInt = #line
    ) throws {
        let connection = try web.connect()
        connection.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = try connection.readToEnd()
        let isRefused = ["", "HTTP/1.1 400", "HTTP/1.1 404"].contains(String(answer.prefix(12)))
        XCTAssertTrue(isRefused, "\(target) \(answer)", line: line)
        XCTAssertFalse(answer.contains("root:"), target, line: line)
    }

    func testPaths_neverLeaveThePages() async throws {
        let web = try await WebGateway()
        let ups = [
            "..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%00", "..;", "%c0%ae%c0%ae",
            "%uff0e%uff0e", "....", ". .", "..%20", "%e2%80%a5", "..\\..", "..%5c..",
        ]
        let separators = ["/", "%2f", "%5c", "\\", "//", "/./", "%252f", "%c0%af"]
        for up in ups {
            for separator in separators {
                for file in ["etc/passwd", "data/pulsegate/phone.token"] {
                    let climb = Array(repeating: up, count: 8).joined(separator: separator)
                    for target in ["/\(climb)\(separator)\(file)", "/wall/\(climb)/\(file)"] {
                        try assertRefused(target, web)
                    }
                }
            }
        }
        for target in [
            "//etc/passwd", "/etc/passwd", "///", "file:///etc/passwd", "*", "/%00", "/app.css%00",
            "/app.css/", "/App.css", "/app.css/../wall", "/app%2ecss%2f", "/%2e/app.css", "/~root",
            "/.git/config", "/Pages/index.html", "/\u{7F}", "/%zz", "/%", "/wall#../x",
        ] {
            try assertRefused(target, web)
        }
        XCTAssertEqual(try web.ask("GET", "/app.css").status, 200)
        try await web.assertUnharmed()
        try await web.stop()
    }
}
