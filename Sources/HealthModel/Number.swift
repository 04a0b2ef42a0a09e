import Glibc  // links libm, which the standard library rounds with

/// Numbers as text: written so that they read back exactly, and valid in JSON.
package enum Number {
    /// Whole numbers below this are exact in a `Double`.
    static let exactIntegerLimit = 9_007_199_254_740_992.0  // 2^53

    /// The powers of ten that a `Double` holds exactly.
    static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Returns ten to a power that is not negative; exact up to 22.
    static func powerOfTen(_ exponent: Int) -> Double {
        var power = 1.0
        var rest = exponent
        while rest > 22 {
            power *= exactPowersOfTen[22]
            rest -= 22
        }
        return power * exactPowersOfTen[rest]
    }

    /// Returns the text of a number.
    static func string(_ value: Double) -> String {
        var buffer: [UInt8] = []
        append(value, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Appends a finite number: the shortest digits that read back, a whole number without `.0`.
    package static func append(_ value: Double, to buffer: inout [UInt8]) {
        if value.magnitude < exactIntegerLimit, let magnitude = UInt64(exactly: value.magnitude) {
            if value.sign == .minus { buffer.append(UInt8(ascii: "-")) }  // keeps -0 apart from 0
            append(magnitude, to: &buffer)
        } else {
            var text = value.description
            text.withUTF8 { bytes in
                let isWhole = bytes.suffix(2).elementsEqual(".0".utf8)
                buffer.append(contentsOf: isWhole ? bytes.dropLast(2) : bytes[...])
            }
        }
    }

    private static func append(_ value: UInt64, to buffer: inout [UInt8]) {
        var count = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        buffer.appendDigits(Int(value), count: count)  // below 2^53
    }

    /// Returns ±digits · 10^exponent when one rounding gives it exactly, nil otherwise.
    ///
    /// At most 15 digits and a power of at most 22 are both exact in a `Double`, so the one
    /// multiplication or division rounds correctly (Clinger, "How to Read Floating Point Numbers
    /// Accurately", 1990).
    static func exact(digits: UInt64, exponent: Int, isNegative: Bool) -> Double? {
        guard digits < 1_000_000_000_000_000, (-22...22).contains(exponent) else { return nil }
        let magnitude =
            exponent < 0
            ? Double(digits) / exactPowersOfTen[-exponent]
            : Double(digits) * exactPowersOfTen[exponent]
        return isNegative ? -magnitude : magnitude
    }
}
