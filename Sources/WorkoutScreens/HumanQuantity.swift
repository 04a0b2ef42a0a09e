package import HealthModel
import Platform

/// Quantities formatted for people: rounded, in their own unit.
package enum HumanQuantity {
    /// A value with its unit, as `72 count/min`.
    package static func text(_ quantity: Quantity) -> String {
        "\(value(quantity)) \(quantity.unit.string)"
    }

    /// A value of a type with its unit; parts of a step are rounded to whole steps.
    package static func text(_ quantity: Quantity, _ type: QuantityType) -> String {
        "\(value(quantity, type)) \(quantity.unit.string)"
    }

    /// A value of a type; HealthKit's counts are whole, but the part of a sample within a workout
    /// or an hour has a fraction.
    package static func value(_ quantity: Quantity, _ type: QuantityType) -> String {
        let isCount =
            type.isCumulative && type.canonicalUnit == .count && quantity.unit == .count
            && type.healthKitIdentifier != nil
        return isCount ? rounded(quantity.value.rounded()) : value(quantity)
    }

    /// A value; fractions are shown as percent: 0.97 is 97 %.
    package static func value(_ quantity: Quantity) -> String {
        rounded(quantity.unit == .percent ? quantity.value * 100 : quantity.value)
    }

    /// Rounds to two decimals, or to three significant digits for small values.
    package static func rounded(_ value: Double) -> String {
        var scale = 100.0
        while value != 0, (value * scale).magnitude < 100, scale < 1e12 { scale *= 10 }
        let whole = (value * scale).rounded()
        guard whole.magnitude < 1e15 else { return "\(value)" }
        let text = "\(whole / scale)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A fraction from 0 to 1 as `87 %`.
    package static func percent(_ share: Double) -> String {
        "\(rounded((share * 100).rounded())) %"
    }

    /// A number of bytes in the largest suitable unit: `512 B`, `1.5 KiB`, `64 MiB`.
    package static func size(bytes: Int64) -> String {
        var value = Double(bytes)
        var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
        while value.magnitude >= 1_024, units.count > 1 {
            value /= 1_024
            units = units.dropFirst()
        }
        return "\(rounded((value * 10).rounded() / 10)) \(units.first ?? "B")"
    }

    /// A duration in its two largest units: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 5 min`, `3 d 4 h`.
    package static func duration(seconds: Double) -> String {
        guard seconds >= 10 else { return "\(rounded((max(seconds, 0) * 10).rounded() / 10)) s" }
        let whole = Int64(clampedNanosecondsOf: seconds) / 1_000_000_000
        let steps: [(unit: String, size: Int64)] = [
            ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
        ]
        var rest = whole
        var parts: [String] = []
        for step in steps {
            let count = rest / step.size
            rest %= step.size
            if count > 0 || !parts.isEmpty {
                parts.append(count > 0 ? "\(count) \(step.unit)" : "")
            }
        }
        return parts.prefix(2).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
