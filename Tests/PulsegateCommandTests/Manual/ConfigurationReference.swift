import GatewayCore
import PluginPlans

@testable import GatewayHost
@testable import PulsegateCommand

/// The manual page of all configuration keys, generated from the tables that parse them.
struct ConfigurationReference {
    let plugins: Plugins

    /// The page, as Markdown.
    var markdown: String {
        """
        # Configuration

        This page lists every key of the configuration file. It is generated from the tables that
        parse the file. The [configuration guide](configuration-guide.md) has examples.

        The file is JSON5. An unknown key or a value of the wrong kind is an error that names the key
        path. *Required* marks keys without a default.

        | kind | written as |
        |---|---|
        | size | `"512 KiB"`, `"64 MiB"`, `"1 GiB"` |
        | duration | `"90s"`, `"15m"`, `"24h"`, `"7d"`, `"2w"` |
        | secret | `{ secret: "NAME" }`, `{ file: "…" }`, `{ env: "NAME" }` or `{ credential: "NAME" }` |


        """ + sections.map(Self.section).joined(separator: "\n")
    }

    private struct Section {
        let title: String
        var text = ""
        let settings: [PluginDescription.Setting]
        /// The key path of the object, and the plugin that reads it.
        var path = ""
        var owner: String?

        /// The section, and those of the objects within its values.
        var all: [Section] {
            [self] + settings.filter { !$0.keys.isEmpty }.flatMap { inner($0).all }
        }

        private func inner(_ setting: PluginDescription.Setting) -> Section {
            let inner = path.isEmpty ? setting.name : "\(path).\(setting.name)"
            return Section(
                title: "`\(inner)`" + (owner.map { " of `\($0)`" } ?? ""),
                text: setting.kind == .objects ? "Each entry of the list has these keys." : "",
                settings: setting.keys, path: inner, owner: owner)
        }
    }

    private var sections: [Section] {
        let sections =
            [Section(title: "The file", settings: GatewayConfiguration.settings)]
            + pluginSections(.source, "sources.NAME") + pluginSections(.profile, "a GATT profile")
            + pluginSections(.serialProtocol, "a serial protocol")
            + [
                Section(
                    title: "`sinks.NAME`: every sink",
                    text: "These keys apply to every sink, in addition to the keys of its type.",
                    settings: SinkOptions.settings, path: "sinks.NAME")
            ] + pluginSections(.sink, "sinks.NAME") + pluginSections(.service, "services.NAME")
            + [
                Self.section("people.NAME", PersonReader.settings),
                Self.section("devices.ADDRESS", People.deviceSettings),
                Self.section("types.NAME", TypesReader.settings),
                Self.section("activities.NAME", Activities.settings),
            ]
        return sections.flatMap(\.all)
    }

    private static func section(
        _ path: String, _ settings: [PluginDescription.Setting]
    ) -> Section {
        Section(title: "`\(path)`", settings: settings, path: path)
    }

    private func pluginSections(_ kind: PluginEntry.Kind, _ place: String) -> [Section] {
        PluginEntry.all(of: plugins).filter { $0.kind == kind }.compactMap { entry in
            guard let about = entry.about else { return nil }
            let isNamed = place.hasSuffix("NAME")
            return Section(
                title: isNamed
                    ? "`\(place)` with `use: \"\(entry.use)\"`" : "`\(entry.use)`, \(place)",
                text: about.summary, settings: about.settings, path: isNamed ? place : "",
                owner: entry.use)
        }
    }

    private static func section(_ section: Section) -> String {
        var text = "## \(section.title)\n\n"
        if !section.text.isEmpty { text += "\(section.text)\n\n" }
        guard !section.settings.isEmpty else { return text + "No keys.\n" }
        text += "| key | kind | meaning | default |\n|---|---|---|---|\n"
        for setting in section.settings {
            let cells = [
                "`\(setting.name)`", setting.kind.description, setting.meaning,
                setting.defaultValue ?? "*required*",
            ]
            text += "| \(cells.map(escaped).joined(separator: " | ")) |\n"
        }
        return text
    }

    /// Escapes the column separator in a table cell.
    private static func escaped(_ cell: String) -> String {
        cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
