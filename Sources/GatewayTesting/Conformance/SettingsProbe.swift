import GatewayCore
import HealthModel
import JSON

/// Compares the described keys of a plugin with those that its factory accepts.
///
/// The factory's own errors tell what it accepts: it gets valid settings with one wrong thing.
struct SettingsProbe {
    /// A word that is too long to be near to a known one, so that an error lists all known ones.
    private static let unknown = String(repeating: "unknown", count: 10)

    let plugin: DescribedPlugin
    let types: QuantityTypes
    let run: ConformanceRun

    /// Checks the keys of the plugin, from settings that it accepts.
    func check(_ described: [PluginDescription.Setting], of settings: [String: JSONValue]) {
        Object(probe: self, path: "", described: described, members: settings) { .object($0) }
            .check()
    }

    /// An object among the settings.
    private struct Object {
        let probe: SettingsProbe
        let path: String
        let described: [PluginDescription.Setting]
        let members: [String: JSONValue]
        /// The settings of the plugin with other members of this object.
        let settings: ([String: JSONValue]) -> JSONValue

        func check() {
            compareKeys()
            for setting in described {
                checkKind(of: setting)
                checkRequired(setting)
                if [.object, .objects].contains(setting.kind) { checkValue(of: setting) }
            }
        }

        /// The plugin and the key path, for findings.
        private var name: String { probe.plugin.name + (path.isEmpty ? "" : ", `\(path)`") }

        private func find(_ problem: String) { probe.run.find("\(name): \(problem)") }

        /// What the factory says to another value of a key, or to none.
        private func error(_ key: String, _ value: JSONValue?) -> ConfigurationError? {
            var members = members
            members[key] = value
            return probe.error(of: settings(members))
        }

        private func compareKeys() {
            guard let error = error(SettingsProbe.unknown, .null) else {
                return find("accepts an unknown key; read its settings with `object(keys:)`")
            }
            guard let accepted = SettingsProbe.known(error, at: SettingsProbe.unknown) else {
                return find(
                    "its error does not list the known keys when one is unknown (\(error)); read its "
                        + "settings with `object(keys:)` first")
            }
            let common = path.isEmpty ? probe.plugin.commonKeys : []
            let names = described.map(\.name)
            for key in accepted where !names.contains(key) && !common.contains(key) {
                find("accepts the key `\(key)`, which is not described")
            }
            for key in names where !accepted.contains(key) {
                find("describes the key `\(key)`, which its factory refuses")
            }
            for key in names where common.contains(key) {
                find("describes the key `\(key)`, which every \(probe.plugin.kind.rawValue) has")
            }
            if Set(names).count < names.count { find("describes a key twice") }
        }

        /// Gives a key a value of no kind, and a word that is not known.
        private func checkKind(of setting: PluginDescription.Setting) {
            let key = setting.name
            if setting.meaning.isEmpty { find("does not describe what the key `\(key)` means") }
            if error(key, .null) == nil { find("describes the key `\(key)`, and does not read it") }
            guard case .words(let words) = setting.kind else { return }
            guard let error = error(key, .string(SettingsProbe.unknown)) else {
                return find("accepts an unknown word for the key `\(key)`")
            }
            if let known = SettingsProbe.known(error, at: key), Set(known) != Set(words) {
                find(
                    "describes the words \(words.joined(separator: ", ")) of the key `\(key)`, which "
                        + "takes \(known.joined(separator: ", "))")
            }
        }

        private func checkRequired(_ setting: PluginDescription.Setting) {
            guard setting.defaultValue == nil, members[setting.name] != nil else { return }
            if error(setting.name, nil) == nil {
                find(
                    "describes the key `\(setting.name)` without a default, and does not require it"
                )
            }
        }

        /// Checks the keys of a value that is an object, or a list of objects.
        private func checkValue(of setting: PluginDescription.Setting) {
            let key = setting.name
            let isList = setting.kind == .objects
            let value = isList ? members[key]?.elements.first : members[key]
            let inner = Object(
                probe: probe, path: path.isEmpty ? key : "\(path).\(key)", described: setting.keys,
                members: value?.members ?? [:]
            ) { [members, settings] inside in
                var members = members
                members[key] = isList ? .array([.object(inside)]) : .object(inside)
                return settings(members)
            }
            guard setting.keys.isEmpty else { return inner.check() }
            // An object with keys of the user's own has none to describe.
            guard let error = inner.error(SettingsProbe.unknown, .null),
                let known = SettingsProbe.known(error, at: SettingsProbe.unknown)
            else { return }
            inner.find("has the keys \(known.joined(separator: ", ")), which are not described")
        }
    }

    /// The error of the factory; nil when it accepts the settings.
    private func error(of settings: JSONValue) -> ConfigurationError? {
        let node = ConfigurationNode(path: "", value: settings, types: types)
        do throws(ConfigurationError) {
            try run.call("\(plugin.name): \(settings.json)") { () throws(ConfigurationError) in
                try plugin.make(node)
            }
            return nil
        } catch {
            return error
        }
    }

    /// The known words of an error about a key; nil of any other error.
    private static func known(_ error: ConfigurationError, at key: String) -> [String]? {
        let parts = error.problem.split(separator: "; known: ", maxSplits: 1)
        guard parts.count == 2, error.path == key || error.path.hasSuffix(".\(key)") else {
            return nil
        }
        return parts[1].split(separator: ", ").map(String.init)
    }
}
