/// An error of an invalid custom quantity type.
public enum QuantityTypeError: Error, Hashable, CustomStringConvertible {
    /// The name is not valid.
    case name
    /// A type has this name already, or it is the HealthKit identifier of one; with the plugin that
    /// declares the type, nil for a standard one.
    case nameTaken(String, by: String? = nil)
    /// The text of the canonical unit is not a unit.
    case unit(UnitParseError)
    /// The aggregation style is not possible for values in this unit.
    case aggregationStyle(unit: String)
    /// The display unit is not compatible with the canonical unit.
    case displayUnit(display: String, canonical: String)
    /// The bounds are not finite, or in the wrong order.
    case plausibleRange
    /// The rate is not finite and above 0, or the type is not cumulative.
    case maximumRate
    /// A code is empty, too long, or has invalid characters.
    case code(key: String)
    /// There are too many custom types.
    case tooMany

    /// The message.
    public var description: String {
        switch self {
        case .name:
            "a type name must start with a lower-case letter and have up to "
                + "\(QuantityType.maximumNameLength) ASCII letters and digits"
        case .nameTaken(let name, nil): "the type \(name) already exists; choose another name"
        case .nameTaken(let name, let plugin?):
            "the plugin \(plugin) declares the type \(name) already; choose another name"
        case .unit(let error): error.description
        case .aggregationStyle(let unit):
            "the aggregation style is not possible for values in \(unit); use K for a cumulative "
                + "temperature and dBASPL for discreteEquivalentContinuousLevel"
        case .displayUnit(let display, let canonical):
            "the display unit \(display) is not compatible with \(canonical); choose a compatible unit"
        case .plausibleRange:
            "the plausible range must be two finite numbers in the canonical unit, the smaller one first"
        case .maximumRate:
            "the maximum rate must be a finite number above 0, in canonical units per second, and is "
                + "only valid for a cumulative type"
        case .code(let key):
            "\(key) must be 1 to \(QuantityType.maximumCodeLength) visible ASCII characters without spaces"
        case .tooMany: "at most \(QuantityTypes.customLimit) custom types are allowed"
        }
    }
}
