import Glibc

/// Takes a URL apart from its front.
struct URLParser {
    /// The longest URL; servers refuse longer ones too.
    static let lengthLimit = 4096
    /// The longest host name (RFC 1035, section 2.3.4).
    private static let hostLimit = 253

    private var rest: ArraySlice<UInt8>

    /// Checks that every character may stand in a URL.
    init(_ text: String) throws(HTTPError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.lengthLimit else {
            throw Self.failure("is longer than \(Self.lengthLimit) bytes; shorten it")
        }
        guard bytes.allSatisfy(Self.mayStand) else {
            throw Self.failure(
                "has a space or another character that a URL cannot have; write it as %XX")
        }
        rest = bytes[...]
        for position in bytes.indices where bytes[position] == UInt8(ascii: "%") {
            let digits = bytes[(position + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(Self.isHexadecimal) else {
                throw Self.failure("has a % without two hexadecimal digits; write %25 for a %")
            }
        }
    }

    mutating func takeScheme() throws(HTTPError) -> HTTPURL.Scheme {
        let name = rest.prefix { $0 != UInt8(ascii: ":") }
        let mark = rest[name.endIndex...].prefix(3)
        guard mark.elementsEqual("://".utf8),
            let scheme = HTTPURL.Scheme(
                rawValue: String(decoding: name, as: UTF8.self).lowercased())
        else {
            throw Self.failure("does not begin with http:// or https://; write it in full")
        }
        rest = rest[mark.endIndex...]
        return scheme
    }

    mutating func takeAuthority(usualPort: UInt16) throws(HTTPError) -> (String, UInt16) {
        guard !rest.contains(UInt8(ascii: "#")) else {
            throw Self.failure("has a # and more after it, which is never sent; leave that out")
        }
        var authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        rest = rest[authority.endIndex...]
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw Self.failure(
                "has a user name or password in front of its host; a secret belongs in a file: "
                    + "leave it out and say token: { file: \"…\" }")
        }
        let host =
            authority.first == UInt8(ascii: "[")
            ? try Self.takeAddress(&authority) : try Self.takeName(&authority)
        guard !authority.isEmpty else { return (host, usualPort) }
        return (host, try Self.port(authority))
    }

    /// The path and the query, whose characters are known to be good.
    func takeTarget() -> (path: String, query: String?) {
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest[path.endIndex...].dropFirst()
        return (
            path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
            path.endIndex == rest.endIndex ? nil : String(decoding: query, as: UTF8.self)
        )
    }
}

extension URLParser {
    private static func takeName(_ authority: inout ArraySlice<UInt8>) throws(HTTPError) -> String {
        let name = authority.prefix { $0 != UInt8(ascii: ":") }
        authority = authority[name.endIndex...]
        guard !name.isEmpty else { throw failure("has no host; write it like http://host/path") }
        guard name.count <= hostLimit, name.allSatisfy(mayStandInName),
            name.first != UInt8(ascii: "."), name.first != UInt8(ascii: "-")
        else {
            throw failure("has a host that is no name; use letters, digits, hyphens and dots")
        }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    /// An IPv6 address in brackets (RFC 3986, section 3.2.2), perhaps with a zone (RFC 6874).
    private static func takeAddress(
        _ authority: inout ArraySlice<UInt8>
    ) throws(HTTPError) -> String {
        let inside = authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }
        guard inside.endIndex < authority.endIndex else {
            throw failure("has a [ without a ]; write an IPv6 address like [::1]")
        }
        authority = authority[(inside.endIndex + 1)...]
        let address = inside.prefix { $0 != UInt8(ascii: "%") }
        let zone = inside[address.endIndex...]
        var binary = in6_addr()
        guard inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &binary) == 1,
            zone.isEmpty || isZone(zone)
        else {
            throw failure("has no IPv6 address between [ and ]; write it like [::1]")
        }
        let name = String(decoding: address, as: UTF8.self).lowercased()
        return "[\(name)\(String(decoding: zone, as: UTF8.self))]"
    }

    private static func isZone(_ zone: ArraySlice<UInt8>) -> Bool {
        zone.starts(with: "%25".utf8) && zone.count > 3
            && zone.dropFirst(3).allSatisfy(mayStandInName)
    }

    private static func port(_ text: ArraySlice<UInt8>) throws(HTTPError) -> UInt16 {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), digits.count <= 5,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else {
            throw failure("has a port that is no number from 1 to 65535; mend it or leave it out")
        }
        return port
    }

    private static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...: false
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
            UInt8(ascii: "}"):
            false
        default: true
        }
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isHexadecimal(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func failure(_ words: String) -> HTTPError {
        HTTPError(.badURL, "the URL \(words)")
    }
}
