/// Why there is no answer to a request, and what mends it.
///
/// No message repeats a header, a body, or more of a URL than its origin: the rest may hold secrets.
package struct HTTPError: Error, Hashable, CustomStringConvertible {
    /// What a caller treats apart.
    package enum Kind: Hashable, Sendable {
        /// The text is no URL that can be used. Nothing was sent.
        case badURL
        /// A header or a body cannot be sent. Nothing was sent.
        case badRequest
        /// A file or a path of ``HTTPClientOptions`` cannot be used. Nothing was sent.
        case configuration
        /// The host's name has no address now.
        case cannotResolve
        /// Nobody listens there, or the way is blocked.
        case cannotConnect
        /// One of the request's limits of time was reached.
        case timedOut
        /// The server has no certificate of a trusted authority for its name.
        case notTrusted
        /// The two sides do not agree on encryption, or the server wants a client certificate.
        case tlsFailed
        /// The connection ended before the answer was complete; the request may have been taken.
        case connectionLost
        /// What came is not HTTP.
        case badAnswer
        /// The answer's headers have no end.
        case answerTooLarge
        /// Memory, threads or descriptors are short on this machine.
        case failed
    }

    package let kind: Kind
    /// Scheme, host and port of the request, when they are known.
    package let origin: String?
    /// What happened.
    package let detail: String
    /// What mends it, where more is known than the kind.
    private let remedy: String?

    package init(_ kind: Kind, origin: String? = nil, _ detail: String, remedy: String? = nil) {
        self.kind = kind
        self.origin = origin
        self.detail = detail
        self.remedy = remedy
    }

    package var description: String {
        let sentence = origin.map { "\($0): \(detail)" } ?? detail
        return advice.map { "\(sentence); \($0)" } ?? sentence
    }

    private var advice: String? {
        if let remedy { return remedy }
        return switch kind {
        case .cannotResolve: "see that the host's name is right and that DNS works"
        case .cannotConnect: "see that the server runs and can be reached from here"
        case .notTrusted:
            "if it is the right server, give the file with the certificate of its authority"
        case .tlsFailed:
            "see that the port speaks TLS 1.2 or newer, and whether it wants a client certificate"
        case .badAnswer: "see that an HTTP server listens at this port"
        case .timedOut: "see that the server is well, or give it more time"
        case .connectionLost: "see in the server's own log why it ended it"
        case .badURL, .badRequest, .configuration, .answerTooLarge, .failed: nil
        }
    }
}
