import Glibc

/// The name of a host in a request, without its port (RFC 9110, section 7.2).
enum HostName {
    /// Returns the name in lower case, an IPv6 address with its brackets; nil when it is not valid.
    static func of(_ authority: String) -> String? {
        var name = authority.lowercased()
        if name.hasPrefix("[") {
            guard let end = name.lastIndex(of: "]") else { return nil }
            let port = name[name.index(after: end)...]
            guard port.isEmpty || isPort(port) else { return nil }
            return String(name[...end])
        }
        if let colon = name.lastIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = String(name[..<colon])
        }
        // The root of the domain name system: `localhost.` is `localhost`.
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty, name.utf8.allSatisfy(isAllowed) else { return nil }
        return name
    }

    /// Whether it is an address: no name of somebody else's domain can stand for it.
    static func isAddress(_ name: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        if name.hasPrefix("[") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &bytes) == 1
        }
        return inet_pton(AF_INET, name, &bytes) == 1
    }

    /// Whether a byte can be in a name.
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.count > 1 && UInt16(text.dropFirst()) != nil
    }

    /// The name of this machine; nil when it is unknown.
    static func ofThisMachine() -> String? {
        var characters = [CChar](repeating: 0, count: 256)
        guard gethostname(&characters, characters.count - 1) == 0 else { return nil }
        let bytes = characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return of(String(decoding: bytes, as: UTF8.self))
    }
}
