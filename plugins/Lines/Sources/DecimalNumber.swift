/// An exact decimal number in millionths.
///
/// Decimals have no exact binary representation; whole millionths make differences exact. Digits after
/// the sixth decimal are rounded, those after the eighth are ignored: MicroPython prints
/// `5.3500000000000005`.
struct DecimalNumber: Equatable {
    /// The maximum number of digits.
    static let digitLimit = 15
    /// The number of millionths per one.
    static let millionthsPerOne: Int64 = 1_000_000
    private static let decimalPlaces = 6
    private static let significantPlaces = 8

    /// The number in millionths; `nil` when it has too many digits or is too large.
    let millionths: Int64?

    /// The number, if it is an integer.
    var whole: Int64? {
        guard let millionths else { return nil }
        let (quotient, remainder) = millionths.quotientAndRemainder(
            dividingBy: Self.millionthsPerOne)
        return remainder == 0 ? quotient : nil
    }

    /// Scans a number: an optional sign, digits, optionally a point and more digits.
    ///
    /// `nil` if there is no number; otherwise `cursor` is moved after it.
    init?(scanning line: Span<UInt8>, at cursor: inout Int) {
        var position = cursor
        let isNegative = position < line.count && line[position] == UInt8(ascii: "-")
        if isNegative || (position < line.count && line[position] == UInt8(ascii: "+")) {
            position += 1
        }
        var digits = Digits()
        guard digits.scan(line, at: &position) > 0 else { return nil }
        if position < line.count, line[position] == UInt8(ascii: ".") {
            var fraction = position + 1
            let places = digits.scan(line, at: &fraction, upTo: Self.significantPlaces)
            if places > 0 {
                digits.places = places
                position = fraction
            }
        }
        cursor = position
        millionths = digits.scaled(toPlaces: Self.decimalPlaces).map { isNegative ? -$0 : $0 }
    }

    /// The digits of a number without its point.
    private struct Digits {
        var value: Int64 = 0
        var count = 0
        var places = 0

        /// Scans digits, and returns the number of digits used.
        mutating func scan(
            _ line: Span<UInt8>, at position: inout Int, upTo limit: Int = .max
        ) -> Int {
            var used = 0
            while position < line.count {
                let digit = line[position] &- UInt8(ascii: "0")
                guard digit <= 9 else { break }
                // Up to the limit nothing overflows; beyond it the value is not used.
                if used < limit {
                    if count < DecimalNumber.digitLimit { value = value &* 10 &+ Int64(digit) }
                    count += 1
                    used += 1
                }
                position += 1
            }
            return used
        }

        /// The value times a power of ten, rounded half up; `nil` when it does not fit.
        func scaled(toPlaces wanted: Int) -> Int64? {
            guard count <= DecimalNumber.digitLimit else { return nil }
            var result = value
            for _ in 0..<max(wanted - places, 0) {
                let (product, overflow) = result.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                result = product
            }
            guard places > wanted else { return result }
            var divisor: Int64 = 1
            for _ in 0..<(places - wanted) { divisor *= 10 }
            return (result + divisor / 2) / divisor
        }
    }
}
