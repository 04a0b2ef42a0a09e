package import GatewayHost
import HealthModel
package import PluginPlans

/// The kind of an operand or option value, for completions.
package enum ValueKind: Sendable {
    /// Free text: a time, a number, an address.
    case text
    case file
    case words([String])
    /// The name of a quantity type.
    case quantityType
    /// The name of a record type, or one of a few other words.
    case recordType(or: [String] = [])
    case activity
    /// The name of a plugin, of one kind or of any.
    case plugin(PluginEntry.Kind? = nil)
    /// The name of a person, from the data directory or the configuration.
    case person
}

/// The words that complete each kind of value in this build.
package struct KnownWords {
    private let types: QuantityTypes
    private let plugins: [PluginEntry]

    package init(_ plugins: Plugins) throws(HostError) {
        types = try plugins.makeQuantityTypes()
        self.plugins = PluginEntry.all(of: plugins)
    }

    /// The possible words of a value; empty when they cannot be listed.
    package func words(for kind: ValueKind) -> [String] {
        switch kind {
        case .text, .file, .person: []
        case .words(let words): words
        case .quantityType: types.all.map(\.name)
        case .recordType(let others): types.all.map(\.name) + RecordType.otherNames + others
        case .activity: WorkoutActivityType.allCases.map(\.name)
        case .plugin(let kind):
            plugins.filter { kind == nil || $0.kind == kind }.map(\.use)
        }
    }
}
