import JSON

extension JSONCursor {
    /// Reads a number; throws when it is too large for a `Double`.
    mutating func readNumber() throws(RecordDecodingError) -> Double {
        skipSpace()
        let start = position
        let isNegative = take("-")
        var digits: UInt64 = 0
        var isExact = true
        try takeInteger(into: &digits, isExact: &isExact)
        var exponent = 0
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let fractionStart = position
            try takeDigits(into: &digits, isExact: &isExact)
            exponent = fractionStart - position
        }
        try takeExponent(into: &exponent)
        if isExact,
            let value = Number.exact(digits: digits, exponent: exponent, isNegative: isNegative)
        {
            return value
        }
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw .syntax(expected: "a number within the range of a double", offset: start)
        }
        return value
    }

    private mutating func takeInteger(
        into number: inout UInt64, isExact: inout Bool
    ) throws(RecordDecodingError) {
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1  // nothing may follow a leading zero
        } else {
            try takeDigits(into: &number, isExact: &isExact)
        }
    }

    /// Takes one digit or more; the number is not exact when it has too many.
    private mutating func takeDigits(
        into number: inout UInt64, isExact: inout Bool
    ) throws(RecordDecodingError) {
        let start = position
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            position += 1
            if number < 100_000_000_000_000_000 {
                number = number * 10 + UInt64(digit)
            } else {
                isExact = false
            }
        }
        guard position > start else { throw fail("a number") }
    }

    private mutating func takeExponent(into exponent: inout Int) throws(RecordDecodingError) {
        guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        var isNegative = false
        if position < bytes.count,
            bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")
        {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        var number: UInt64 = 0
        var isExact = true
        try takeDigits(into: &number, isExact: &isExact)
        let magnitude = Int(min(number, 10_000))  // far beyond the exact powers
        exponent += isNegative ? -magnitude : magnitude
    }
}
