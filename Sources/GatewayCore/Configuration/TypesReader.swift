import HealthModel
import JSON

/// The reader of the types that a configuration declares.
package enum TypesReader {
    /// The keys of a type.
    package static let settings = [
        PluginDescription.Setting(
            "aggregationStyle", "how values are combined",
            kind: .words(QuantityType.AggregationStyle.allCases.map(\.rawValue))),
        PluginDescription.Setting(
            "unit", "canonical unit, a HealthKit unit string; `%` is a fraction"),
        PluginDescription.Setting("display", "display unit", default: "the canonical unit"),
        PluginDescription.Setting(
            "plausible", "minimum and maximum value of a sample, such as [0, 10]", kind: .numbers,
            default: "any value"),
        PluginDescription.Setting(
            "maximumRate", "maximum growth of a cumulative type, in canonical units per second",
            kind: .number, default: "unlimited"),
        PluginDescription.Setting("loinc", "LOINC code, for FHIR", default: "a Pulsegate code"),
        PluginDescription.Setting("ucum", "UCUM unit, for FHIR", default: "the known one, if any"),
    ]

    /// Returns the known types and those of the section `types`.
    static func types(
        of section: ConfigurationNode?, beside known: QuantityTypes
    ) throws(ConfigurationError) -> QuantityTypes {
        guard let section else { return known }
        var types = known
        for (name, node) in try section.entries() {
            let type = try self.type(named: name, node)
            do { types = try types.adding([type]) } catch { throw node.error("\(error)") }
        }
        return types
    }

    private static func type(
        named name: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> QuantityType {
        guard QuantityType.isValidName(name) else { throw node.error("\(QuantityTypeError.name)") }
        let object = try node.object(keys: settings.map(\.name))
        let style = try self.style(object.require("aggregationStyle"))
        let unit = try self.unit(object.require("unit"))
        let display = try object["display"].map(self.unit)
        let plausible = try object["plausible"].map(range)
        let maximumRate = try object["maximumRate"]?.number()
        let loinc = try object["loinc"]?.string()
        let ucum = try object["ucum"]?.string()
        do {
            return try QuantityType(
                custom: name, aggregationStyle: style, unit: unit, display: display,
                plausible: plausible,
                maximumRate: maximumRate, loinc: loinc, ucum: ucum)
        } catch {
            throw (error.key.flatMap { object[$0] } ?? node).error("\(error)")
        }
    }

    private static func style(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> QuantityType.AggregationStyle {
        let word = try node.choice(of: QuantityType.AggregationStyle.allCases.map(\.rawValue))
        guard let style = QuantityType.AggregationStyle(rawValue: word) else {
            throw node.error("unknown")
        }
        return style
    }

    private static func unit(_ node: ConfigurationNode) throws(ConfigurationError) -> Unit {
        let text = try node.string()
        do { return try Unit(parsing: text) } catch { throw node.error("\(error)") }
    }

    private static func range(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> ClosedRange<Double> {
        let ends = try node.array()
        guard ends.count == 2 else { throw node.error("\(QuantityTypeError.plausibleRange)") }
        let (lower, upper) = (try ends[0].number(), try ends[1].number())
        guard lower < upper else { throw node.error("\(QuantityTypeError.plausibleRange)") }
        return lower...upper
    }
}

extension QuantityTypeError {
    /// The key with the error; nil for the type as a whole.
    fileprivate var key: String? {
        switch self {
        case .unit: "unit"
        case .aggregationStyle: "aggregationStyle"
        case .displayUnit: "display"
        case .plausibleRange: "plausible"
        case .maximumRate: "maximumRate"
        case .code(let key): key
        case .name, .nameTaken, .tooMany: nil
        }
    }
}
