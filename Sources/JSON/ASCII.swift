extension [UInt8] {
    /// Appends the text of a literal.
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number that is not negative with a fixed number of digits, padded with zeros.
    package mutating func appendDigits(_ number: Int, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { text in
            text.writeDigits(number, count: count, at: 0)
            append(contentsOf: text)
        }
    }

    /// Appends a string in JSON's quotation marks.
    ///
    /// Characters are escaped in the shortest way (RFC 8259, section 7), so a decoded string never
    /// gets longer when it is encoded again.
    public mutating func appendJSONString(_ string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            if bytes.contains(where: Self.mustBeEscaped) {
                for byte in bytes { appendEscaped(byte) }
            } else {
                append(contentsOf: bytes)
            }
        }
        append(UInt8(ascii: "\""))
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0..<0x20:
            append("\\u00")
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            append(Self.hexadecimalDigit(byte & 0x0F))
        default: append(byte)
        }
    }

    /// The lower-case digit of a number from 0 to 15.
    @inlinable
    package static func hexadecimalDigit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") &+ number : UInt8(ascii: "a") &- 10 &+ number
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes a number that is not negative with a fixed number of digits, padded with zeros.
    @inlinable
    package func writeDigits(_ number: Int, count: Int, at position: Int) {
        var rest = number
        for index in stride(from: position + count - 1, through: position, by: -1) {
            self[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

/// The value of a hexadecimal digit of either case; nil for another character.
@inlinable
package func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
