public import GatewayCore
public import JSON

/// Makes advertisement formats for one name in the configuration's `formats`.
public struct AdvertisementFormatFactory: Sendable {
    /// The name in the configuration: `bthome`.
    public let use: String
    /// The description that `pulsegate plugins` shows.
    public let about: PluginDescription?
    /// Reads the settings strictly, `use` among them, and makes a format.
    ///
    /// Every setting has a default: a source that names no formats gets one of each factory without
    /// settings. It must not open anything yet.
    public let make:
        @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError)
            -> any AdvertisementFormat

    /// Makes a factory for a format name.
    public init(
        use: String, about: PluginDescription? = nil,
        make:
            @escaping @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError)
            -> any AdvertisementFormat
    ) {
        self.use = use
        self.about = about
        self.make = make
    }

    /// Makes the formats that a list such as `["bthome"]` names; without a list, one of each
    /// factory.
    ///
    /// - Throws: ``GatewayCore/ConfigurationError`` for an unknown or duplicate name, for an empty
    ///   list, for invalid settings, and for a part that two formats read.
    public static func makeFormats(
        _ node: ConfigurationNode?, from factories: [AdvertisementFormatFactory],
        _ context: ComponentContext
    ) throws(ConfigurationError) -> [any AdvertisementFormat] {
        var formats: [any AdvertisementFormat] = []
        for entry in try entries(node, factories) {
            let (factory, settings) = try chosen(entry, factories)
            let format = try factory.make(settings.knowing(context.types), context)
            if formats.contains(where: { $0.name == format.name }) {
                throw entry.error("`\(format.name)` is given twice; remove one entry")
            }
            if let other = formats.first(where: { !Set($0.parts).isDisjoint(with: format.parts) }) {
                throw entry.error(
                    "`\(format.name)` and `\(other.name)` read the same part of an advertisement; "
                        + "remove one of them")
            }
            formats.append(format)
        }
        return formats
    }

    /// The settings of the formats that a list names, for a capture: without their secrets.
    static func recordedSettings(
        _ node: ConfigurationNode?, from factories: [AdvertisementFormatFactory]
    ) throws(ConfigurationError) -> JSONValue {
        var values: [JSONValue] = []
        for entry in try entries(node, factories) {
            let (factory, _) = try chosen(entry, factories)
            values.append(factory.withoutSecrets(entry.value))
        }
        return .object(["formats": .array(values)])
    }

    private func withoutSecrets(_ settings: JSONValue) -> JSONValue {
        guard case .object(let object) = settings else { return settings }
        let secrets = (about?.settings ?? []).filter { [.secret, .secrets].contains($0.kind) }
        let names = Set(secrets.map(\.name))
        return .object(object.filter { !names.contains($0.key) })
    }

    /// The entries of a list; without one, an entry for each factory.
    private static func entries(
        _ node: ConfigurationNode?, _ factories: [AdvertisementFormatFactory]
    ) throws(ConfigurationError) -> [ConfigurationNode] {
        let entries =
            try node?.array()
            ?? factories.map { ConfigurationNode(path: "formats", value: .string($0.use)) }
        guard !entries.isEmpty else {
            throw ConfigurationError(
                path: node?.path ?? "formats",
                problem: "must not be empty; omit it to use all built-in formats: "
                    + factories.map(\.use).joined(separator: ", "))
        }
        return entries
    }

    /// The factory that an entry names, with its settings.
    private static func chosen(
        _ entry: ConfigurationNode, _ factories: [AdvertisementFormatFactory]
    ) throws(ConfigurationError) -> (AdvertisementFormatFactory, ConfigurationNode) {
        let (use, settings) = try entry.component()
        guard let factory = factories.first(where: { $0.use == use }) else {
            let suggestion = Suggestion.message(unknown: use, known: factories.map(\.use))
            throw entry.error("unknown format `\(use)`; \(suggestion)")
        }
        return (factory, settings)
    }
}
