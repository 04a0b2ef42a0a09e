/// One line of a request's or an answer's headers.
package struct HTTPHeader: Hashable, Sendable {
    /// The longest name of a request's header.
    static let nameLimit = 256
    /// The longest value of a request's header.
    static let valueLimit = 8192
    /// These decide where a message ends or to whom it goes, so the client says them itself.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    package let name: String
    package let value: String

    /// Makes a header for a request.
    ///
    /// - Throws: ``HTTPError/Kind/badRequest`` when it could not be sent as one line, which does not
    ///   repeat the value.
    package init(_ name: String, _ value: String) throws(HTTPError) {
        guard !name.isEmpty, name.utf8.count <= Self.nameLimit,
            name.utf8.allSatisfy(Self.isTokenCharacter)
        else {
            throw HTTPError(
                .badRequest, "a header's name is empty or no word; use letters, digits and hyphens")
        }
        guard !Self.reserved.contains(name.lowercased()) else {
            throw HTTPError(.badRequest, "the header \(name) is the client's own; leave it out")
        }
        guard let trouble = Self.trouble(ofValue: value) else {
            self.name = name
            self.value = value
            return
        }
        throw HTTPError(.badRequest, "the value of the header \(name) \(trouble)")
    }

    /// A header of an answer, as it came.
    init(receivedName name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// What keeps a text from being a value (RFC 9110, section 5.5).
    static func trouble(ofValue value: String) -> String? {
        guard value.utf8.count <= valueLimit else {
            return "is longer than \(valueLimit) bytes; shorten it"
        }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            return "has a line break or another control character; take it out"
        }
        let blanks: [UInt8?] = [0x20, 0x09]
        guard !blanks.contains(value.utf8.first), !blanks.contains(value.utf8.last) else {
            return "begins or ends with a blank; take it out"
        }
        return nil
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
