import Bluetooth
import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Serial

/// A plugin as the command `plugins` shows it.
struct PluginEntry {
    /// What plugins there are, in the order in which a value meets them.
    enum Kind: String, CaseIterable {
        case profile = "GATT profile"
        case serialProtocol = "serial protocol"
        case source
        case sink
        case quantityType = "quantity type"
    }

    let kind: Kind
    /// The word in the configuration.
    let use: String
    let about: PluginDescription?

    /// Everything that is built in, by kind and word.
    static func all(of plugins: Plugins) -> [PluginEntry] {
        let entries =
            plugins.profiles.map { PluginEntry(kind: .profile, use: $0.use, about: $0.about) }
            + plugins.serialProtocols.map {
                PluginEntry(kind: .serialProtocol, use: $0.use, about: $0.about)
            }
            + plugins.makeSourceFactories(busAddress: nil).map {
                PluginEntry(kind: .source, use: $0.use, about: $0.about)
            }
            + plugins.sinks.map { PluginEntry(kind: .sink, use: $0.use, about: $0.about) }
            + plugins.types.compactMap { make in
                // One that is not right is told by every command that reads a configuration.
                guard let type = try? make() else { return nil }
                return PluginEntry(kind: .quantityType, use: type.name, about: type.about)
            }
        return Kind.allCases.flatMap { kind in
            // Of two with the same word the first one is used.
            Dictionary(entries.filter { $0.kind == kind }.map { ($0.use, $0) }) { first, _ in first
            }
            .values.sorted { $0.use < $1.use }
        }
    }

    /// Its settings: its own, and those that all of its kind have.
    private var settings: [PluginDescription.Setting] {
        (about?.settings ?? []) + (kind == .sink ? SinkOptions.settings : [])
    }

    /// Everything about it, for a person.
    var text: String {
        var text = "\(use): \(kind.rawValue)\n\(about.map { "\($0.summary)\n" } ?? "")"
        let rows = settings.map { setting in
            let ending = setting.defaultValue.map { "; when left out: \($0)" } ?? "; required"
            return (setting.name, Self.meaning(of: setting) + ending)
        }
        text += "\nsettings\n"
        text += rows.isEmpty ? "  none\n" : CommandSyntax.columns(rows)
        if let sample = about?.sample { text += "\nsample configuration\n\n\(sample)" }
        return text
    }

    /// What a key means and what its value can be.
    private static func meaning(of setting: PluginDescription.Setting) -> String {
        switch setting.kind {
        case .words(let words): "\(setting.meaning): \(words.joined(separator: ", "))"
        case .string, .object, .secret: setting.meaning
        default: "\(setting.meaning) (\(setting.kind))"
        }
    }

    /// Everything about it, for a program.
    var value: JSONValue {
        var object: [String: JSONValue] = [
            "kind": .string(kind.rawValue), "use": .string(use),
            "settings": .array(settings.map(\.value)),
        ]
        object["summary"] = about.map { .string($0.summary) }
        object["sample"] = about.map { .string($0.sample) }
        return .object(object)
    }
}

extension QuantityType {
    fileprivate var about: PluginDescription {
        let shown = displayUnit == canonicalUnit ? "" : ", shown in \(displayUnit)"
        return PluginDescription(
            summary: "\(aggregationStyle.rawValue), in \(canonicalUnit)\(shown).",
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
        return .object(object)
    }
}
