import Foundation
import HTTPTesting
import Synchronization

/// The pages with a live stream that a test writes: any state of people, without a gateway.
final class ScriptedPages: Sendable {
    /// What is answered.
    struct Scene: Sendable {
        /// The people in the stream, as JSON.
        var people = "[]"
        /// The answer about access.
        var access = #"{"access":{"owner":true}}"#
        /// The answer about the state of the gateway.
        var status = #"{"devices":[]}"#
        /// The answers about stored data, by the start of the target; the first one that fits.
        var stored: [(start: String, body: String)] = []
    }

    /// The policy of the web server.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
    ]
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "plugins/Web/Sources/Pages")

    private let scene: Mutex<Scene>
    private let received = Mutex<[String]>([])
    private let asked = Mutex<[String]>([])

    init(_ scene: Scene) {
        self.scene = Mutex(scene)
    }

    /// The requests that change something, with their bodies.
    var posts: [String] { received.withLock { $0 } }

    /// The targets of the requests that read something.
    var gets: [String] { asked.withLock { $0 } }

    /// Answers like this from now on; a stream that is open stays as it is.
    func set(_ scene: Scene) {
        self.scene.withLock { $0 = scene }
    }

    /// A server on a free port.
    func makeServer() throws -> ScriptedHTTPServer {
        try ScriptedHTTPServer { [self] _, request in .decide { self.react(to: $0) } }
    }

    private func react(to request: ReceivedHTTPRequest) -> ScriptedReaction {
        let scene = scene.withLock { $0 }
        let path = request.target.split(separator: "?").first.map(String.init) ?? ""
        guard request.method == "GET" else {
            let body = String(decoding: request.body, as: UTF8.self)
            received.withLock { $0.append("\(request.target) \(body)") }
            return json(#"{"live":{}}"#)
        }
        asked.withLock { $0.append(request.target) }
        if let stored = scene.stored.first(where: { request.target.hasPrefix($0.start) }) {
            return json(stored.body)
        }
        switch path {
        case "/v1/live": return stream(scene.people)
        case "/v1/access": return json(scene.access)
        case "/v1/status": return json(scene.status)
        default: return file(path)
        }
    }

    /// The full state, and then silence.
    private func stream(_ people: String) -> ScriptedReaction {
        let time = "2026-11-27T10:00:00Z"
        let event = "event: state\nid: 1\ndata: {\"time\":\"\(time)\",\"people\":\(people)}\n\n"
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        return .answer(ScriptedAnswer(headers: headers, body: event, framing: .untilClose))
            .thenSilence()
    }

    private func json(_ body: String) -> ScriptedReaction {
        .answer(ScriptedAnswer(headers: [("Content-Type", "application/json")], body: body))
    }

    private func file(_ path: String) -> ScriptedReaction {
        let pages = [
            "/": "index.html", "/wall": "wall.html", "/overlay": "overlay.html",
            "/devices": "devices.html", "/history": "history.html",
        ]
        let name = pages[path] ?? String(path.dropFirst())
        let place = Self.folder.appending(path: name)
        guard let body = try? String(contentsOf: place, encoding: .utf8),
            let type = Self.types[place.pathExtension]
        else { return .answer(ScriptedAnswer(status: 404)) }
        let headers = [("Content-Type", type), ("Content-Security-Policy", Self.policy)]
        return .answer(ScriptedAnswer(headers: headers, body: body))
    }
}
