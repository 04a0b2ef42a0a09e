public import HealthModel
public import JSON

/// The configuration of a gateway, read strictly; sources and sinks read their own settings later.
public struct GatewayConfiguration: Sendable {
    /// A source or a sink: a name that the user chose, what it is, and its settings.
    public struct Component: Sendable {
        /// The user's name for it.
        public let name: String
        /// What it is: the word that a factory has.
        public let use: String
        /// Its settings, with `use` among them.
        public let settings: ConfigurationNode

        /// Makes the choice of a component whose only setting is what it is.
        public init(name: String, use: String, section: String) {
            self.init(
                name: name, use: use,
                settings: ConfigurationNode(
                    path: "\(section).\(name)", value: .object(["use": .string(use)])))
        }

        package init(name: String, use: String, settings: ConfigurationNode) {
            self.name = name
            self.use = use
            self.settings = settings
        }
    }

    /// The data directory, when the configuration names one.
    public var dataDirectory: String?
    /// What a committed batch survives.
    public var durability = Durability.crash
    /// Whether the journal is kept in memory: then nothing in it survives anything.
    public var isJournalInMemory = false
    /// The sources in alphabetical order; nil when the configuration has none.
    public var sources: [Component]?
    /// The sinks in alphabetical order; nil when the configuration has none.
    public var sinks: [Component]?
    /// Who wears what.
    public var people = People()
    /// What is known of the activities of workouts.
    public var activities = Activities()
    /// The types that there are: the standard ones, those of plugins, and those that it declares.
    public var types = QuantityTypes.standard

    /// The configuration that holds when there is no file.
    public init(types: QuantityTypes = .standard) {
        self.types = types
    }

    /// The keys of a configuration.
    public static let settings = [
        PluginDescription.Setting(
            "dataDirectory", "absolute path of the store, the journal and what is adopted",
            default: "$STATE_DIRECTORY, or pulsegate in $XDG_DATA_HOME or ~/.local/share"),
        PluginDescription.Setting(
            "journal", "`\"memory\"`, or { durability }", kind: .object,
            default: "on disk, durability `crash`"),
        PluginDescription.Setting(
            "sources", "what is read, by name", kind: .object, default: "everything adopted"),
        PluginDescription.Setting(
            "sinks", "where records are sent, by name", kind: .object,
            default: "`store: { use: \"sqlite\" }`"),
        PluginDescription.Setting(
            "people", "who wears the devices, by name", kind: .object, default: "one person, `me`"),
        PluginDescription.Setting(
            "devices", "what is known of devices, by address or port", kind: .object,
            default: "nothing"),
        PluginDescription.Setting(
            "types", "types of your own, by name", kind: .object, default: "none"),
        PluginDescription.Setting(
            "activities", "facts about activities of workouts, by name", kind: .object,
            default: "none of your own"),
    ]

    /// The keys of `journal`.
    public static let journalSettings = [
        PluginDescription.Setting(
            "durability",
            "what a record survives once it is accepted: a crash of the process, or a loss of power",
            kind: .words(Durability.allCases.map(\.rawValue)), default: "crash")
    ]

    /// Reads a configuration, which may declare types beside those that the node knows.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    public init(_ root: ConfigurationNode) throws(ConfigurationError) {
        let keys = Self.settings.map(\.name)
        types = try TypesReader.types(of: try root.object(keys: keys)["types"], beside: root.types)
        let object = try root.knowing(types).object(keys: keys)
        if let node = object["dataDirectory"] { dataDirectory = try Self.folder(node) }
        if let journal = object["journal"] {
            if case .string = journal.value {
                _ = try journal.choice(of: ["memory"])
                isJournalInMemory = true
            } else {
                durability = try Self.durability(journal)
            }
        }
        if let sources = object["sources"] { self.sources = try Self.components(sources) }
        if let sinks = object["sinks"] { self.sinks = try Self.components(sinks) }
        people = try People(people: object["people"], devices: object["devices"])
        if let activities = object["activities"] {
            self.activities = try Activities(activities)
        }
    }

    private static func folder(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let path = try node.string()
        guard path.hasPrefix("/") else { throw node.error("must be an absolute path") }
        return path
    }

    private static func durability(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Durability {
        let object = try node.object(keys: journalSettings.map(\.name))
        guard let setting = object["durability"] else { return .crash }
        let word = try setting.choice(of: Durability.allCases.map(\.rawValue))
        return Durability(rawValue: word) ?? .crash
    }

    private static func components(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> [Component] {
        var components: [Component] = []
        for (name, entry) in try node.entries() {
            guard isName(name) else {
                throw entry.error("a name has 1 to 64 letters, digits, `-` or `_`")
            }
            let (use, settings) = try entry.component()
            components.append(Component(name: name, use: use, settings: settings))
        }
        return components
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
