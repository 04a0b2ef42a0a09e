import Foundation
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import XCTest

/// Clients that send too much, too slowly, too often, or do not read.
final class WebFloodTests: XCTestCase {
    /// A gateway with the limit of descriptors that a session of a user usually has.
    private func start() async throws -> WebGateway {
        guard DescriptorLimit.raise(to: 4_096) >= 4_096 else {
            throw XCTSkip("this process may not have 4,096 descriptors")
        }
        let prlimit = "/usr/bin/prlimit"
        guard FileManager.default.isExecutableFile(atPath: prlimit) else {
            throw XCTSkip("prlimit is missing; apt-get install util-linux")
        }
        return try await WebGateway(prefix: [prlimit, "--nofile=1024:4096", "--"])
    }

    /// Slow-loris: connections whose request never ends, more than there are places.
    func testHalfOpenConnections_keepNobodyOut() async throws {
        let web = try await start()
        let flood = String(repeating: "x", count: 4_000)
        var held: [RawHTTPConnection] = []
        for number in 0..<1_300 {
            let connection = try web.connect()
            connection.send("GET /?\(flood) HTTP/1.1\r\nHost: localhost\r\nX: ")
            held.append(connection)
            guard number % 100 == 99 else { continue }
            try await web.walk(10)
            XCTAssertEqual(try web.ask("GET", "/healthz").status, 200)
        }
        for connection in held { connection.send("y") }
        try await web.assertUnharmed()
        let status = try await web.home.run("status")
        XCTAssertEqual(status.ending, .exited(0), status.error)
        XCTAssertEqual(try held[0].readToEnd(), "")
        held = []
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testConnections_thatEndAtOnce_keepNobodyOut() async throws {
        let web = try await start()
        for number in 0..<10_000 {
            try web.connect().send(number % 2 == 0 ? "GET / HTTP/1.1\r\n" : "")
            if number % 100 == 0 { try await web.walk() }
        }
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// Clients that ask for events, lists and pages, and never read them.
    func testClients_thatNeverRead_harmNobody() async throws {
        let web = try await start()
        try await web.walk(5_000)
        var held: [RawHTTPConnection] = []
        for target in ["/v1/live", "/v1/samples?type=stepCount", "/", "/metrics"] {
            for number in 0..<200 {
                let connection = try web.connect()
                connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                held.append(connection)
                if number % 50 == 0 { try await web.walk(10) }
            }
        }
        try await web.walk(500)
        held = []
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testContent_of100Megabytes_isNotKept() async throws {
        let web = try await start()
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
        let head =
            "POST /v1/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        let announced = try web.connect()
        announced.send(head + "Content-Length: 104857600\r\n\r\n")
        XCTAssertEqual(try announced.response().status, 413)
        for _ in 0..<100 { announced.send(piece) }
        for length in ["-1", "99999999999999999999", "5, 6", "0x10", "5\r\nContent-Length: 6"] {
            let connection = try web.connect()
            connection.send(head + "Content-Length: \(length)\r\n\r\n{\"records\":[]}")
            let answer = try connection.readToEnd()
            XCTAssertFalse(answer.hasPrefix("HTTP/1.1 2"), "\(length) \(answer)")
        }
        let chunked = try web.connect()
        chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<100 {
            chunked.send("100000\r\n")
            chunked.send(piece)
            chunked.send("\r\n")
        }
        chunked.send("0\r\n\r\n")
        let refused = try chunked.response()
        XCTAssertEqual(refused.status, 413)
        XCTAssertTrue(refused.head.contains("application/problem+json"), refused.head)
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testHeaders_withoutEnd_areCutOff() async throws {
        let web = try await start()
        let many = String(repeating: "X-Header: 0123456789\r\n", count: 10_000)
        let large = "X-Header: " + String(repeating: "x", count: 10 << 20) + "\r\n"
        for flood in [many, large, "Cookie: " + many.replacing("\r\n", with: ";") + "\r\n"] {
            for start in ["GET / HTTP/1.1\r\nHost: localhost\r\n", ""] {
                let connection = try web.connect()
                connection.send(start + flood + "\r\n")
                let answer = try connection.readToEnd()
                XCTAssertTrue(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), answer)
            }
        }
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testRequests_sentAtOnce_areAnsweredInOrder() async throws {
        let web = try await start()
        let connection = try web.connect()
        for number in 0..<500 {
            let target = number % 2 == 0 ? "/healthz" : "/nothing"
            connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        for number in 0..<500 {
            XCTAssertEqual(try connection.response().status, number % 2 == 0 ? 200 : 404)
        }
        // A second request in the content of the first is content.
        let smuggled = "GET /v1/people HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.send(
            "POST /v1/access HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                + "Content-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)"
                + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        XCTAssertEqual(try connection.response().status, 415)
        XCTAssertEqual(try connection.response().body, "ok\n")
        try await web.assertUnharmed()
        try await web.stop()
    }
}
