/// The reason why a request has no response, and its remedy.
///
/// Messages contain no headers, bodies, or URLs beyond their origin, which may hold secrets.
public struct HTTPError: Error, Hashable, CustomStringConvertible {
    /// The categories of errors.
    public enum Kind: Hashable, Sendable {
        /// The URL is invalid. Nothing was sent.
        case badURL
        /// A header or the body is invalid. Nothing was sent.
        case badRequest
        /// A file or a path of ``HTTPClientOptions`` cannot be used. Nothing was sent.
        case configuration
        /// The host name cannot be resolved.
        case cannotResolve
        /// The connection was refused or the host is unreachable.
        case cannotConnect
        /// A timeout of the request expired.
        case timedOut
        /// The server certificate is not trusted or does not match the host name.
        case notTrusted
        /// The TLS handshake failed, or the server requires a client certificate.
        case tlsFailed
        /// The connection closed before the response was complete; the request may have been processed.
        case connectionLost
        /// The response is not HTTP.
        case badResponse
        /// The response headers exceed the size limit.
        case responseTooLarge
        /// A local resource (memory, threads, descriptors) is exhausted.
        case failed
    }

    /// The category.
    public let kind: Kind
    /// Scheme, host and port of the request, if known.
    public let origin: String?
    /// The problem.
    public let detail: String
    /// A remedy that is more specific than that of the kind.
    private let remedy: String?

    /// Makes an error; without a remedy it has that of its kind.
    public init(_ kind: Kind, origin: String? = nil, _ detail: String, remedy: String? = nil) {
        self.kind = kind
        self.origin = origin
        self.detail = detail
        self.remedy = remedy
    }

    /// The origin, the problem and the remedy.
    public var description: String {
        let sentence = origin.map { "\($0): \(detail)" } ?? detail
        return advice.map { "\(sentence); \($0)" } ?? sentence
    }

    private var advice: String? {
        if let remedy { return remedy }
        return switch kind {
        case .cannotResolve: "check the host name and that DNS works"
        case .cannotConnect: "check that the server is running and reachable"
        case .notTrusted:
            "if the server is the right one, specify the certificate file of its authority"
        case .tlsFailed:
            "check that the server supports TLS 1.2 or later, and whether it requires a client certificate"
        case .badResponse: "check that an HTTP server listens on this port"
        case .timedOut: "check the server, or increase the timeout"
        case .connectionLost: "check the log of the server"
        case .badURL, .badRequest, .configuration, .responseTooLarge, .failed: nil
        }
    }
}
