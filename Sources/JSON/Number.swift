import Glibc  // links libm, which the standard library rounds with

/// Numbers as JSON text that reads back exactly.
package enum Number {
    /// Whole numbers below this are exact in a `Double`.
    package static let exactIntegerLimit = 9_007_199_254_740_992.0  // 2^53

    /// The powers of ten that a `Double` holds exactly.
    package static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The largest power of ten that a `Double` holds exactly.
    package static let largestExactPower = 22

    /// Returns ten to a power that is not negative; exact up to ``largestExactPower``.
    package static func powerOfTen(_ exponent: Int) -> Double {
        var power = 1.0
        var rest = exponent
        while rest > 22 {
            power *= exactPowersOfTen[22]
            rest -= 22
        }
        return power * exactPowersOfTen[rest]
    }

    /// Returns the text of a number.
    package static func string(_ value: Double) -> String {
        var buffer: [UInt8] = []
        append(value, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// The longest text of a number; a `Double` needs 17 digits, a sign, a point and an exponent.
    package static let maximumTextLength = 32

    /// Appends a finite number: the shortest digits that read back, a whole number without `.0`.
    package static func append(_ value: Double, to buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumTextLength) { text in
            let count = write(value, to: text)
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<count]))
        }
    }

    /// Writes the text of a finite number, like `append`, and returns its length.
    package static func write(_ value: Double, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        if value.magnitude < exactIntegerLimit, let magnitude = UInt64(exactly: value.magnitude) {
            let isNegative = value.sign == .minus  // also for -0
            if isNegative { text[0] = UInt8(ascii: "-") }
            return write(magnitude, to: text, at: isNegative ? 1 : 0)
        }
        var description = value.description
        return description.withUTF8 { bytes in
            let isWhole = bytes.suffix(2).elementsEqual(".0".utf8)
            let digits = isWhole ? bytes.dropLast(2) : bytes[...]
            return text[..<digits.count].initialize(fromContentsOf: digits)
        }
    }

    /// Writes a number below 2^53 at a position and returns the position after it.
    private static func write(
        _ value: UInt64, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        var count = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        text.writeDigits(Int(value), count: count, at: start)
        return start + count
    }

    /// Returns ±digits · 10^exponent when it takes a single rounding, nil otherwise.
    ///
    /// At most 15 digits and a power of at most 22 are both exact in a `Double`, so the one
    /// multiplication or division rounds correctly (Clinger, "How to Read Floating Point Numbers
    /// Accurately", 1990).
    @inlinable
    package static func exact(digits: UInt64, exponent: Int, isNegative: Bool) -> Double? {
        guard digits < 1_000_000_000_000_000, (-22...22).contains(exponent) else { return nil }
        let magnitude =
            exponent < 0
            ? Double(digits) / exactPowersOfTen[-exponent]
            : Double(digits) * exactPowersOfTen[exponent]
        return isNegative ? -magnitude : magnitude
    }
}
