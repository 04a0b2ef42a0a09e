import Foundation
import GatewayCore
import GatewayTesting
import HTTPClient
import HTTPTesting
import Platform
import XCTest

/// Tests that a client releases its resources.
final class HTTPClientResourceTests: XCTestCase {
    func testClientThatWasNotUsed_hasNoThread() throws {
        // What belongs to the process itself may begin meanwhile, once: a client is made three times.
        let growths = try (0..<3).map { _ in
            let before = try ProcessCounts()
            let client = HTTPClient()
            let after = try ProcessCounts()
            XCTAssertLessThanOrEqual(after.httpThreads, before.httpThreads)
            withExtendedLifetime(client) {}
            return after.descriptors - before.descriptors
        }
        XCTAssertLessThanOrEqual(growths.min() ?? 0, 0, "\(growths)")
    }

    func testClients_leaveNoThreadAndNoDescriptor() async throws {
        let server = try ScriptedHTTPServer()
        // What libcurl opens once, for all clients.
        _ = try await HTTPClient().send(server.request())
        try await server.wait { $0.openConnections == 0 }
        let before = try ProcessCounts()

        for _ in 0..<200 {
            let client = HTTPClient()
            _ = try await client.send(server.request())
            _ = try await client.send(server.request())
        }
        try await server.wait { $0.openConnections == 0 }

        let after = try ProcessCounts()
        XCTAssertLessThanOrEqual(after.httpThreads, before.httpThreads)
        XCTAssertLessThanOrEqual(after.descriptors, before.descriptors)
    }

    func testIdleClient_isNotWoken() async throws {
        let server = try ScriptedHTTPServer()
        let client = HTTPClient()
        // It keeps a connection, and has just left another one.
        _ = try await client.send(server.request())
        _ = try? await client.send(server.request(limits: HTTPLimits(totalTimeoutSeconds: 0.001)))
        _ = try await client.send(server.request())

        // Wait until the finished transfers are released.
        var windows = 0
        var before: [Int]
        var after: [Int]
        repeat {
            before = try ProcessCounts.sleeps(ofThreads: "http")
            try await SystemClock().sleep(seconds: 2)
            after = try ProcessCounts.sleeps(ofThreads: "http")
            windows += 1
        } while after != before && windows < 5

        XCTAssertEqual(before.count, 1)
        XCTAssertEqual(after, before)
        _ = try await client.send(server.request())
        // It counts when it sleeps again, which may be after the answer.
        for _ in 0..<100 where after == before {
            after = try ProcessCounts.sleeps(ofThreads: "http")
            try await SystemClock().sleep(seconds: 0.05)
        }
        XCTAssertNotEqual(after, before)
    }
}

/// The resources of this process (proc(5)).
private struct ProcessCounts {
    let httpThreads: Int
    let descriptors: Int

    init() throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        httpThreads = try Self.sleeps(ofThreads: "http").count
    }

    /// How often each of the threads of this name has gone to sleep.
    static func sleeps(ofThreads name: String) throws -> [Int] {
        try fields("voluntary_ctxt_switches:").filter { $0.name == name }.compactMap {
            Int($0.value)
        }
    }

    private static func fields(_ field: String) throws -> [(name: String, value: String)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { task in
            let path = "/proc/self/task/\(task)/status"
            guard let status = try? String(contentsOfFile: path, encoding: .utf8) else {
                return nil
            }
            func value(_ field: String) -> String? {
                let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
                return line?.dropFirst(field.count).trimmingCharacters(in: .whitespaces)
            }
            guard let name = value("Name:"), let value = value(field) else { return nil }
            return (name, value)
        }
    }
}
