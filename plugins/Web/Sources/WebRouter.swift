import GatewayCore
import HTTPServer

/// Finds the operation or the file of a request.
struct WebRouter: Sendable {
    /// What a request is about.
    enum Route: Sendable {
        case operation(Operation, values: [String: String])
        case file(StaticFile)
        /// Whether the server works.
        case health
        /// Whether the gateway works.
        case readiness
        /// The description of the interface.
        case description
    }

    private static let plain: [[String]: Route] = [
        ["healthz"]: .health, ["readyz"]: .readiness, ["v1", "openapi.json"]: .description,
    ]

    let files: StaticFiles

    /// The maximum number of bytes of a request whose content is received piece by piece; nil for another one.
    static func inputLimit(_ method: String, _ target: String) -> Int? {
        let operation = Operations.all.first { $0.isUpload && $0.method == method }
        guard let operation, operation.match(RequestTarget(target)?.path ?? []) != nil else {
            return nil
        }
        return RequestContentTooLong.maximumFileBytes
    }

    /// Finds the route.
    ///
    /// - Throws: ``Problem`` for an unknown path, and for a method that the path does not have.
    func route(_ method: String, _ path: [String]) throws(Problem) -> Route {
        let method = method == "HEAD" ? "GET" : method
        let fixed = Self.plain[path] ?? files[path].map(Route.file)
        var methods: [String] = []
        if let fixed {
            if method == "GET" { return fixed }
            methods = ["GET"]
        }
        for operation in Operations.all {
            guard let values = operation.match(path) else { continue }
            if operation.method == method { return .operation(operation, values: values) }
            methods.append(operation.method)
        }
        guard !methods.isEmpty else { throw Problem(status: 404, detail: "There is no such page.") }
        if methods.contains("GET") { methods.append("HEAD") }
        throw Problem(
            status: 405, detail: "This page has \(methods.joined(separator: ", ")) only.",
            allow: methods)
    }
}
