import CCurl

/// A strictly validated `http` or `https` URL (RFC 3986).
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http
        case https

        /// The default port of the scheme.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    package let port: UInt16
    /// The path, which begins with a slash.
    package let path: String
    /// The text after the question mark.
    package let query: String?

    /// Parses a URL.
    ///
    /// - Throws: ``HTTPError/Kind/badURL``, which does not contain the text;
    ///   ``HTTPError/Kind/configuration`` when libcurl is not installed.
    package init(_ text: String) throws(HTTPError) {
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
    package var origin: String {
        port == scheme.defaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// The whole URL; its path or query may hold a secret.
    package var text: String {
        origin + path + (query.map { "?\($0)" } ?? "")
    }

    /// The origin, which is safe to log.
    package var description: String { origin }
}
