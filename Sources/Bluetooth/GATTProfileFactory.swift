public import GatewayCore
public import JSON

/// Makes GATT profiles for one name in the configuration's `profiles`.
public struct GATTProfileFactory: Sendable {
    /// The name in the configuration: `heartRate`.
    public let use: String
    /// The description that `pulsegate plugins` shows.
    public let about: PluginDescription?
    /// Reads the settings strictly, `use` among them, and makes a profile.
    ///
    /// Every setting has a default: a source that names no profiles gets a profile of each factory
    /// without settings.
    public let make: @Sendable (ConfigurationNode) throws(ConfigurationError) -> any GATTProfile

    /// Whether a source that names no profiles gets one of this factory.
    package let isDefault: Bool

    /// Makes a factory for a profile name.
    public init(
        use: String, about: PluginDescription? = nil,
        make:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> any GATTProfile
    ) {
        self.init(use: use, about: about, isDefault: true, make: make)
    }

    /// Makes a factory; one that is not a default may have required settings and several profiles.
    package init(
        use: String, about: PluginDescription? = nil, isDefault: Bool,
        make:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> any GATTProfile
    ) {
        self.use = use
        self.about = about
        self.isDefault = isDefault
        self.make = make
    }

    /// Makes the profiles that a list such as `["heartRate", { use: "weight", unit: "kg" }]` names.
    ///
    /// Without a list it makes one profile of every factory, with default settings. The order is
    /// preserved: a characteristic belongs to the first profile that names it.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown or duplicate name, for an empty list, and
    ///   for invalid settings of a profile.
    public static func makeProfiles(
        _ node: ConfigurationNode?, from factories: [GATTProfileFactory]
    ) throws(ConfigurationError) -> [any GATTProfile] {
        guard let node else { return try makeAll(factories) }
        let known = factories.map(\.use)
        var profiles: [any GATTProfile] = []
        var used: Set<String> = []
        for entry in try node.array() {
            let (use, settings) = try entry.component()
            guard let factory = factories.first(where: { $0.use == use }) else {
                let suggestion = Suggestion.message(unknown: use, known: known)
                throw entry.error("unknown profile `\(use)`; \(suggestion)")
            }
            let profile = try factory.make(settings)
            guard used.insert(profile.name.lowercased()).inserted else {
                throw entry.error("`\(profile.name)` is given twice; remove one entry")
            }
            profiles.append(profile)
        }
        guard !profiles.isEmpty else {
            throw node.error(
                "must not be empty; omit it to use all built-in profiles: "
                    + factories.filter(\.isDefault).map(\.use).joined(separator: ", "))
        }
        return profiles
    }

    private static func makeAll(
        _ factories: [GATTProfileFactory]
    ) throws(ConfigurationError) -> [any GATTProfile] {
        var profiles: [any GATTProfile] = []
        for factory in factories where factory.isDefault {
            let settings = JSONValue.object(["use": .string(factory.use)])
            profiles.append(
                try factory.make(ConfigurationNode(path: "profiles", value: settings)))
        }
        return profiles
    }
}
