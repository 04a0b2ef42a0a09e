extension JSONNode {
    /// The value as a number of bytes, written as `"64 MiB"`.
    public func byteCount(in range: ClosedRange<Int64>) throws(Context.Failure) -> Int64 {
        let text = try string()
        let count = Measure.value(text, Measure.bytesPerUnit)
        guard let count else {
            throw error("expected a size such as \"64 MiB\" (B, KiB, MiB, GiB or TiB)")
        }
        guard count >= Double(range.lowerBound), count <= Double(range.upperBound) else {
            throw error(
                "must be from \(Measure.size(range.lowerBound)) to \(Measure.size(range.upperBound))"
            )
        }
        return Int64(count)
    }

    /// The value as a duration in seconds, written as `"90s"`, `"15m"`, `"24h"`, `"7d"` or `"2w"`.
    public func duration(in range: ClosedRange<Double>) throws(Context.Failure) -> Double {
        let text = try string()
        guard let seconds = Measure.value(text, Measure.secondsPerUnit)
        else {
            throw error("expected a duration such as \"90s\", \"15m\", \"24h\", \"7d\" or \"2w\"")
        }
        guard range.contains(seconds) else {
            throw error(
                "must be from \(Measure.duration(range.lowerBound)) to "
                    + Measure.duration(range.upperBound))
        }
        return seconds
    }
}

/// Sizes and durations written as a number with a unit.
package enum Measure {
    static let bytesPerUnit: [(unit: String, factor: Double)] = [
        ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("TiB", 1_099_511_627_776),
        ("B", 1),
    ]
    static let secondsPerUnit: [(unit: String, factor: Double)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800),
    ]

    /// The text of a size, in the largest unit without a fraction.
    package static func size(_ bytes: Int64) -> String {
        let units = bytesPerUnit.filter { $0.factor <= Double(max(bytes, 1)) }
        let whole = units.filter { bytes % Int64($0.factor) == 0 }
        let best = whole.max { $0.factor < $1.factor } ?? ("B", 1)
        return "\(bytes / Int64(best.factor)) \(best.unit)"
    }

    /// The text of a whole number of seconds, in the largest unit up to days without a fraction.
    package static func duration(_ seconds: Double) -> String {
        let units = secondsPerUnit.filter { $0.unit != "w" && seconds >= $0.factor }
        let whole = units.filter { seconds.truncatingRemainder(dividingBy: $0.factor) == 0 }
        let best = whole.last ?? ("s", 1)
        return "\(Int64(seconds / best.factor))\(best.unit)"
    }

    /// Reads a number and its unit, with or without a space between them; nil for any other text.
    static func value(_ text: String, _ units: [(unit: String, factor: Double)]) -> Double? {
        for (unit, factor) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            let number = digits.last == " " ? digits.dropLast() : digits
            guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let value = Double(number), value.isFinite
            else { return nil }
            return value * factor
        }
        return nil
    }
}
