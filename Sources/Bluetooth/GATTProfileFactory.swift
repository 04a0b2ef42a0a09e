public import GatewayCore
public import HealthModel
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
    /// - Parameter types: The types of the gateway, with those that plugins declare.
    /// - Throws: ``ConfigurationError`` for an unknown or duplicate name, for an empty list, for
    ///   invalid settings of a profile, and for a profile that would get no values of a
    ///   characteristic because of an earlier one.
    public static func makeProfiles(
        _ node: ConfigurationNode?, from factories: [GATTProfileFactory], types: QuantityTypes
    ) throws(ConfigurationError) -> [any GATTProfile] {
        guard let node = node?.knowing(types) else { return try makeAll(factories, types) }
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
            if let problem = conflict(of: profile, of: use, with: known, profiles) {
                throw entry.error(problem)
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

    /// Returns why a profile cannot be used beside others; nil if it can.
    private static func conflict(
        of profile: any GATTProfile, of use: String, with known: [String],
        _ earlier: [any GATTProfile]
    ) -> String? {
        let name = profile.name.lowercased()
        if let builtIn = known.first(where: { $0.lowercased() == name && $0 != use }) {
            return "`\(profile.name)` is the name of the built-in profile `\(builtIn)`; "
                + "choose another name"
        }
        for other in earlier {
            let isSameService = other.service == profile.service
            guard isSameService || profile is any ProgramDecoded || other is any ProgramDecoded,
                let shared = profile.characteristics.first(where: other.characteristics.contains)
            else { continue }
            let place = isSameService ? " of the service \(profile.service.shortest)" : ""
            return "`\(profile.name)` and `\(other.name)` both read \(shared.shortest)\(place); "
                + "remove one of them"
        }
        return nil
    }

    private static func makeAll(
        _ factories: [GATTProfileFactory], _ types: QuantityTypes
    ) throws(ConfigurationError) -> [any GATTProfile] {
        var profiles: [any GATTProfile] = []
        for factory in factories where factory.isDefault {
            let settings = JSONValue.object(["use": .string(factory.use)])
            let node = ConfigurationNode(path: "profiles", value: settings, types: types)
            profiles.append(try factory.make(node))
        }
        return profiles
    }
}

extension GATTProfile {
    /// The characteristics whose values the profile decodes.
    fileprivate var characteristics: [BluetoothUUID] { subscriptions + reads }
}
