import GatewayCore
import GatewayTesting
import HTTPClient
import HTTPTesting
import Platform
import XCTest

/// Tests that a cancelled request ends immediately in every phase.
final class HTTPClientCancellationTests: XCTestCase {
    private let limits = HTTPLimits(
        connectTimeoutSeconds: 3600, stallTimeoutSeconds: 3600, totalTimeoutSeconds: 3600)

    private func cancel(
        _ reaction: ScriptedReaction, body: [UInt8] = [1],
        when isMet: @escaping @Sendable (ScriptedHTTPServer.Counts) -> Bool,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        let server = try ScriptedHTTPServer { _, _ in reaction }
        let client = HTTPClient()
        let request = try server.request(body: body, limits: limits)
        let task = Task { try await client.send(request) }
        try await server.wait(until: isMet)

        task.cancel()

        let result = await task.result
        XCTAssertThrowsError(try result.get(), file: file, line: line) {
            XCTAssertTrue($0 is CancellationError, "\($0)", file: file, line: line)
        }
        try await server.wait { $0.openConnections == 0 }
    }

    func testCancel_whileTheBodyIsSent() async throws {
        try await cancel(
            .silence, body: [UInt8](repeating: 1, count: 400_000_000), when: { $0.bytes > 0 })
    }

    func testCancel_whileTheServerThinks() async throws {
        try await cancel(.silence, when: { $0.requests == 1 })
    }

    func testCancel_whileTheResponseIsReceived() async throws {
        let answer = ScriptedReaction.answer(ScriptedAnswer(body: "abc"))
        try await cancel(answer.dripping(secondsPerByte: 10), when: { $0.requests == 1 })
    }

    func testCancel_whileConnecting() async throws {
        let full = try FullListener()
        let client = HTTPClient()
        let request = HTTPRequest(try HTTPURL("http://127.0.0.1:\(full.port)/"), limits: limits)
        let task = Task { try await client.send(request) }

        task.cancel()

        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testCancel_before_sendsNothing() async throws {
        let server = try ScriptedHTTPServer()
        let client = HTTPClient()
        let request = try server.request()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(request)
        }

        let result = await task.result

        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertEqual(server.counts.connections, 0)
    }

    func testCancel_atAnyMoment_endsTheRequestOneWayOrTheOther() async throws {
        let server = try ScriptedHTTPServer { number, _ in
            number.isMultiple(of: 3)
                ? .answer(ScriptedAnswer(body: "abc")).dripping(secondsPerByte: 0.000_01)
                : .answer()
        }
        let client = HTTPClient()
        let clock = SystemClock()
        let body = [UInt8](repeating: 1, count: 200_000)
        var ends: [Bool: Int] = [:]

        for round in 0..<200 * FuzzFactor.current {
            let request = try server.request(body: body, limits: limits)
            let task = Task { try await client.send(request) }
            try await clock.sleep(seconds: Double(round % 50) * 0.000_05)
            task.cancel()
            switch await task.result {
            case .success(let response):
                XCTAssertEqual(response.status, 200)
                ends[true, default: 0] += 1
            case .failure(let error):
                XCTAssertTrue(error is CancellationError, "\(error)")
                ends[false, default: 0] += 1
            }
        }

        XCTAssertGreaterThan(ends[false] ?? 0, 0)
        let response = try await client.send(server.request())
        XCTAssertEqual(response.status, 200)
        try await server.wait { $0.openConnections <= 4 }
    }
}
