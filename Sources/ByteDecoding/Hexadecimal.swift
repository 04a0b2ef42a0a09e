/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends two digits for each byte, in quotation marks.
    package static func append(_ bytes: [UInt8], to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        for byte in bytes {
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 15)])
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Returns the bytes of digits; nil if they are not pairs of hexadecimal digits.
    package static func bytes(of digits: UnsafeRawBufferPointer) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { buffer, count in
            for index in 0..<digits.count / 2 {
                let high = value(digits[2 * index])
                let low = value(digits[2 * index + 1])
                isValid = isValid && high < 16 && low < 16
                buffer.initializeElement(at: index, to: high << 4 | low & 15)
            }
            count = digits.count / 2
        }
        return isValid ? bytes : nil
    }

    /// The value of a digit; 16 if it is none.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: 16
        }
    }
}
