import Advertisements
import Bluetooth
package import GatewayCore
package import GatewayHost
package import HealthModel
package import JSON
import Serial

/// A plugin as shown by the command `plugins`.
package struct PluginEntry {
    /// The kinds of plugins, in the order of the data flow.
    package enum Kind: String, CaseIterable {
        case profile = "GATT profile"
        case serialProtocol = "serial protocol"
        case advertisementFormat = "advertisement format"
        case source
        case sink
        case service
        case quantityType = "quantity type"
    }

    package let kind: Kind
    /// The plugin's name in the configuration.
    package let use: String
    package let about: PluginDescription?
    /// The types that the plugin declares and reads.
    package var types: [QuantityType] = []

    /// Makes an entry.
    package init(
        kind: Kind, use: String, about: PluginDescription?, types: [QuantityType] = []
    ) {
        self.kind = kind
        self.use = use
        self.about = about
        self.types = types
    }

    /// All built-in plugins, sorted by kind and name.
    package static func all(of plugins: Plugins) -> [PluginEntry] {
        let entries =
            plugins.profiles.map { PluginEntry(kind: .profile, use: $0.use, about: $0.about) }
            + plugins.serialProtocols.map {
                PluginEntry(kind: .serialProtocol, use: $0.use, about: $0.about)
            }
            + plugins.advertisements.map {
                PluginEntry(kind: .advertisementFormat, use: $0.use, about: $0.about)
            }
            + plugins.makeSourceFactories(busAddress: nil).map {
                PluginEntry(kind: .source, use: $0.use, about: $0.about)
            }
            + plugins.sinks.map { PluginEntry(kind: .sink, use: $0.use, about: $0.about) }
            + plugins.services.map {
                PluginEntry(kind: .service, use: $0.use, about: $0.about)
            }
            + plugins.types.compactMap { declaration in
                // Every command that reads a configuration reports an invalid type.
                guard let type = try? declaration.makeType() else { return nil }
                return PluginEntry(kind: .quantityType, use: type.name, about: type.about)
            }
        return Kind.allCases.flatMap { kind in
            // Of two with the same name, the first one is used.
            Dictionary(entries.filter { $0.kind == kind }.map { ($0.use, $0) }) { first, _ in first
            }
            .values.sorted { $0.use < $1.use }.map { $0.adding(plugins.types) }
        }
    }

    /// The kinds of plugins that report readings with types.
    private static let reading: Set<Kind> = [
        .profile, .serialProtocol, .advertisementFormat, .source,
    ]

    /// Returns the entry with the types that are declared in the module of its description.
    private func adding(_ declarations: [QuantityTypeDeclaration]) -> PluginEntry {
        guard let module = about?.module, Self.reading.contains(kind) else { return self }
        var entry = self
        entry.types = declarations.filter { $0.module == module }.compactMap { try? $0.makeType() }
        return entry
    }

    /// The plugin's own settings and those of every plugin of its kind.
    package var settings: [PluginDescription.Setting] {
        (about?.settings ?? []) + (kind == .sink ? SinkOptions.settings : [])
    }

    /// The JSON of `pulsegate plugins --json`.
    package var value: JSONValue {
        var object: [String: JSONValue] = [
            "kind": .string(kind.rawValue), "use": .string(use),
            "settings": .array(settings.map(\.value)),
        ]
        if !types.isEmpty { object["types"] = .array(types.map { .string($0.name) }) }
        object["summary"] = about.map { .string($0.summary) }
        object["sample"] = about.map { .string($0.sample) }
        return .object(object)
    }
}

extension QuantityType {
    /// Its style and its units.
    package var definition: String {
        let shown = displayUnit == canonicalUnit ? "" : ", shown in \(displayUnit)"
        return "\(aggregationStyle.rawValue), in \(canonicalUnit)\(shown)"
    }

    fileprivate var about: PluginDescription {
        PluginDescription(
            summary: "\(definition).",
            sample: """
                {
                  sinks: {
                    store: { use: "sqlite", types: ["\(name)"] },
                  },
                }

                """)
    }
}

extension PluginDescription.Setting {
    fileprivate var value: JSONValue {
        var object: [String: JSONValue] = [
            "name": .string(name), "meaning": .string(meaning),
            "kind": .string(kind.description),
        ]
        object["default"] = defaultValue.map(JSONValue.string)
        if !keys.isEmpty { object["keys"] = .array(keys.map(\.value)) }
        return .object(object)
    }
}
