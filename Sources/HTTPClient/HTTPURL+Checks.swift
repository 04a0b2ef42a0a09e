import CCurl

// Checks that are stricter than libcurl, which repairs some malformed URLs.
extension HTTPURL {
    /// The maximum length of a URL.
    private static let lengthLimit = 4096
    /// The maximum length of a host name (RFC 1035, section 2.3.4).
    private static let hostLimit = 253

    static let notHTTP = error("does not begin with http:// or https://; specify the full URL")
    static let noHost = error("has no host; write it as in http://host/path")
    static let badHost = error(
        "has an invalid host name; use letters, digits, hyphens and dots")
    static let badPort = error(
        "has an invalid port; specify a number from 1 to 65535")

    static func error(_ words: String) -> HTTPError {
        HTTPError(.badURL, "the URL \(words)")
    }

    /// Checks that every character is allowed in a URL.
    static func checkCharacters(_ text: String) throws(HTTPError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= lengthLimit else {
            throw error("is longer than \(lengthLimit) bytes; shorten it")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) })
        else {
            throw error("contains an invalid character; write it as %XX")
        }
        guard !bytes.contains(UInt8(ascii: "#")) else {
            throw error("must not contain a fragment (#); remove it")
        }
        for position in bytes.indices where bytes[position] == UInt8(ascii: "%") {
            let digits = bytes[(position + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(isHexadecimal) else {
                throw error("contains a % without two hexadecimal digits; write % as %25")
            }
        }
    }

    /// Checks the authority: libcurl accepts one to three slashes, and a colon without a port.
    static func checkAuthority(_ text: String) throws(HTTPError) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { throw notHTTP }
        let authority = parts[2].prefix { $0 != "?" }
        guard !authority.isEmpty else { throw noHost }
        guard authority.last != ":" else { throw badPort }
    }

    /// The host, with the zone of an IPv6 address if present (RFC 6874).
    static func host(_ url: CurlURL) throws(HTTPError) -> String {
        guard let host = url.part(CURLUPART_HOST)?.lowercased() else { throw noHost }
        guard !host.hasPrefix("[") else {
            guard let zone = url.part(CURLUPART_ZONEID) else { return host }
            guard !zone.isEmpty, zone.utf8.allSatisfy(isHostCharacter) else { throw badHost }
            return "\(host.dropLast())%25\(zone)]"
        }
        guard host.utf8.count <= hostLimit, host.utf8.allSatisfy(isHostCharacter),
            host.first != ".", host.first != "-"
        else { throw badHost }
        return host
    }

    static func port(_ url: CurlURL) throws(HTTPError) -> UInt16? {
        guard let text = url.part(CURLUPART_PORT) else { return nil }
        guard let port = UInt16(text), port > 0 else { throw badPort }
        return port
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "-._".utf8.contains(byte)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isHexDigit
    }
}
