/// A cursor over the bytes of a line of a capture.
struct CaptureCursor {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The bytes that are left.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    /// Takes a character if it is next, after spaces.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    /// Takes the bytes of a string without escapes.
    mutating func text() -> UnsafeRawBufferPointer? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Takes a key and its colon if they are next.
    mutating func take(key: StaticString) -> Bool {
        guard let name = text(), name == key else { return false }
        return take(":")
    }

    /// Takes a whole number that is not negative.
    mutating func number() -> Int64? {
        skipSpace()
        let start = position
        var value: Int64 = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int64(digit))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
            position += 1
        }
        return position > start ? value : nil
    }

    /// Whether only spaces are left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return position == bytes.count
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            default: return
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    static func == (bytes: UnsafeRawBufferPointer, text: StaticString) -> Bool {
        bytes.elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
