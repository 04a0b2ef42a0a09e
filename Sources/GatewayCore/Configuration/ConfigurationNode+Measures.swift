extension ConfigurationNode {
    private static let bytesPerUnit: [(unit: String, bytes: Double)] = [
        ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("TiB", 1_099_511_627_776),
        ("B", 1),
    ]
    private static let secondsPerUnit: [(unit: String, seconds: Double)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800),
    ]

    /// The value as a number of bytes, written as `"64 MiB"`.
    public func byteCount(in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int64 {
        let text = try string()
        let count = Self.measure(text, Self.bytesPerUnit.map { ($0.unit, $0.bytes) })
        guard let count else {
            throw error("expected a size such as \"64 MiB\" (B, KiB, MiB, GiB or TiB)")
        }
        guard count >= Double(range.lowerBound), count <= Double(range.upperBound) else {
            throw error(
                "must be from \(Self.size(range.lowerBound)) to \(Self.size(range.upperBound))")
        }
        return Int64(count)
    }

    /// The value as a span of time in seconds, written as `"90s"`, `"15m"`, `"24h"`, `"7d"` or `"2w"`.
    public func span(in range: ClosedRange<Double>) throws(ConfigurationError) -> Double {
        let text = try string()
        guard let seconds = Self.measure(text, Self.secondsPerUnit.map { ($0.unit, $0.seconds) })
        else { throw error("expected a span such as \"90s\", \"15m\", \"24h\", \"7d\" or \"2w\"") }
        guard range.contains(seconds) else {
            throw error("must be from \(Int64(range.lowerBound)) to \(Int64(range.upperBound)) s")
        }
        return seconds
    }

    /// A size as the configuration writes it, in the largest unit that needs no fraction.
    package static func size(_ bytes: Int64) -> String {
        let units = bytesPerUnit.filter { $0.bytes <= Double(max(bytes, 1)) }
        let whole = units.filter { bytes % Int64($0.bytes) == 0 }
        let best = whole.max { $0.bytes < $1.bytes } ?? ("B", 1)
        return "\(bytes / Int64(best.bytes)) \(best.unit)"
    }

    /// A number and its unit, with or without a space between them.
    private static func measure(_ text: String, _ units: [(String, Double)]) -> Double? {
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
