/// Base 64 with padding (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for offset in 0..<4 {
                let digit = digits[bits >> (18 - 6 * offset) & 0x3F]
                text.append(offset <= group.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; nil when it is not of groups of four digits, of which the last one is padded.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        for start in stride(from: 0, to: text.count, by: 4) {
            let isLast = start + 4 == text.count
            let group = text[start..<start + 4]
            let digits = isLast ? group.trimmed : group
            guard digits.count > 1 else { return nil }
            var bits = 0
            for digit in digits {
                guard let value = value(of: digit) else { return nil }
                bits = bits << 6 | value
            }
            bits <<= 6 * (4 - digits.count)
            for offset in 0..<digits.count - 1 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * offset)))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without up to two padding characters at the end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        var rest = self
        for _ in 0..<2 where rest.last == UInt8(ascii: "=") { rest.removeLast() }
        return rest
    }
}
