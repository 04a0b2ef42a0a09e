/// A header of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
    /// The maximum length of a request header name.
    static let nameLimit = 256
    /// The maximum length of a request header value.
    static let valueLimit = 8192
    /// Headers for message framing and routing, which the client sets itself.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// The name, as it was given.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a header for a request.
    ///
    /// - Throws: ``HTTPError/Kind/badRequest`` when it is invalid; the message does not
    ///   contain the value.
    public init(_ name: String, _ value: String) throws(HTTPError) {
        guard !name.isEmpty, name.utf8.count <= Self.nameLimit,
            name.utf8.allSatisfy(Self.isTokenCharacter)
        else {
            throw HTTPError(
                .badRequest, "a header name is empty or invalid; use letters, digits and hyphens")
        }
        guard !Self.reserved.contains(name.lowercased()) else {
            throw HTTPError(.badRequest, "the header \(name) is set by the client; remove it")
        }
        guard let problem = Self.problem(ofValue: value) else {
            self.name = name
            self.value = value
            return
        }
        throw HTTPError(.badRequest, "the value of the header \(name) \(problem)")
    }

    /// Makes a header received in a response.
    init(receivedName name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The reason why a text is not a valid value (RFC 9110, section 5.5); nil if it is.
    static func problem(ofValue value: String) -> String? {
        guard value.utf8.count <= valueLimit else {
            return "is longer than \(valueLimit) bytes; shorten it"
        }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            return "contains a line break or another control character; remove it"
        }
        let blanks: [UInt8?] = [0x20, 0x09]
        guard !blanks.contains(value.utf8.first), !blanks.contains(value.utf8.last) else {
            return "begins or ends with white space; remove it"
        }
        return nil
    }

    /// Whether a byte is allowed in a token (RFC 9110, section 5.6.2).
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
