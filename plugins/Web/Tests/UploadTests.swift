import GatewayCore
import GatewayTesting
import HTTPTesting
import XCTest

@testable import Web

/// Tests files that clients send to be imported.
final class UploadTests: XCTestCase {
    private static let token = "0123456789abcdef"
    private static let type = "Content-Type: application/octet-stream\r\n"

    /// A gateway that reads the content of each request, and answers with its length.
    private func start() async throws -> (gateway: FakeGateway, web: RunningWeb) {
        let gateway = FakeGateway(content: { _, content, channel in
            var count = 0
            do {
                while let piece = try await content.next() { count += piece.count }
                channel.send(Array("{\"import\":{\"bytes\":\(count)}}\n".utf8))
            } catch is RequestContentTooLong {
                channel.send(Array("{\"error\":\"long\",\"code\":\"tooLong\"}\n".utf8))
            } catch {}
        })
        return (gateway, try await RunningWeb.start(gateway))
    }

    private func head(_ headers: String, _ target: String = "/v1/imports") -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
    }

    func testFile_goesToTheGatewayInPieces() async throws {
        let (gateway, web) = try await start()
        let connection = try web.connect()
        connection.send(
            head(
                Self.type + "Content-Length: 3000000\r\n",
                "/v1/imports?person=ada&name=a%20b.fit"))
        connection.send([UInt8](repeating: 7, count: 3_000_000))
        let response = try connection.response()
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.body, #"{"import":{"bytes":3000000}}"#)
        XCTAssertEqual(
            gateway.texts, [#"{"name":"a b.fit","person":"ada","request":"import"}"#])
        try await web.stop()
    }

    /// It is refused before it is sent, and the gateway does not hear of it.
    func testFile_thatIsRefused() async throws {
        let (gateway, web) = try await start()
        for (headers, target, status) in [
            ("Content-Length: 5\r\n", "/v1/imports", 415),
            ("Content-Type: text/plain\r\nContent-Length: 5\r\n", "/v1/imports", 415),
            (Self.type + "Content-Encoding: gzip\r\nContent-Length: 5\r\n", "/v1/imports", 415),
            (Self.type + "Content-Length: 5\r\n", "/v1/imports?x=1", 400),
            (Self.type + "Content-Length: 5\r\n", "/v1/imports?token=\(Self.token)", 401),
            (
                Self.type + "Content-Length: 5\r\nOrigin: http://evil.example\r\n", "/v1/imports",
                403
            ),
            (Self.type + "Content-Length: 104857600\r\n", "/v1/imports", 413),
        ] {
            let connection = try web.connect()
            connection.send(head(headers, target) + "12345")
            let response = try connection.response()
            XCTAssertEqual(response.status, status, headers + target)
            XCTAssertTrue(response.head.contains("application/problem+json"), response.head)
            XCTAssertTrue(response.head.contains("X-Content-Type-Options"), response.head)
        }
        XCTAssertEqual(gateway.texts, [])
        try await web.stop()
    }

    func testFile_thatTurnsOutTooLong_isAProblem() async throws {
        let (_, web) = try await start()
        let connection = try web.connect()
        connection.send(head(Self.type + "Transfer-Encoding: chunked\r\n"))
        let count = 1 << 20
        let chunk =
            Array(String(count, radix: 16).utf8) + [13, 10]
            + [UInt8](repeating: 0, count: count) + [13, 10]
        for _ in 0...(RequestContentTooLong.maximumFileBytes / count) { connection.send(chunk) }
        connection.send("0\r\n\r\n")
        let response = try connection.response()
        XCTAssertEqual(response.status, 413)
        XCTAssertTrue(response.body.contains(#""code":"tooLong""#), response.body)
        try await web.stop()
    }

    /// Content of other requests is short, also without a length.
    func testOtherContent_thatIsTooLong_isAProblem() async throws {
        let (_, web) = try await start()
        let connection = try web.connect()
        connection.send(head("Transfer-Encoding: chunked\r\n", "/v1/records"))
        connection.send("11170\r\n" + String(repeating: " ", count: 70_000) + "\r\n0\r\n\r\n")
        let response = try connection.response()
        XCTAssertEqual(response.status, 413)
        XCTAssertTrue(response.body.contains(#""status":413"#), response.body)
        try await web.stop()
    }
}
