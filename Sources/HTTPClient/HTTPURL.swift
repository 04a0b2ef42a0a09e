import CCurl

/// A strictly validated `http` or `https` URL (RFC 3986).
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// The scheme of a URL.
    public enum Scheme: String, Sendable {
        /// HTTP without encryption.
        case http
        /// HTTP over TLS.
        case https

        /// The default port of the scheme.
        public var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// The scheme: `http` or `https`.
    public let scheme: Scheme
    /// The host in lower case; an IPv6 address is in brackets.
    public let host: String
    /// The port, given or the default of the scheme.
    public let port: UInt16
    /// The path, which begins with a slash.
    public let path: String
    /// The text after the question mark.
    public let query: String?

    /// Parses a URL.
    ///
    /// - Throws: ``HTTPError/Kind/badURL``, which does not contain the text;
    ///   ``HTTPError/Kind/configuration`` when libcurl is not installed.
    public init(_ text: String) throws(HTTPError) {
        try Self.checkCharacters(text)
        let url = try CurlURL(text)
        guard let name = url.part(CURLUPART_SCHEME), let scheme = Scheme(rawValue: name) else {
            throw Self.notHTTP
        }
        try Self.checkAuthority(text)
        self.scheme = scheme
        host = try Self.host(url)
        port = try Self.port(url) ?? scheme.defaultPort
        path = url.part(CURLUPART_PATH) ?? "/"
        query = url.part(CURLUPART_QUERY)
    }

    /// Scheme, host and port; the default port is omitted.
    public var origin: String {
        port == scheme.defaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// The whole URL; its path or query may hold a secret.
    public var text: String {
        origin + path + (query.map { "?\($0)" } ?? "")
    }

    /// The origin, which is safe to log.
    public var description: String { origin }
}
