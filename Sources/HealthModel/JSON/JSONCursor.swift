/// A cursor that reads JSON tokens (RFC 8259) from UTF-8 bytes.
package struct JSONCursor {
    /// The maximum nesting depth, which bounds the recursion.
    static let maximumDepth = 16

    /// The text.
    package let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    package internal(set) var position = 0

    /// Makes a cursor at the beginning of a text, which must outlive it.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The location of a string between its quotation marks.
    package struct Text {
        /// The offsets of its bytes.
        package let range: Range<Int>
        /// Whether its bytes are not the string itself.
        package let hasEscapes: Bool
    }

    /// Skips white space.
    package mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// The next byte that is not a space; nil at the end.
    package mutating func peek() -> UInt8? {
        skipSpace()
        return position < bytes.count ? bytes[position] : nil
    }

    /// Takes a character if it is next.
    package mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    /// Takes exactly these bytes if they are next.
    mutating func take(exactly expected: UnsafeRawBufferPointer) -> Bool {
        skipSpace()
        guard bytes.hasBytes(expected, at: position) else { return false }
        position += expected.count
        return true
    }

    /// Takes a literal such as `true` if it is next.
    package mutating func take(literal: StaticString) -> Bool {
        take(exactly: UnsafeRawBufferPointer(literal.buffer))
    }

    /// Takes a character, which must be next.
    package mutating func expect(_ sign: Unicode.Scalar) throws(RecordDecodingError) {
        guard take(sign) else { throw fail(String(sign)) }
    }

    /// Checks that only white space is left.
    package mutating func expectEnd() throws(RecordDecodingError) {
        guard peek() == nil else { throw fail("the end of the line") }
    }

    func fail(_ expected: String) -> RecordDecodingError {
        .syntax(expected: expected, offset: position)
    }

    /// Reads the next key of an object and its colon; nil at the object's end.
    package mutating func nextKey(isFirst: inout Bool) throws(RecordDecodingError) -> Text? {
        if take("}") { return nil }
        if !isFirst { try expect(",") }
        isFirst = false
        let key = try readText()
        try expect(":")
        return key
    }

    /// Reads and discards a value of any kind.
    package mutating func skipValue(depth: Int = 1) throws(RecordDecodingError) {
        guard depth <= Self.maximumDepth else { throw .tooDeep(offset: position) }
        switch peek() {
        case UInt8(ascii: "\""): _ = try readText()
        case UInt8(ascii: "{"): try skipObject(depth: depth)
        case UInt8(ascii: "["): try skipArray(depth: depth)
        default:
            if take(literal: "true") || take(literal: "false") || take(literal: "null") { return }
            _ = try readNumber()
        }
    }

    private mutating func skipObject(depth: Int) throws(RecordDecodingError) {
        try expect("{")
        var isFirst = true
        while try nextKey(isFirst: &isFirst) != nil { try skipValue(depth: depth + 1) }
    }

    private mutating func skipArray(depth: Int) throws(RecordDecodingError) {
        try expect("[")
        if take("]") { return }
        repeat { try skipValue(depth: depth + 1) } while take(",")
        try expect("]")
    }
}

extension StaticString {
    /// The bytes of the literal, which live as long as the program.
    package var buffer: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are at an offset; compares eight bytes at a time.
    package func hasBytes(_ expected: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard count - offset >= expected.count else { return false }
        var index = 0
        while index + 8 <= expected.count {
            guard
                loadUnaligned(fromByteOffset: offset + index, as: UInt64.self)
                    == expected.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index += 8
        }
        while index < expected.count {
            guard self[offset + index] == expected[index] else { return false }
            index += 1
        }
        return true
    }
}
