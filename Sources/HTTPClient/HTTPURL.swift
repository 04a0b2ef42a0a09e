import CCurl

/// Where a request goes: an `http` or `https` URL, read strictly (RFC 3986).
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http
        case https

        /// The port that is meant when none is said.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// In lower case, an IPv4 address with four numbers; an IPv6 address stands in brackets.
    package let host: String
    package let port: UInt16
    /// It begins with a slash.
    package let path: String
    /// What stands after the question mark.
    package let query: String?

    /// Reads a URL.
    ///
    /// - Throws: ``HTTPError/Kind/badURL``, which does not repeat the text;
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

    /// Scheme, host and port; the port is left out where it is the usual one.
    package var origin: String {
        port == scheme.defaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// All of it, which may hold a secret in its path or query.
    package var text: String {
        origin + path + (query.map { "?\($0)" } ?? "")
    }

    /// The origin: what may be shown to anybody.
    package var description: String { origin }
}
