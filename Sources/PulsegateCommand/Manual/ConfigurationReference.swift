import GatewayCore
import GatewayHost
import HealthStore

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
        | secret | `{ file: "…" }`, `{ env: "NAME" }` or `{ credential: "NAME" }` |


        """ + sections.map(Self.section).joined(separator: "\n")
    }

    private struct Section {
        let title: String
        var text = ""
        let settings: [PluginDescription.Setting]
    }

    private var sections: [Section] {
        [
            Section(title: "The file", settings: GatewayConfiguration.settings),
            Section(title: "`journal`", settings: GatewayConfiguration.journalSettings),
        ] + pluginSections(.source, "sources.NAME") + pluginSections(.profile, "a GATT profile")
            + pluginSections(.serialProtocol, "a serial protocol")
            + [
                Section(
                    title: "`sinks.NAME`: every sink",
                    text: "These keys apply to every sink, in addition to the keys of its type.",
                    settings: SinkOptions.settings),
                Section(title: "`sinks.NAME.buffer`", settings: BufferLimit.settings),
                Section(title: "`sinks.NAME.batch`", settings: SinkOptions.batchSettings),
            ] + pluginSections(.sink, "sinks.NAME")
            + [
                Section(title: "`sinks.NAME.retention` of `sqlite`", settings: Retention.settings),
                Section(title: "`people.NAME`", settings: PersonReader.settings),
                Section(title: "`people.NAME.zones`", settings: PersonReader.zoneSettings),
                Section(title: "`devices.ADDRESS`", settings: People.deviceSettings),
                Section(title: "`types.NAME`", settings: TypesReader.settings),
                Section(title: "`activities.NAME`", settings: Activities.settings),
            ]
    }

    private func pluginSections(_ kind: PluginEntry.Kind, _ place: String) -> [Section] {
        PluginEntry.all(of: plugins).filter { $0.kind == kind }.compactMap { entry in
            guard let about = entry.about else { return nil }
            let isNamed = place.hasSuffix("NAME")
            return Section(
                title: isNamed
                    ? "`\(place)` with `use: \"\(entry.use)\"`" : "`\(entry.use)`, \(place)",
                text: about.summary, settings: about.settings)
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
