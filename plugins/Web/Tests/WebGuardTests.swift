import GatewayCore
import Glibc
import HTTPServer
import XCTest

@testable import Web

/// Tests who may send which requests.
final class WebGuardTests: XCTestCase {
    private let checks = WebGuard(hosts: ["gym.example", "pi", "pi.local"]) {
        ["0123456789abcdef": PlainName("phone")][$0] ?? nil
    }

    private func request(
        _ method: String = "GET", _ target: String = "/", user: UInt32? = nil,
        isLoopback: Bool = true, _ headers: [String: String] = [:]
    ) -> HTTPServerRequest {
        HTTPServerRequest(
            method: method, target: target,
            headers: ["host": "localhost:8765"].merging(headers) { $1 },
            peer: HTTPPeer(address: "127.0.0.1", isLoopback: isLoopback, userID: user))
    }

    private func client(_ request: HTTPServerRequest) throws -> ServiceClient {
        try checks.client(of: request, XCTUnwrap(RequestTarget(request.target)))
    }

    private func status(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Problem)?.status
        }
    }

    func testHost_mustBeAnAddressOrANameOfThisServer() {
        let own = [
            "localhost", "localhost:8765", "LOCALHOST.", "127.0.0.1:8765", "[::1]", "[::1]:8765",
            "192.168.1.7:8765", "gym.example", "Gym.Example:443", "pi.local:8765",
        ]
        for host in own {
            XCTAssertNil(status { try checks.check(request("GET", ["host": host])) }, host)
        }
        let foreign = [
            "", "evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.evil",
            "127.0.0.1@evil", "1.2.3", "[::1", "[evil]", "localhost:", "localhost:x", "pi.lan",
            "127.0.0.1:8765:1", "127.0.0.1\0.evil.example",
        ]
        for host in foreign {
            XCTAssertEqual(status { try checks.check(request("GET", ["host": host])) }, 421, host)
        }
        let none = HTTPServerRequest(
            method: "GET", target: "/", peer: HTTPPeer(address: "", isLoopback: true))
        XCTAssertEqual(status { try checks.check(none) }, 421)
    }

    private func request(_ method: String, _ headers: [String: String]) -> HTTPServerRequest {
        request(method, "/", user: nil, headers)
    }

    func testForeignPage_mustNotChangeAnything() {
        let own = [
            ["origin": "http://localhost:8765"], ["sec-fetch-site": "same-origin"], [:],
            ["origin": "http://localhost:8765", "sec-fetch-site": "same-origin"],
            ["sec-fetch-site": "none"],
        ]
        for headers in own {
            XCTAssertNil(status { try checks.check(request("POST", headers)) }, "\(headers)")
        }
        let foreign = [
            ["origin": "http://evil.example"], ["origin": "null"], ["origin": ""],
            ["origin": "http://localhost"], ["origin": "http://localhost:8766"],
            ["origin": "localhost:8765"], ["sec-fetch-site": "cross-site"],
            ["sec-fetch-site": "same-site"],
            ["origin": "http://localhost:8765", "sec-fetch-site": "cross-site"],
        ]
        for headers in foreign {
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
                XCTAssertEqual(
                    status { try checks.check(request(method, headers)) }, 403, "\(headers)")
            }
            XCTAssertNil(status { try checks.check(request("GET", headers)) }, "\(headers)")
        }
    }

    func testUserOfThisMachine_isTheClient() throws {
        let owner = try client(request(user: geteuid()))
        XCTAssertTrue(owner.isOwner)
        let other = try client(request(user: 4_711))
        XCTAssertFalse(other.isOwner)
        XCTAssertEqual(other.user?.text, "4711")
        XCTAssertEqual(other.id?.description, "web:4711:browser")
    }

    func testClientWithoutUserAndToken_isRefused() {
        XCTAssertEqual(status { _ = try client(request()) }, 401)
        XCTAssertEqual(status { _ = try client(request(isLoopback: false)) }, 401)
    }

    /// Behind a proxy of this machine is somebody else, even when the owner runs it.
    func testClientBehindAProxy_isNotItsUser() {
        for header in ["forwarded", "x-forwarded-for", "via", "x-real-ip"] {
            XCTAssertEqual(
                status { _ = try client(request(user: geteuid(), [header: "10.0.0.1"])) }, 401)
        }
    }

    func testToken_makesItsClient_whoeverSendsIt() throws {
        for user in [nil, geteuid()] {
            let client = try client(
                request(
                    "POST", user: user, ["authorization": "Bearer 0123456789abcdef", "via": "x"]))
            XCTAssertEqual(client.id?.description, "web:-:phone")
            XCTAssertFalse(client.isOwner)
        }
    }

    /// A wrong token is not forgotten in favour of the user.
    func testToken_thatIsWrong_isRefused() {
        for value in [
            "Bearer 0123456789abcdeX", "Bearer ", "Bearer", "", "Basic 0123456789abcdef",
            "0123456789abcdef", "Bearer  0123456789abcdef",
        ] {
            XCTAssertEqual(
                status { _ = try client(request(user: geteuid(), ["authorization": value])) },
                401, value)
        }
    }

    func testTokenInTheAddress_isForReadingOnly() throws {
        let target = "/v1/live?token=0123456789abcdef"
        XCTAssertEqual(try client(request("GET", target)).id?.description, "web:-:phone")
        XCTAssertEqual(try client(request("HEAD", target)).id?.description, "web:-:phone")
        XCTAssertEqual(status { _ = try client(request("POST", target, user: geteuid())) }, 401)
        XCTAssertEqual(status { _ = try client(request("GET", "/?token=", user: geteuid())) }, 401)
    }
}
