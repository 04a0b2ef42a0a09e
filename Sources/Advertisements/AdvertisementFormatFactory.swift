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
        for entry in try node?.array() ?? defaults(factories) {
            let (use, settings) = try entry.component()
            guard let factory = factories.first(where: { $0.use == use }) else {
                let suggestion = Suggestion.message(unknown: use, known: factories.map(\.use))
                throw entry.error("unknown format `\(use)`; \(suggestion)")
            }
            let format = try factory.make(settings, context)
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
        guard !formats.isEmpty else {
            throw ConfigurationError(
                path: node?.path ?? "formats",
                problem: "must not be empty; omit it to use all built-in formats: "
                    + factories.map(\.use).joined(separator: ", "))
        }
        return formats
    }

    private static func defaults(_ factories: [AdvertisementFormatFactory]) -> [ConfigurationNode] {
        factories.map { ConfigurationNode(path: "formats", value: .string($0.use)) }
    }
}
