import HealthModel

/// Quantities as a person wants to read them: rounded, in the unit they were measured in.
enum HumanQuantity {
    /// A value with its unit, as `72 count/min`.
    static func text(_ quantity: Quantity) -> String {
        "\(rounded(quantity.value)) \(quantity.unit.string)"
    }

    /// At most two decimals, or three digits where there would be nothing else.
    static func rounded(_ value: Double) -> String {
        var scale = 100.0
        while value != 0, (value * scale).magnitude < 100, scale < 1e12 { scale *= 10 }
        let whole = (value * scale).rounded()
        guard whole.magnitude < 1e15 else { return "\(value)" }
        let text = "\(whole / scale)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
