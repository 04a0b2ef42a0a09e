extension JSON5Parser {
    /// Reads a string in single or double quotation marks.
    mutating func readString() throws(JSONError) -> String {
        let start = position
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = next, byte != quote {
            guard !byte.isLineEnd else { break }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text += String(try readEscape()).utf8
            } else {
                text.append(byte)
            }
        }
        guard next == quote else { throw error("unterminated string", at: start) }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the rest of an escape sequence after its backslash; an escaped line end is dropped.
    private mutating func readEscape() throws(JSONError) -> String {
        let start = position - 1
        guard let byte = next else { throw error("unterminated string", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "v"): return "\u{b}"
        case UInt8(ascii: "0"): return "\0"
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw error("invalid escape", at: start)
        case UInt8(ascii: "\n"): return ""
        case UInt8(ascii: "\r"):
            if next == UInt8(ascii: "\n") { position += 1 }
            return ""
        case UInt8(ascii: "x"): return try scalar(try readHexadecimal(2), at: start)
        case UInt8(ascii: "u"): return try readUnicodeEscape(at: start)
        default:
            // Any other character, of one or several bytes, stands for itself.
            position -= 1
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            let end = min(position + length, bytes.count)
            defer { position = end }
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }
    }

    /// Reads a UTF-16 code unit, or a surrogate pair.
    private mutating func readUnicodeEscape(
        at start: Int
    ) throws(JSONError) -> String {
        let unit = try readHexadecimal(4)
        guard (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) else {
            return try scalar(unit, at: start)
        }
        position += 2
        let low = try readHexadecimal(4)
        guard (0xDC00..<0xE000).contains(low) else { throw error("invalid escape", at: start) }
        return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), at: start)
    }

    private mutating func readHexadecimal(_ count: Int) throws(JSONError) -> UInt32 {
        let end = min(position + count, bytes.count)
        let digits = String(decoding: bytes[position..<end], as: UTF8.self)
        guard digits.utf8.count == count, digits.utf8.allSatisfy(\.isHexadecimalDigit),
            let number = UInt32(digits, radix: 16)
        else { throw error("expected \(count) hexadecimal digits") }
        position = end
        return number
    }

    private func scalar(_ number: UInt32, at start: Int) throws(JSONError) -> String {
        guard let scalar = Unicode.Scalar(number) else { throw error("invalid escape", at: start) }
        return String(scalar)
    }
}
