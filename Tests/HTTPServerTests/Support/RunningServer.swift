import HTTPServer
import HTTPTesting
import Synchronization
import XCTest

/// A server on a free port whose requests a test answers.
final class RunningServer: Sendable {
    typealias Handler = @Sendable (HTTPServerRequest, HTTPResponder) -> Void

    let server: HTTPServer
    var port: UInt16 { server.port }

    private init(_ server: HTTPServer) { self.server = server }

    /// Starts a server.
    ///
    /// - Throws: `XCTSkip` when libmicrohttpd is not installed.
    static func start(
        _ limits: HTTPServerLimits = HTTPServerLimits(),
        inputLimit: @escaping @Sendable (String, String) -> Int? = { _, _ in nil },
        _ handler: @escaping Handler
    ) async throws -> RunningServer {
        let address = try XCTUnwrap(ListenAddress("127.0.0.1:0"))
        return RunningServer(
            try await HTTPServer.start(
                on: address, limits: limits,
                refuse: { .text("refused: \($1)", status: $0) }, inputLimit: inputLimit,
                handle: handler))
    }

    /// A connection to it.
    func connect() throws -> RawHTTPConnection { try RawHTTPConnection(port: port) }
}

extension HTTPServerResponse {
    /// A response with text.
    static func text(_ text: String, status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(
            status, headers: [("Content-Type", "text/plain")], body: .bytes(Array(text.utf8)))
    }
}

/// What a handler has seen, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
