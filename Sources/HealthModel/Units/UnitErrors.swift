/// A text is not a unit.
public struct UnitParseError: Error, Equatable, CustomStringConvertible {
    /// Where the text stops being a unit, in bytes of UTF-8 from its beginning.
    public let offset: Int
    /// What would be right there, in words.
    public let expected: String
    /// The unit that was meant, where that is plain.
    ///
    /// A second `/` divides what is left of it; a unit has one `/`, so `ml/kg/min` is `mL/min·kg`.
    public let suggestion: String?

    init(offset: Int, expected: String, suggestion: String? = nil) {
        self.offset = offset
        self.expected = expected
        self.suggestion = suggestion
    }

    /// The message.
    public var description: String {
        let advice = suggestion ?? "units as count/min or mL/min·kg"
        return "not a unit: expected \(expected) at byte \(offset); write \(advice)"
    }
}

/// A value cannot be converted to a unit.
public enum UnitConversionError: Error, Equatable, CustomStringConvertible {
    /// The two units measure different things.
    case incompatible(from: String, to: String)
    /// The value is not finite, or is not in the other unit.
    case outOfRange(from: String, to: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .incompatible(let from, let to):
            "the unit \(from) cannot be converted to \(to): they measure different things"
        case .outOfRange(let from, let to):
            "a value in \(from) is not a finite number in \(to)"
        }
    }
}
