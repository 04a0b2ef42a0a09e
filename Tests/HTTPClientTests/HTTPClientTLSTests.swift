import Foundation
import GatewayTesting
import HTTPClient
import HTTPTesting
import XCTest

/// Tests server verification and client certificates.
final class HTTPClientTLSTests: XCTestCase {
    private func options(_ authority: String?) -> HTTPClientOptions {
        var options = HTTPClientOptions()
        options.caFile = authority
        options.usesProxy = false
        return options
    }

    private func request(
        _ front: TLSFront, host: String = "127.0.0.1", body: [UInt8] = [1]
    ) throws -> HTTPRequest {
        HTTPRequest(
            try HTTPURL("https://\(host):\(front.port)/x?p=hunter2"),
            headers: [try HTTPHeader("Authorization", "Bearer hunter2")], body: body)
    }

    private func front(
        _ server: ScriptedHTTPServer, _ certificates: Certificates, asksClients: Bool = false
    ) async throws -> TLSFront {
        try await TLSFront(
            before: server, certificate: certificates.path("server.pem"),
            key: certificates.path("server.key"),
            authority: asksClients ? certificates.path("ca.pem") : "")
    }

    func testServer_ofThePinnedAuthority_isTrusted() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(body: "good")) }
        let front = try await front(server, certificates)
        let client = HTTPClient(options(certificates.path("ca.pem")))
        let body = [UInt8](repeating: 5, count: 3_000_000)

        for _ in 0..<3 {
            let response = try await client.send(request(front, body: body))
            XCTAssertEqual(response.body, Array("good".utf8))
        }

        XCTAssertEqual(server.requests.map(\.body), [body, body, body])
        XCTAssertEqual(server.counts.connections, 1)
    }

    func testServer_ofAnotherAuthority_getsNothing() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates)

        // The system's authorities, and another one.
        for authority in [nil, certificates.path("other.pem")] {
            let error = try await HTTPClient(options(authority)).failure(of: request(front))

            XCTAssertEqual(error.kind, .notTrusted, "\(error)")
            XCTAssertTrue(
                error.description.hasPrefix("https://127.0.0.1:\(front.port): "), "\(error)")
            XCTAssertFalse(error.description.contains("hunter2"), "\(error)")
        }

        XCTAssertEqual(server.counts.heads, 0)
    }

    func testServer_ofAnotherName_getsNothing() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates)
        let client = HTTPClient(options(certificates.path("ca.pem")))

        let response = try await client.send(request(front))
        let error = try await client.failure(of: request(front, host: "localhost"))

        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(error.kind, .notTrusted, "\(error)")
        XCTAssertTrue(
            error.description.hasSuffix("use a name that is in the server's certificate"),
            "\(error)")
        XCTAssertEqual(server.counts.heads, 1)
    }

    func testKey_thatEverybodyCanRead_isNotUsed() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates, asksClients: true)
        var options = options(certificates.path("ca.pem"))
        options.clientCertificate = .init(
            certificateFile: certificates.path("client.pem"),
            keyFile: certificates.path("client.key"))
        for (mode, isPrivate) in [(0o640, true), (0o644, false), (0o600, true)] {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
            try FileManager.default.setAttributes(
                attributes, ofItemAtPath: certificates.path("client.key"))
            if isPrivate {
                XCTAssertNoThrow(try options.check(for: .https))
            } else {
                let error = try await HTTPClient(options).failure(of: request(front))
                XCTAssertEqual(error.kind, .configuration)
                XCTAssertTrue(error.description.contains("chmod 600"), error.description)
            }
        }
        XCTAssertEqual(server.counts.heads, 0)
    }

    func testPort_withoutTLS_isReported() async throws {
        let server = try ScriptedHTTPServer()
        let url = try HTTPURL("https://127.0.0.1:\(server.port)/")

        let error = try await HTTPClient(options(nil)).failure(of: HTTPRequest(url))

        XCTAssertEqual(error.kind, .tlsFailed, "\(error)")
    }

    func testServerThatAsksForACertificate_takesTheClients() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates, asksClients: true)
        var options = options(certificates.path("ca.pem"))

        // With TLS 1.3 the refusal comes after the handshake, and may be overtaken by the end.
        let error = try await HTTPClient(options).failure(of: request(front))
        XCTAssertTrue([.tlsFailed, .connectionLost].contains(error.kind), "\(error)")
        XCTAssertEqual(server.counts.heads, 0)

        options.clientCertificate = .init(
            certificateFile: certificates.path("client.pem"),
            keyFile: certificates.path("client.key"))
        let response = try await HTTPClient(options).send(request(front))
        XCTAssertEqual(response.status, 200)
    }

    func testFiles_thatCannotBeUsed_areTroubleOfTheConfiguration() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates)
        try certificates.write("no certificate", to: "empty.pem")
        try certificates.lockKey()
        mkfifo(certificates.path("pipe"), 0o600)
        let authorities = ["missing.pem", "empty.pem", "pipe", "."]
        let keys = ["missing.key", "empty.pem", "locked.key", "server.key", "pipe"]

        for name in authorities {
            let error = try await HTTPClient(options(certificates.path(name))).failure(
                of: request(front))
            XCTAssertEqual(error.kind, .configuration, "\(error)")
            XCTAssertTrue(error.description.contains(certificates.path(name)), "\(error)")
        }
        for name in keys {
            var options = options(certificates.path("ca.pem"))
            options.clientCertificate = .init(
                certificateFile: certificates.path("client.pem"), keyFile: certificates.path(name))
            let error = try await HTTPClient(options).failure(of: request(front))
            XCTAssertEqual(error.kind, .configuration, "\(error)")
            XCTAssertTrue(error.description.contains(certificates.path(name)), "\(error)")
        }
        XCTAssertEqual(server.counts.heads, 0)
    }

    func testFile_thatWasFixed_countsAtOnce() async throws {
        let certificates = try Certificates()
        let server = try ScriptedHTTPServer()
        let front = try await front(server, certificates)
        let path = certificates.path("authority.pem")
        let client = HTTPClient(options(path))
        let other = try String(contentsOfFile: certificates.path("other.pem"), encoding: .utf8)
        let right = try String(contentsOfFile: certificates.path("ca.pem"), encoding: .utf8)

        try certificates.write(other, to: "authority.pem")
        let error = try await client.failure(of: request(front))
        try certificates.write(right, to: "authority.pem")
        let response = try await client.send(request(front))

        XCTAssertEqual(error.kind, .notTrusted)
        XCTAssertEqual(response.status, 200)
    }

    func testServerThatEnds_behindTLS_isLost() async throws {
        let certificates = try Certificates()
        let reactions: [ScriptedReaction] = [
            .close, .reset, .reset.beforeBody(), .cut(ScriptedAnswer(body: "abc"), after: 30),
        ]
        let server = try ScriptedHTTPServer { number, _ in reactions[number - 1] }
        let front = try await front(server, certificates)
        let client = HTTPClient(options(certificates.path("ca.pem")))

        for _ in reactions {
            let body = [UInt8](repeating: 5, count: 3_000_000)
            let error = try await client.failure(of: request(front, body: body))
            XCTAssertEqual(error.kind, .connectionLost, "\(error)")
        }
    }
}
