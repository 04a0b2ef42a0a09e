/// A custom quantity type cannot be made, or not be known beside the others.
public enum QuantityTypeError: Error, Hashable, CustomStringConvertible {
    /// The name has another shape than names have.
    case name
    /// A type has this name already, or it is the HealthKit identifier of one.
    case nameTaken(String)
    /// Values in this unit do not combine in the way of the style.
    case aggregationStyle(unit: String)
    /// The display unit measures something else than the canonical one.
    case displayUnit(display: String, canonical: String)
    /// The bounds are not finite, or in the wrong order.
    case plausibleRange
    /// The rate is not finite and above 0, or the type is no counter.
    case maximumRate
    /// A code is empty, too long, or has characters that none has.
    case code(key: String)
    /// There are too many types.
    case tooMany

    /// What is wrong, and what belongs there.
    public var description: String {
        switch self {
        case .name:
            "a type's name begins with a lower-case letter and has up to "
                + "\(QuantityType.maximumNameLength) letters and digits, all of ASCII"
        case .nameTaken(let name): "there is a type \(name) already; choose another name"
        case .aggregationStyle(let unit):
            "values in \(unit) do not combine in that style: temperatures in degC and degF do not add up "
                + "(K does), and only levels in dBASPL are averaged by their energy"
        case .displayUnit(let display, let canonical):
            "\(display) does not measure what \(canonical) does; choose one that can be converted"
        case .plausibleRange:
            "the plausible range is two finite numbers, the smaller one first, in the canonical unit"
        case .maximumRate:
            "the maximum rate is a finite number above 0, in canonical units each second, of a "
                + "cumulative type"
        case .code(let key):
            "\(key) is 1 to \(QuantityType.maximumCodeLength) visible characters of ASCII, without blanks"
        case .tooMany: "there may be \(QuantityTypes.customLimit) types beside the standard ones"
        }
    }
}
