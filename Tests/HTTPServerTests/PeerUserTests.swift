import Glibc
import HTTPTesting
import XCTest

@testable import HTTPServer

/// Tests which user holds the other end of a connection.
final class PeerUserTests: XCTestCase {
    private func accept(_ listener: Int32) throws -> Int32 {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        XCTAssertEqual(poll(&waiting, 1, 10_000), 1)
        let connection = Glibc.accept(listener, nil, nil)
        return try XCTUnwrap(connection >= 0 ? connection : nil)
    }

    private func user(of connection: Int32) throws -> UInt32? {
        let peer = try XCTUnwrap(SocketAddress(of: connection) { getpeername($0, $1, $2) })
        let own = try XCTUnwrap(SocketAddress(of: connection) { getsockname($0, $1, $2) })
        return PeerUser.id(peer: peer, own: own)
    }

    func testOpenConnection_isOfThisUser() throws {
        let (listener, port) = try XCTUnwrap(ListenAddress("127.0.0.1:0")).listen()
        defer { close(listener) }
        let client = try RawHTTPConnection(port: port)
        let connection = try accept(listener)
        defer { close(connection) }
        XCTAssertEqual(try user(of: connection), geteuid())
        client.finish()
        XCTAssertEqual(try user(of: connection), geteuid(), "half closed")
    }

    /// The kernel reports user 0, root, for a socket that no process holds any more: whoever sends a request
    /// and closes at once would be the owner.
    func testClosedConnection_isOfNobody() throws {
        let (listener, port) = try XCTUnwrap(ListenAddress("127.0.0.1:0")).listen()
        defer { close(listener) }
        do {
            let client = try RawHTTPConnection(port: port)
            client.send("POST /v1/workout/discard HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        let connection = try accept(listener)
        defer { close(connection) }
        XCTAssertNil(try user(of: connection))
    }

    func testOtherFamilies_andUnknownEnds_areOfNobody() throws {
        let four = try XCTUnwrap(SocketAddress(bytes: [127, 0, 0, 1], port: 1))
        let six = try XCTUnwrap(
            SocketAddress(bytes: [UInt8](repeating: 0, count: 15) + [1], port: 1))
        XCTAssertNil(PeerUser.id(peer: four, own: six))
        XCTAssertNil(PeerUser.id(peer: four, own: four))
    }
}
