import HealthModel

/// Quantities as a person wants to read them: rounded, in the unit they were measured in.
enum HumanQuantity {
    /// A value with its unit, as `72 count/min`.
    static func text(_ quantity: Quantity) -> String {
        "\(rounded(quantity.value)) \(quantity.unit.string)"
    }

    /// At most two decimals.
    static func rounded(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard hundredths.magnitude < 1e15 else { return "\(value)" }
        let text = "\(hundredths / 100)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
