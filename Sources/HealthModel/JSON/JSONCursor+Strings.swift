import JSON

extension JSONCursor {
    /// Reads and validates a string, and returns its location.
    mutating func readText() throws(RecordDecodingError) -> Text {
        try expect("\"")
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return Text(range: start..<position - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                _ = try readEscape()
            case 0..<0x20: throw fail("an escaped control character")
            default: position += 1
            }
        }
        throw fail("a closing \"")
    }

    /// Returns the decoded string at a location.
    package func string(_ text: Text) throws(RecordDecodingError) -> String {
        if !text.hasEscapes {
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: bytes[text.range]), as: UTF8.self)
        }
        var result: [UInt8] = []
        var cursor = self
        cursor.position = text.range.lowerBound
        while cursor.position < text.range.upperBound {
            if bytes[cursor.position] == UInt8(ascii: "\\") {
                result.append(contentsOf: String(try cursor.readEscape()).utf8)
            } else {
                result.append(bytes[cursor.position])
                cursor.position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads an escape sequence.
    private mutating func readEscape() throws(RecordDecodingError) -> Unicode.Scalar {
        guard position + 1 < bytes.count else { throw fail("an escape sequence") }
        let letter = bytes[position + 1]
        let scalar: Unicode.Scalar
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = .init(letter)
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw fail("an escape sequence")
        }
        position += 2
        return scalar
    }

    private mutating func readUnicodeEscape() throws(RecordDecodingError) -> Unicode.Scalar {
        let first = try readCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(first)) else { throw fail("a surrogate pair") }
        let second = try readCodeUnit()
        guard UTF16.isTrailSurrogate(UInt16(second)),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fail("a surrogate pair") }
        return scalar
    }

    /// Reads `\uXXXX`; the result is below 2^16.
    private mutating func readCodeUnit() throws(RecordDecodingError) -> UInt32 {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw fail("\\u and four hexadecimal digits") }
        var unit: UInt32 = 0
        for index in position + 2..<position + 6 {
            guard let digit = hexadecimalValue(bytes[index]) else {
                throw fail("\\u and four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
        }
        position += 6
        return unit
    }
}
