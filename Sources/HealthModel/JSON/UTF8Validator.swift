/// A validator for UTF-8.
package enum UTF8Validator {
    /// Returns the offset of the first sequence that is not well-formed; nil when there is none.
    ///
    /// The ranges are those of the Unicode Standard, table 3-7.
    package static func firstInvalidOffset(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position < bytes.count {
            if position + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                position += 8  // eight ASCII characters
            } else if bytes[position] < 0x80 {
                position += 1
            } else {
                guard let count = sequenceCount(in: bytes, at: position) else { return position }
                position += count
            }
        }
        return nil
    }

    /// The length of the well-formed sequence that starts at a byte beyond ASCII; nil when there is
    /// none.
    private static func sequenceCount(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard let (count, second) = shape(lead: bytes[start]), start + count <= bytes.count,
            second.contains(bytes[start + 1])
        else { return nil }
        for index in start + 2..<start + max(count, 2) where !(0x80...0xBF).contains(bytes[index]) {
            return nil
        }
        return count
    }

    private static func shape(lead: UInt8) -> (count: Int, second: ClosedRange<UInt8>)? {
        switch lead {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
