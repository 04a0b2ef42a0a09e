import Glibc
import XCTest

@testable import HTTPTesting

/// The server that the HTTP client is tested with, seen through a plain socket.
final class ScriptedHTTPServerTests: XCTestCase {
    private func client(of server: ScriptedHTTPServer) throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        XCTAssertEqual(result, 0)
        return client
    }

    private func sendText(_ text: String, to client: Int32) {
        let bytes = Array(text.utf8)
        XCTAssertEqual(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)), bytes.count)
    }

    /// Reads until the server closes.
    private func readToEnd(_ client: Int32) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(client, &buffer, buffer.count, 0), count > 0 {
            text += buffer.prefix(count)
        }
        close(client)
        return String(decoding: text, as: UTF8.self)
    }

    func testRequests_ofAnyFraming_areRead() throws {
        let server = try ScriptedHTTPServer { number, _ in
            number < 3 ? .answer(ScriptedAnswer(status: 200 + number)) : .close
        }
        let client = try client(of: server)

        sendText("POST /a HTTP/1.1\r\nContent-Length: 3\r\nX-Y:  z\r\n\r\nabc", to: client)
        sendText("POST /b HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n", to: client)
        sendText(
            "2;x=y\r\nde\r\nA\r\nfghijklmno\r\n0\r\nX-T: 1\r\n\r\nGET /c HTTP/1.1\r\n\r\n",
            to: client)
        let answers = readToEnd(client)

        XCTAssertEqual(server.requests.map(\.method), ["POST", "POST", "GET"])
        XCTAssertEqual(server.requests.map(\.target), ["/a", "/b", "/c"])
        XCTAssertEqual(
            server.requests.map(\.body), ["abc", "defghijklmno", ""].map { Array($0.utf8) })
        XCTAssertEqual(server.requests.first?["x-y"], "z")
        XCTAssertTrue(answers.contains("HTTP/1.1 201 "), answers)
        XCTAssertTrue(answers.contains("HTTP/1.1 202 "), answers)
        XCTAssertEqual(server.counts.connections, 1)
    }

    func testRequest_cutAnywhere_isReadAlike() {
        let text =
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = HTTPRequestReader(storesBodies: true)
            var bodies: [[UInt8]] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                Array(piece).withUnsafeBytes { buffer in
                    var rest = buffer[...]
                    while let event = reader.parse(&rest) {
                        if case .request(let request) = event { bodies.append(request.body) }
                    }
                }
            }
            XCTAssertEqual(bodies, [Array("abcd".utf8)], "\(cut)")
        }
    }

    func testWhatIsNoRequest_isRefused() throws {
        let server = try ScriptedHTTPServer()

        for text in [
            "hello", "\u{16}", "X\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        ] {
            let client = try client(of: server)
            sendText(text, to: client)
            XCTAssertTrue(readToEnd(client).hasPrefix("HTTP/1.1 400 "), text)
        }
    }

    func testDecide_seesTheBody() throws {
        let server = try ScriptedHTTPServer { _, _ in
            .decide { request in
                let isGood = request.body == Array("good".utf8)
                return .answer(ScriptedAnswer(status: isGood ? 204 : 422)).thenClose()
            }
        }
        for (body, status) in [("good", "204"), ("evil", "422")] {
            let client = try client(of: server)
            sendText("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\(body)", to: client)
            XCTAssertTrue(readToEnd(client).hasPrefix("HTTP/1.1 \(status) "), body)
        }
    }

    func testStopAndStart_keepThePort() async throws {
        let server = try ScriptedHTTPServer { _, _ in .silence }
        let port = server.port
        let first = try client(of: server)
        try await server.wait { $0.openConnections == 1 }

        server.stop()
        XCTAssertEqual(readToEnd(first), "")
        try server.start()

        XCTAssertEqual(server.port, port)
        let second = try client(of: server)
        try await server.wait { $0.connections == 2 }
        close(second)
    }
}
