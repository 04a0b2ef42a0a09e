import Foundation
import GatewayTesting
import HTTPClient
import HTTPTesting
import XCTest

/// Tests faulty servers: every request ends with the right kind of error.
final class HTTPClientFaultTests: XCTestCase {
    /// Timeouts that do not expire in these tests.
    private static let long = 3600.0
    private let large = [UInt8](repeating: 1, count: 20_000_000)

    private func failure(
        _ reaction: ScriptedReaction, body: [UInt8] = [1], limits: HTTPLimits = HTTPLimits(),
        file: StaticString = #filePath, line: UInt = #line
    ) async throws -> HTTPError {
        let server = try ScriptedHTTPServer { _, _ in reaction }
        return try await HTTPClient().failure(
            of: server.request(body: body, limits: limits), file: file, line: line)
    }

    func testConnectionThatEnds_isLost() async throws {
        let answer = ScriptedAnswer(headers: [("X-A", "b")], body: "some body")
        let chunked = ScriptedAnswer(body: "some body", framing: .chunked)
        let reactions: [ScriptedReaction] = [
            .close, .reset, .close.beforeBody(), .reset.beforeBody(), .cut(answer, after: 3),
            .cut(answer, after: 20), .cut(answer, after: answer.bytes.count - 1),
            .cut(answer, after: 20).thenReset(),
            .cut(answer, after: answer.bytes.count - 1).thenReset(),
            .cut(chunked, after: chunked.bytes.count - 9),
        ]

        for (index, reaction) in reactions.enumerated() {
            for body in [[1], large] {
                let error = try await failure(reaction, body: body)
                XCTAssertEqual(error.kind, .connectionLost, "\(index): \(error)")
            }
        }
    }

    func testNonHTTP_isABadResponse() async throws {
        let texts = [
            "SSH-2.0-OpenSSH_9.2\r\n", "hunter2\r\n\r\n", "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/9.9 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: hunter2\r\n\r\nabc",
        ]

        for text in texts {
            let error = try await failure(.bytes(Array(text.utf8)))
            XCTAssertEqual(error.kind, .badResponse, "\(text) \(error)")
            XCTAssertFalse(error.description.contains("hunter2"), error.description)
        }
    }

    func testDamagedChunks_areNoResponse() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for chunks in ["zz\r\nabc", "3\r\nabcdefgh\r\n0\r\n\r\n", "ffffffffffffffffff\r\n"] {
            let error = try await failure(.bytes(Array((head + chunks).utf8)))
            XCTAssertTrue([.badResponse, .connectionLost].contains(error.kind), "\(error)")
        }
    }

    func testHeadersWithoutEnd_areCutOff() async throws {
        for reaction in [ScriptedReaction.endlessHeaders, .endlessContinue] {
            let error = try await failure(reaction)
            XCTAssertEqual(error.kind, .responseTooLarge, "\(error)")
        }
    }

    func testBodyWithoutEnd_isCutOffAndTheStatusIsKnown() async throws {
        let server = try ScriptedHTTPServer { _, _ in .endlessBody(status: 422) }

        let response = try await HTTPClient().send(
            server.request(limits: HTTPLimits(maxResponseBytes: 1000)))

        XCTAssertEqual(response.status, 422)
        XCTAssertEqual(response.body.count, 1000)
        try await server.wait { $0.openConnections == 0 }
    }

    func testBodyOfJustTheLimit_isNotCut() async throws {
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(body: "12345")) }
        let client = HTTPClient()

        let whole = try await client.send(server.request(limits: HTTPLimits(maxResponseBytes: 5)))
        let cut = try await client.send(server.request(limits: HTTPLimits(maxResponseBytes: 4)))
        let none = try await client.send(server.request(limits: HTTPLimits(maxResponseBytes: 0)))

        XCTAssertEqual(whole.body, Array("12345".utf8))
        XCTAssertEqual(cut.body, Array("1234".utf8))
        XCTAssertEqual(none.body, [])
    }

    func testResponseBeforeTheBodyWasTaken_counts() async throws {
        let server = try ScriptedHTTPServer { _, _ in
            .answer(ScriptedAnswer(status: 413, body: "too large")).beforeBody().thenClose()
        }

        let response = try await HTTPClient().send(server.request(body: large))

        XCTAssertEqual(response.status, 413)
        XCTAssertEqual(response.body, Array("too large".utf8))
    }

    func testServerThatNeverResponds_isLeftAtTheTotalLimit() async throws {
        let limits = HTTPLimits(
            connectTimeoutSeconds: Self.long, stallTimeoutSeconds: Self.long,
            totalTimeoutSeconds: 0.2)

        let error = try await failure(.silence, limits: limits)

        XCTAssertEqual(error.kind, .timedOut)
    }

    func testSameFailure_hasTheSameWords_howeverLongItTook() async throws {
        let full = try FullListener()
        let url = try HTTPURL("http://127.0.0.1:\(full.port)/")
        var words: Set<String> = []
        for seconds in [0.05, 0.1, 0.15] {
            let limits = HTTPLimits(
                connectTimeoutSeconds: seconds, stallTimeoutSeconds: Self.long,
                totalTimeoutSeconds: Self.long)
            let error = try await HTTPClient().failure(of: HTTPRequest(url, limits: limits))
            words.insert(error.description)
        }
        for count in [1, 30] {
            let limits = HTTPLimits(
                connectTimeoutSeconds: Self.long, stallTimeoutSeconds: Self.long,
                totalTimeoutSeconds: 0.2)
            let answer = ScriptedReaction.cut(ScriptedAnswer(body: "abc"), after: count)
            let error = try await failure(answer.thenSilence(), limits: limits)
            words.insert(String(error.description.drop { $0 != "O" }))
        }
        XCTAssertEqual(words.count, 2, "\(words)")
        XCTAssertTrue(words.allSatisfy { $0.contains("; check the server") }, "\(words)")
    }

    func testSocketThatNobodyListensAt_isNamed() async throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "file")
        for name in ["none", "file"] {
            var options = HTTPClientOptions()
            options.socketPath = folder.path(name)
            let request = HTTPRequest(try HTTPURL("http://repo/"))
            let error = try await HTTPClient(options).failure(of: request)
            XCTAssertEqual(error.kind, .cannotConnect)
            XCTAssertTrue(error.description.contains(folder.path(name)), error.description)
            XCTAssertFalse(error.description.contains("port 80"), error.description)
            XCTAssertThrowsError(try options.checkSocket())
        }
    }

    func testServerThatStalls_isLeftAtTheStallLimit() async throws {
        let limits = HTTPLimits(
            connectTimeoutSeconds: Self.long, stallTimeoutSeconds: 1, totalTimeoutSeconds: Self.long
        )

        for reaction in [
            ScriptedReaction.silence, .cut(ScriptedAnswer(body: "abc"), after: 30).thenSilence(),
        ] {
            let error = try await failure(reaction, limits: limits)
            XCTAssertEqual(error.kind, .timedOut)
        }
    }

    func testServerThatDrips_isLeftAtTheTotalLimit() async throws {
        let reaction = ScriptedReaction.answer(ScriptedAnswer(body: "abc"))
        let limits = HTTPLimits(
            connectTimeoutSeconds: Self.long, stallTimeoutSeconds: 5, totalTimeoutSeconds: 0.5)

        let error = try await failure(reaction.dripping(secondsPerByte: 0.1), limits: limits)

        XCTAssertEqual(error.kind, .timedOut)
    }

    func testResponseThatDrips_isTakenInTime() async throws {
        let server = try ScriptedHTTPServer { _, _ in
            .answer(ScriptedAnswer(body: "abc")).dripping(secondsPerByte: 0.001)
        }

        let response = try await HTTPClient().send(server.request())

        XCTAssertEqual(response.body, Array("abc".utf8))
    }

    func testServerThatAcceptsNobody_isLeftAtTheConnectLimit() async throws {
        let full = try FullListener()
        let limits = HTTPLimits(
            connectTimeoutSeconds: 0.2, stallTimeoutSeconds: Self.long,
            totalTimeoutSeconds: Self.long)
        let url = try HTTPURL("http://127.0.0.1:\(full.port)/")

        let error = try await HTTPClient().failure(of: HTTPRequest(url, limits: limits))

        XCTAssertEqual(error.kind, .timedOut)
    }

    func testNameThatDoesNotExist_cannotBeResolved() async throws {
        let url = try HTTPURL("http://pulsegate-test.invalid:8086/write?p=hunter2")

        let error = try await HTTPClient().failure(of: HTTPRequest(url))

        // Without a DNS server the system continues to retry.
        XCTAssertTrue([.cannotResolve, .timedOut].contains(error.kind), "\(error)")
        XCTAssertTrue(
            error.description.hasPrefix("http://pulsegate-test.invalid:8086: "), "\(error)")
        XCTAssertFalse(error.description.contains("hunter2"))
    }

    /// libcurl takes more than three digits for the status, and calls the response a success.
    func testStatus_ofMoreThanThreeDigits_isNoResponse() async throws {
        let lines = [
            "HTTP/1.1 34567891", "HTTP/1.1 2000", "HTTP/2 2010 OK", "HTTP/1.1 0200 OK",
            "HTTP/1.0 99999999999999999999",
        ]
        let server = try ScriptedHTTPServer { number, _ in
            .bytes(Array("\(lines[number - 1])\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let client = HTTPClient()
        for line in lines {
            let error = try await client.failure(of: server.request())
            XCTAssertEqual(error.kind, .badResponse, line)
        }
    }

    func testRedirect_isReturnedAndNotFollowed() async throws {
        let other = try ScriptedHTTPServer()
        let statuses = [301, 302, 303, 307, 308]
        let target = other.url("/stolen")
        let server = try ScriptedHTTPServer { number, _ in
            .redirect(statuses[number - 1], to: target)
        }
        let client = HTTPClient()
        let token = try HTTPHeader("Authorization", "Bearer hunter2")

        for status in statuses {
            let response = try await client.send(server.request(headers: [token]))
            XCTAssertEqual(response.status, status)
            XCTAssertEqual(response["Location"], target)
        }

        XCTAssertEqual(other.counts.connections, 0)
        XCTAssertEqual(server.counts.requests, statuses.count)
    }

    func testNoFault_keepsTheClientFromItsNextRequest() async throws {
        let faults: [ScriptedReaction] = [
            .close, .reset, .endlessHeaders, .endlessBody(), .bytes([0, 255, 10]),
            .cut(ScriptedAnswer(body: "abc"), after: 40),
        ]
        let server = try ScriptedHTTPServer { _, request in
            switch Int(request.target.dropFirst()) {
            case let index?: faults[index]
            case nil: .answer()
            }
        }
        let client = HTTPClient()

        for index in faults.indices {
            _ = try? await client.send(server.request("/\(index)"))
            let response = try await client.send(server.request("/good"))
            XCTAssertEqual(response.status, 200)
        }
    }
}
