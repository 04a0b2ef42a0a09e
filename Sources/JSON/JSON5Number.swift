/// The numbers of JSON5: those of JSON, hexadecimal ones, a leading or trailing point, a plus sign,
/// `Infinity` and `NaN`.
enum JSON5Number {
    /// Returns the value of a word; nil if it is not a number.
    static func value(of word: String) -> Double? {
        let isNegative = word.hasPrefix("-")
        let digits = word.hasPrefix("+") || isNegative ? String(word.dropFirst()) : word
        return magnitude(digits).map { isNegative ? -$0 : $0 }
    }

    /// A number without its sign.
    private static func magnitude(_ digits: String) -> Double? {
        if digits == "Infinity" { return .infinity }
        if digits == "NaN" { return .nan }
        let bytes = Array(digits.utf8)
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            guard bytes.dropFirst(2).allSatisfy(\.isHexadecimalDigit) else { return nil }
            return UInt64(digits.dropFirst(2), radix: 16).map { Double($0) }
        }
        let isOctal = bytes.count > 1 && bytes[0] == UInt8(ascii: "0") && bytes[1].isDigit
        guard let first = bytes.first, first.isDigit || first == UInt8(ascii: "."), !isOctal,
            bytes.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }),
            bytes.contains(where: \.isDigit)
        else { return nil }
        // `.5` and `5.` are numbers in JSON5; Swift requires digits on both sides.
        return Double((first.isDigit ? "" : "0") + (digits.hasSuffix(".") ? digits + "0" : digits))
    }
}
