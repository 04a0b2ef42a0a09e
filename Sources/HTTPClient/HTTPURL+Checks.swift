import CCurl

// What libcurl takes and we do not: it repairs URLs that are most likely mistakes, and passes on what a
// server refuses.
extension HTTPURL {
    /// The longest URL; servers refuse longer ones too.
    private static let lengthLimit = 4096
    /// The longest host name (RFC 1035, section 2.3.4).
    private static let hostLimit = 253

    static let notHTTP = error("does not begin with http:// or https://; write it in full")
    static let noHost = error("has no host; write it like http://host/path")
    static let badHost = error(
        "has a host that is no name; use letters, digits, hyphens and dots")
    static let badPort = error(
        "has a port that is no number from 1 to 65535; mend it or leave it out")

    static func error(_ words: String) -> HTTPError {
        HTTPError(.badURL, "the URL \(words)")
    }

    /// Whether every character may stand in a URL.
    static func checkCharacters(_ text: String) throws(HTTPError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= lengthLimit else {
            throw error("is longer than \(lengthLimit) bytes; shorten it")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) })
        else {
            throw error("has a space or another character that a URL cannot have; write it as %XX")
        }
        guard !bytes.contains(UInt8(ascii: "#")) else {
            throw error("has a # and more after it, which is never sent; leave that out")
        }
        for position in bytes.indices where bytes[position] == UInt8(ascii: "%") {
            let digits = bytes[(position + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(isHexadecimal) else {
                throw error("has a % without two hexadecimal digits; write %25 for a %")
            }
        }
    }

    /// libcurl takes one, two or three slashes in front of the host, and a colon without a port.
    static func checkAuthority(_ text: String) throws(HTTPError) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { throw notHTTP }
        let authority = parts[2].prefix { $0 != "?" }
        guard !authority.isEmpty else { throw noHost }
        guard authority.last != ":" else { throw badPort }
    }

    /// The host, with the zone of an IPv6 address where it has one (RFC 6874).
    static func host(_ url: CurlURL) throws(HTTPError) -> String {
        guard let host = url.part(CURLUPART_HOST)?.lowercased() else { throw noHost }
        guard !host.hasPrefix("[") else {
            guard let zone = url.part(CURLUPART_ZONEID) else { return host }
            guard !zone.isEmpty, zone.utf8.allSatisfy(mayStandInName) else { throw badHost }
            return "\(host.dropLast())%25\(zone)]"
        }
        guard host.utf8.count <= hostLimit, host.utf8.allSatisfy(mayStandInName),
            host.first != ".", host.first != "-"
        else { throw badHost }
        return host
    }

    static func port(_ url: CurlURL) throws(HTTPError) -> UInt16? {
        guard let text = url.part(CURLUPART_PORT) else { return nil }
        guard let port = UInt16(text), port > 0 else { throw badPort }
        return port
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
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
