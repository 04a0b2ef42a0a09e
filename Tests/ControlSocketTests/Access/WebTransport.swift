import GatewayTesting
import HTTPTesting
import JSON
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import HTTPServer
@testable import Platform
@testable import Web

/// The web server, whose clients have tokens; the owner is the user of this machine.
final class WebTransport: AccessTransport {
    private let port: UInt16
    private let server: Task<Void, any Error>
    private let requests = Mutex<Set<String>>([])

    /// The names of the requests that were sent.
    var asked: Set<String> { requests.withLock { $0 } }

    private static let names = ["dash", "wall", "dash-4712"]

    private static func token(of name: String) -> String { "token-of-the-client-\(name)" }

    init(
        _ service: GatewayService, _ router: RequestRouter, in folder: TemporaryFolder
    ) async throws {
        var tokens: [String] = []
        for name in Self.names {
            let file = try folder.write(Array(Self.token(of: name).utf8), to: "\(name).token")
            XCTAssertEqual(chmod(file, 0o600), 0)
            tokens.append(#""\#(name)": { file: "\#(name).token" }"#)
        }
        let context = ComponentContext(
            name: "web", clock: SystemClock(), log: Logger(component: "web") { _ in },
            dataDirectory: folder.path)
        let object = try ConfigurationNode(
            json5: "{ tokens: { \(tokens.joined(separator: ",")) } }"
        )
        .object(keys: WebSettings.keys)
        let read = try WebSettings(object, context)
        let settings = WebSettings(
            address: try XCTUnwrap(ListenAddress("127.0.0.1:0")), hosts: read.hosts,
            tokens: read.tokens, hasValuesInMetrics: false)
        let (ports, signal) = AsyncStream.makeStream(of: UInt16.self)
        let access = ServiceAccess(live: service.live, requests: RoutedRequests(router, service))
        server = Task {
            defer { signal.finish() }
            try await WebServer(settings: settings, context: context).run(access) {
                signal.yield($0)
            }
        }
        var iterator = ports.makeAsyncIterator()
        let started = await iterator.next()
        port = try XCTUnwrap(started)
    }

    /// Ends the server.
    func stop() async throws {
        server.cancel()
        try await server.value
    }

    /// A client without a token is the user of its process: here the owner.
    var hasUnnamedClients: Bool { false }

    func id(of caller: AccessCaller) -> ClientID? {
        Self.name(of: caller).flatMap { ClientID("web:-:\($0)") }
    }

    private static func name(of caller: AccessCaller) -> String? {
        guard !caller.isOwner, let name = caller.name else { return nil }
        return caller.user == AccessCaller().user ? name : "\(name)-\(caller.user)"
    }

    func connect(_ caller: AccessCaller) async throws -> any AccessConnection {
        let header = Self.name(of: caller).map {
            "Authorization: Bearer \(Self.token(of: $0))\r\n"
        }
        return WebConnection(port: port, header: header ?? "") { [self] name in
            requests.withLock { _ = $0.insert(name) }
        }
    }

    var wordsToAsk: String { "POST /v1/access" }

    func carries(_ request: String) -> Bool { (try? WebRequest(request)) != nil }
}

/// A request of the control protocol as one of the HTTP interface, by the table of its operations.
private struct WebRequest {
    struct NotCarried: Error {}

    let operation: Web.Operation
    let target: String
    let body: String

    init(_ request: String) throws {
        guard case .object(var fields) = try JSONValue(json5: request),
            case .string(let name)? = fields.removeValue(forKey: "request"),
            let operation = Operations.all.first(where: { $0.carries(name, fields) })
        else { throw NotCarried() }
        self.operation = operation
        for key in operation.fixed.keys { fields[key] = nil }
        func text(_ key: String) -> String? {
            switch fields.removeValue(forKey: key) {
            case .string(let text)?: text
            case .number(let number)?: "\(Int(number))"
            default: nil
            }
        }
        let path = operation.path.map { segment in
            segment.hasPrefix("{") ? text(String(segment.dropFirst().dropLast())) ?? "" : segment
        }
        let query = operation.query.compactMap { parameter in
            text(parameter.name).map { "\(parameter.name)=\($0)" }
        }
        target =
            "/" + path.joined(separator: "/")
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        body = operation.isUpload ? "x" : JSONValue.object(fields).json
    }
}

extension Web.Operation {
    /// Whether it sends a request with these fields.
    fileprivate func carries(_ name: String, _ fields: [String: JSONValue]) -> Bool {
        let keys = (pathParameters + query + (body ?? [])).map(\.name) + fixed.keys
        let kind = pathParameters.first { $0.name == "action" }?.kind
        let isAllowed =
            if case .words(let words)? = kind, case .string(let action)? = fields["action"] {
                words.contains(action)
            } else { true }
        return name == request && isAllowed && Set(fields.keys).isSubset(of: keys)
            && fixed.allSatisfy { fields[$0.key] == $0.value }
    }
}

private struct WebConnection: AccessConnection {
    let port: UInt16
    let header: String
    let note: @Sendable (String) -> Void

    func lines(after request: String) async throws -> [String] {
        let web = try WebRequest(request)
        note(web.operation.request)
        let connection = try RawHTTPConnection(port: port)
        let hasBody = web.operation.method == "POST"
        let type = web.operation.isUpload ? "application/octet-stream" : "application/json"
        connection.send(
            "\(web.operation.method) \(web.target) HTTP/1.1\r\nHost: localhost\r\n\(header)"
                + (hasBody
                    ? "Content-Type: \(type)\r\nContent-Length: \(web.body.utf8.count)\r\n" : "")
                + "\r\n" + (hasBody ? web.body : ""))
        guard web.operation.answer == .events else {
            return try lines(of: try connection.response(), web.operation)
        }
        let head = try connection.read(until: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 200") else {
            let count = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
            let body = String(decoding: try connection.read(count: count), as: UTF8.self)
            return [try Self.error(body)]
        }
        _ = try connection.read(until: "\ndata: ")
        return ["{\"state\":\(try connection.read(until: "\n\n").dropLast(2))}"]
    }

    /// The lines that the answer was made of.
    private func lines(
        of response: RawHTTPConnection.Response, _ operation: Web.Operation
    ) throws -> [String] {
        guard response.status == 200 else { return [try Self.error(response.body)] }
        switch operation.answer {
        case .object, .events: return [response.body]
        case .metrics: return [JSONValue.object(["metrics": .string(response.body)]).json]
        case .file:
            let name = response.head.firstMatch(of: /filename="([^"]+)"/).map { String($0.1) }
            return [#"{"file":{"name":"\#(name ?? "")"}}"#]
        case .list(let key, let end):
            guard case .object(var fields) = try JSONValue(json5: response.body),
                case .array(let elements)? = fields[key]
            else { throw WebRequest.NotCarried() }
            fields[key] = .number(Double(elements.count))
            return elements.map(\.json) + [JSONValue.object([end: .object(fields)]).json]
        }
    }

    private static func error(_ problem: String) throws -> String {
        guard case .object(var fields) = try JSONValue(json5: problem) else {
            throw WebRequest.NotCarried()
        }
        fields["error"] = fields["detail"]
        for key in ["type", "title", "status", "detail"] { fields[key] = nil }
        let rest = fields.filter { $0.key != "error" }
        let error = JSONValue.object(["error": fields["error"] ?? .null]).json
        return rest.isEmpty
            ? error : error.dropLast() + "," + JSONValue.object(rest).json.dropFirst()
    }

    func leave() async {}
}
