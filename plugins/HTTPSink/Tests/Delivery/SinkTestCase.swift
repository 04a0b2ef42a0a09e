import Foundation
import GatewayCore
import GatewayTesting
import HTTPClient
import HTTPTesting
import HealthModel
import JSON
import Platform
import Synchronization
import XCTest

@testable import HTTPSink

/// A sink made from a configuration, in a temporary directory.
class SinkTestCase: XCTestCase {
    let clock = ManualClock()
    var folder: TemporaryFolder!
    let logged = Logged()
    /// Servers end with their last reference; those of the sinks stay until the test's end.
    private var servers: [ScriptedHTTPServer] = []

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
    }

    override func tearDown() {
        folder = nil
    }

    /// The log messages as lines.
    final class Logged: Sendable {
        private let lines = Mutex<[String]>([])

        func take(_ record: Logger.Record) {
            lines.withLock { $0.append(LogFormat.plain(record)) }
        }

        var text: String { lines.withLock { $0.joined() } }
    }

    func context(
        _ name: String = "repository", durability: Durability = .crash,
        environment: [String: String] = [:]
    ) -> ComponentContext {
        ComponentContext(
            name: name, clock: clock,
            log: Logger(component: "test") { [logged] in logged.take($0) },
            dataDirectory: folder.path, durability: durability, version: "1.2.3",
            environment: environment)
    }

    /// Makes a sink from its settings in JSON5, without the braces.
    func makeSink(
        _ settings: String, environment: [String: String] = [:],
        durability: Durability = .crash
    ) throws -> HTTPSink {
        let node = ConfigurationNode(
            path: "sinks.repository",
            value: try JSONValue(json5: "{ use: \"http\", \(settings) }"))
        let object = try node.object(keys: ["use"] + HTTPSink.factory.keys)
        let sink = try HTTPSink.factory.make(
            object, context(durability: durability, environment: environment))
        return try XCTUnwrap(sink as? HTTPSink)
    }

    func makeSink(at server: ScriptedHTTPServer, _ more: String = "") throws -> HTTPSink {
        servers.append(server)
        return try makeSink("url: \"\(server.url("/v1/samples"))\", \(more)")
    }

    /// Writes a batch and returns the error.
    func failure(of sink: HTTPSink, _ records: [Record]) async throws -> SinkError? {
        do {
            try await sink.write(records)
            return nil
        } catch let error as SinkError {
            return error
        }
    }

    /// The reason of a `blocked` error.
    func holdReason(_ error: SinkError?) throws -> String {
        guard case .blocked(let reason) = error else {
            XCTFail("\(String(describing: error)) is no hold")
            return ""
        }
        return reason
    }

    /// Writes a secret to a file that only its owner can read.
    @discardableResult
    func writeSecret(_ text: String, to name: String) throws -> String {
        let path = try folder.write(Array(text.utf8), to: name)
        XCTAssertEqual(chmod(path, 0o600), 0)
        return path
    }

    var rejectPath: String { folder.path("repository.rejected.ndjson") }

    /// The objects in the reject file.
    func rejected(at path: String? = nil) throws -> [NSDictionary] {
        guard let data = FileManager.default.contents(atPath: path ?? rejectPath) else { return [] }
        return try data.split(separator: UInt8(ascii: "\n")).map { line in
            try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line)) as? NSDictionary)
        }
    }

    /// The ids of the records in the reject file.
    func rejectedIDs() throws -> [String] {
        try rejected().map { object in
            let record = try XCTUnwrap(object["record"] as? NSDictionary)
            return try XCTUnwrap(record["id"] as? String)
        }
    }

    /// Heart rates whose ids count up from 0.
    func records(_ count: Int) throws -> [Record] {
        try (0..<count).map { try Examples.heartRate($0, Double(60 + $0 % 100)) }
    }
}

extension ReceivedHTTPRequest {
    /// The ids in a body of the format `json` or `ndjson`.
    var ids: [String] {
        String(decoding: body, as: UTF8.self).split(separator: "\"id\":\"").dropFirst().map {
            String($0.prefix(36))
        }
    }
}

/// A repository that rejects some records and fails some requests.
final class StrictRepository: Sendable {
    private struct State {
        var accepted: [String] = []
        var attempts = 0
    }

    private let refused: Set<String>
    private let status: Int
    private let fails: @Sendable (Int) -> Bool
    private let state = Mutex(State())

    /// - Parameter fails: Decides for each request, counted from 1, whether it gets a 503.
    init(
        refusing refused: some Sequence<RecordID>, status: Int = 422,
        fails: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) {
        self.refused = Set(refused.map(\.description))
        self.status = status
        self.fails = fails
    }

    /// The accepted ids in order.
    var accepted: [String] { state.withLock { $0.accepted } }
    /// The number of requests.
    var attempts: Int { state.withLock { $0.attempts } }

    func makeServer() throws -> ScriptedHTTPServer {
        try ScriptedHTTPServer { [self] _, _ in .decide { self.react(to: $0) } }
    }

    private func react(to request: ReceivedHTTPRequest) -> ScriptedReaction {
        state.withLock { state in
            state.attempts += 1
            if fails(state.attempts) { return .answer(ScriptedAnswer(status: 503)) }
            guard refused.isDisjoint(with: request.ids) else {
                return .answer(ScriptedAnswer(status: status, body: "no such thing"))
            }
            state.accepted += request.ids
            return .answer()
        }
    }
}
