import HealthModel

/// Quantities as a person wants to read them: in the type's display unit, rounded.
enum HumanQuantity {
    /// `72 count/min`; a value that cannot be converted is shown as it is.
    static func text(_ quantity: Quantity, of type: QuantityType) -> String {
        guard let value = try? quantity.value(in: type.displayUnit) else { return "\(quantity)" }
        return "\(rounded(value)) \(type.displayUnit.string)"
    }

    /// At most two decimals.
    static func rounded(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard hundredths.magnitude < 1e15 else { return "\(value)" }
        let text = "\(hundredths / 100)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
