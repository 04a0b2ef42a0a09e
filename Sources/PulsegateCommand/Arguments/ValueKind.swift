import GatewayHost
import HealthModel

/// What can be in the place of a value, for completions.
enum ValueKind: Sendable {
    /// What cannot be listed: a time, a number, an address.
    case text
    case file
    case words([String])
    /// A type of quantities.
    case quantityType
    /// A type of any records, or one of a few other words.
    case recordType(or: [String] = [])
    case activity
    /// What is built in, of one kind or of all.
    case plugin(PluginEntry.Kind? = nil)
    /// The name of a person, which only the data directory and the configuration know.
    case person
}

/// The words that a build knows for each kind of value.
struct KnownWords {
    private let types: QuantityTypes
    private let plugins: [PluginEntry]

    init(_ plugins: Plugins) throws(HostError) {
        types = try plugins.makeQuantityTypes()
        self.plugins = PluginEntry.all(of: plugins)
    }

    /// The words that a value can be; none where they cannot be listed.
    func words(for kind: ValueKind) -> [String] {
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
