import GatewayCore
import HTTPServer

/// Who may send which requests: names of this server, foreign pages, tokens and users of this machine.
///
/// What a client may read and store is not decided here, but by the gateway.
struct WebGuard: Sendable {
    /// The name of the transport in the identity of a client.
    static let transport = PlainName(known: "web")
    /// The name of a client that is known by its user only.
    static let browserName = PlainName(known: "browser")
    /// The query parameter of a token, for pages that cannot send headers.
    static let tokenParameter = "token"
    /// The headers of a proxy: behind it is somebody else.
    private static let proxyHeaders = ["forwarded", "x-forwarded-for", "via", "x-real-ip"]
    private static let readingMethods = ["GET", "HEAD"]

    private let names: Set<String>
    private let findToken: @Sendable (String) -> PlainName?

    /// Makes a guard.
    ///
    /// - Parameters:
    ///   - hosts: The names by which the server is reached, in lower case, beside addresses.
    ///   - findToken: Returns the name of the client that has a token; nil for an unknown one.
    init(hosts: Set<String>, findToken: @escaping @Sendable (String) -> PlainName?) {
        names = hosts.union(["localhost"])
        self.findToken = findToken
    }

    /// Checks that a request is meant for this server and does not come from a foreign page.
    func check(_ request: HTTPServerRequest) throws(Problem) {
        // A foreign name that resolves to this machine would make a foreign page one of this server.
        guard let host = request.headers["host"].flatMap(HostName.of), isOwn(host) else {
            throw Problem(
                status: 421,
                detail: "This server has another name; add it to `hosts` of the service.")
        }
        guard !Self.readingMethods.contains(request.method) else { return }
        let isForeignSite = request.headers["sec-fetch-site"].map {
            !["same-origin", "none"].contains($0)
        }
        let isForeignOrigin = request.headers["origin"].map { !isOwn(origin: $0, of: request) }
        guard isForeignSite != true, isForeignOrigin != true else {
            throw Problem(status: 403, detail: "A page of another site must not change anything.")
        }
    }

    private func isOwn(_ host: String) -> Bool {
        names.contains(host) || HostName.isAddress(host)
    }

    /// An origin is that of this server when it has the name and port that the request was sent to.
    private func isOwn(origin: String, of request: HTTPServerRequest) -> Bool {
        let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty else { return false }
        return parts[2].lowercased() == request.headers["host"]?.lowercased()
    }

    /// The client of a request.
    ///
    /// A token makes its client, wherever it comes from. Without one the user of this machine is the client.
    func client(
        of request: HTTPServerRequest, _ target: RequestTarget
    ) throws(Problem) -> ServiceClient {
        if let token = try token(of: request, target) {
            guard let name = findToken(token) else {
                throw Problem(status: 401, detail: "This token is not valid.")
            }
            return ServiceClient(
                transport: Self.transport, user: nil, isOwner: false, name: name)
        }
        let isProxied = Self.proxyHeaders.contains { request.headers[$0] != nil }
        guard !isProxied, let user = request.peer.userID else {
            throw Problem(status: 401, detail: "A token is required.")
        }
        return ServiceClient(
            transport: Self.transport, userID: user, name: Self.browserName)
    }

    private func token(
        of request: HTTPServerRequest, _ target: RequestTarget
    ) throws(Problem) -> String? {
        if let header = request.headers["authorization"] {
            let parts = header.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Problem(
                    status: 401, detail: "The header Authorization must be `Bearer TOKEN`.")
            }
            return String(parts[1])
        }
        let given = target.query.first { $0.name == Self.tokenParameter }?.value
        guard let given else { return nil }
        guard Self.readingMethods.contains(request.method) else {
            throw Problem(
                status: 401,
                detail: "A token in the address is for reading only; send it as Authorization.")
        }
        return given
    }
}
