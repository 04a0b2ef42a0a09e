/// An error of a text that is not a unit.
public struct UnitParseError: Error, Hashable, CustomStringConvertible {
    /// The position of the error, in bytes of UTF-8.
    public let offset: Int
    /// The expected text at the position.
    public let expected: String
    /// The intended unit, if it is clear.
    ///
    /// A second `/` divides everything before it, but a unit has only one `/`: `ml/kg/min` is
    /// `mL/min·kg`. A common spelling of another unit is never accepted: `bpm` is `count/min`.
    public let suggestion: String?

    init(offset: Int, expected: String, suggestion: String? = nil) {
        self.offset = offset
        self.expected = expected
        self.suggestion = suggestion
    }

    /// The error with the unit that a common spelling means.
    func suggesting(_ unit: String?) -> UnitParseError {
        guard suggestion == nil, let unit else { return self }
        return UnitParseError(offset: offset, expected: "HealthKit's spelling", suggestion: unit)
    }

    /// The message.
    public var description: String { "not a unit: \(reason)" }

    /// What was expected where, and what to use.
    var reason: String {
        let advice = suggestion ?? "a unit such as count/min or mL/min·kg"
        let place = offset == 0 ? "" : " at byte \(offset)"
        return "expected \(expected)\(place); use \(advice)"
    }
}

/// An error of a value that cannot be converted to a unit.
public enum UnitConversionError: Error, Equatable, CustomStringConvertible {
    /// The two units are not compatible.
    case incompatible(from: String, to: String)
    /// The value is not finite in one of the units.
    case outOfRange(from: String, to: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .incompatible(let from, let to):
            "cannot convert \(from) to \(to): the units are not compatible"
        case .outOfRange(let from, let to):
            "cannot convert \(from) to \(to): the value is out of range"
        }
    }
}
