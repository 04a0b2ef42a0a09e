public import HealthModel
public import JSON

/// The validated configuration of a gateway; sources and sinks read their own settings later.
public struct GatewayConfiguration: Sendable {
    /// A source, a sink or a service: its configured name, its kind and its settings.
    public struct Component: Sendable {
        /// The configured name.
        public let name: String
        /// The kind, which selects the factory.
        public let use: String
        /// Its settings, including `use`.
        public let settings: ConfigurationNode

        /// Makes a component without settings other than `use`.
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

    /// The data directory; nil for the default.
    public var dataDirectory: String?
    /// The durability of a committed batch.
    public var durability = Durability.crash
    /// Whether the journal is in memory and lost at a crash.
    public var isJournalInMemory = false
    /// The sources in alphabetical order; nil if the configuration has none.
    public var sources: [Component]?
    /// The sinks in alphabetical order; nil if the configuration has none.
    public var sinks: [Component]?
    /// The services in alphabetical order.
    public var services: [Component] = []
    /// The people and the devices that they wear.
    public var people = People()
    /// The settings of workout activities.
    public var activities = Activities()
    /// The known types: standard ones, those of plugins, and declared ones.
    public var types = QuantityTypes.standard

    /// Makes the default configuration.
    public init(types: QuantityTypes = .standard) {
        self.types = types
    }

    /// The keys of a configuration.
    public static let settings = [
        PluginDescription.Setting(
            "dataDirectory", "absolute path of the store, the journal and the adopted devices",
            default: "$STATE_DIRECTORY, or pulsegate in $XDG_DATA_HOME or ~/.local/share"),
        PluginDescription.Setting(
            "journal", "`\"memory\"`, or { durability }", kind: .object,
            default: "on disk, durability `crash`", keys: journalSettings),
        PluginDescription.Setting(
            "sources", "sources of samples, by name", kind: .object,
            default: "all adopted devices"),
        PluginDescription.Setting(
            "sinks", "destinations of records, by name", kind: .object,
            default: "`store: { use: \"sqlite\" }`"),
        PluginDescription.Setting(
            "services", "services that show or offer live records, by name", kind: .object,
            default: "none"),
        PluginDescription.Setting(
            "people", "people who wear the devices, by name", kind: .object,
            default: "one person, `me`"),
        PluginDescription.Setting(
            "devices",
            "devices beside the adopted ones, or facts about devices, by address or port",
            kind: .object, default: "none"),
        PluginDescription.Setting(
            "types", "custom types, by name", kind: .object, default: "none"),
        PluginDescription.Setting(
            "activities", "settings of workout activities, by name", kind: .object,
            default: "built-in settings"),
    ]

    /// The keys of `journal`.
    public static let journalSettings = [
        PluginDescription.Setting(
            "durability",
            "failures that an accepted record survives: a process crash, or also a power loss",
            kind: .words(Durability.allCases.map(\.rawValue)), default: "crash")
    ]

    /// Reads a configuration, which may declare types in addition to the known ones of the node.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first problem.
    public init(_ root: ConfigurationNode) throws(ConfigurationError) {
        let keys = Self.settings.map(\.name)
        types = try TypesReader.types(of: try root.object(keys: keys)["types"], beside: root.types)
        let object = try root.knowing(types).object(keys: keys)
        if let node = object["dataDirectory"] { dataDirectory = try Self.folder(node) }
        if let journal = object["journal"] {
            if case .string(let word) = journal.value {
                guard word == "memory" else {
                    throw journal.error(
                        "unknown value `\(word)`; expected \"memory\", or an object such as "
                            + "{ durability: \"powerLoss\" }")
                }
                isJournalInMemory = true
            } else {
                durability = try Self.durability(journal)
            }
        }
        if let sources = object["sources"] { self.sources = try Self.components(sources) }
        if let sinks = object["sinks"] { self.sinks = try Self.components(sinks) }
        if let services = object["services"] { self.services = try Self.components(services) }
        people = try People(people: object["people"], devices: object["devices"])
        if let activities = object["activities"] {
            self.activities = try Activities(activities)
        }
    }

    private static func folder(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let path = try node.string()
        guard path.hasPrefix("/") else { throw node.error("must be an absolute path") }
        // System calls would end the path there, and create another directory.
        guard !path.utf8.contains(0) else { throw node.error("must not contain a null character") }
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
                throw entry.error("a name must consist of 1 to 64 letters, digits, `-` or `_`")
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
