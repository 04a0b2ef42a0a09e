public import GatewayCore
public import JSON

/// Makes GATT profiles for one word of the configuration's `profiles`.
public struct GATTProfileFactory: Sendable {
    /// The word in the configuration: `heartRate`.
    public let use: String
    /// What the command `plugins` tells about it.
    public let about: PluginDescription?
    /// Reads the settings strictly, `use` among them, and makes a profile.
    ///
    /// Every setting has a default: a source that names no profiles gets all of them without settings.
    public let make: @Sendable (ConfigurationNode) throws(ConfigurationError) -> any GATTProfile

    /// Makes a factory for a word.
    public init(
        use: String, about: PluginDescription? = nil,
        make:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> any GATTProfile
    ) {
        self.use = use
        self.about = about
        self.make = make
    }

    /// Makes the profiles that a list such as `["heartRate", { use: "weight", unit: "kg" }]` names.
    ///
    /// Without a list it makes one of every factory, with default settings. The order is kept: a
    /// characteristic goes to the first profile that names it.
    ///
    /// - Throws: ``ConfigurationError`` for a word that is not built in or stands there twice, for a
    ///   list that names nothing, and for what a profile says about its settings.
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
                throw entry.error("no profile is called `\(use)`; \(suggestion)")
            }
            guard used.insert(use).inserted else {
                throw entry.error("`\(use)` is named twice; one entry is enough")
            }
            profiles.append(try factory.make(settings))
        }
        guard !profiles.isEmpty else {
            throw node.error(
                "names no profile; leave it out for all that are built in: "
                    + known.joined(separator: ", "))
        }
        return profiles
    }

    private static func makeAll(
        _ factories: [GATTProfileFactory]
    ) throws(ConfigurationError) -> [any GATTProfile] {
        var profiles: [any GATTProfile] = []
        for factory in factories {
            let settings = JSONValue.object(["use": .string(factory.use)])
            profiles.append(
                try factory.make(ConfigurationNode(path: "profiles", value: settings)))
        }
        return profiles
    }
}
