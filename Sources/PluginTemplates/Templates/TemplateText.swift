/// Texts that the templates share.
struct TemplateText {
    let plugin: NewPlugin

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
    }

    /// `package` in a clone of Pulsegate, `public` outside.
    var access: String { plugin.home.access }

    /// A multi-line text with more spaces before every line that is not empty.
    static func indented(_ text: String, by count: Int) -> String {
        let spaces = String(repeating: " ", count: count)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : spaces + $0 }.joined(separator: "\n")
    }

    /// The file with the description for `pulsegate plugins`.
    ///
    /// - Parameters:
    ///   - settings: The list of its settings in Swift, empty for none.
    func description(summary: String, settings: String = "", sample: String) -> TemplateFile {
        let settingsLines = settings.isEmpty ? "" : Self.indented(settings, by: 8)
        return TemplateFile(
            "Sources/\(plugin.type)+Description.swift",
            #"""
            import GatewayCore

            extension \#(plugin.type) {
                /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
                static let about = PluginDescription(
                    summary: "\#(summary)",
            \#(settingsLines)        sample: """
            \#(Self.indented(sample, by: 12))
                        """)
            }

            """#)
    }

    /// The end of a README: how to test, and what to do before a proposal.
    func testing(_ more: String = "") -> String {
        let place =
            plugin.home == .clone
            ? """


            Before you propose the plugin, run

            ```sh
            swift test --filter 'RepositoryTests|ManualPageTests|PluginDescriptionTests'
            swift format lint --strict --recursive plugins/\(plugin.name.module)
            ```

            A test that fails names the page or list that the plugin changes, and the variable that updates it:
            `PULSEGATE_UPDATE_MANUAL=1` the manual, `PULSEGATE_UPDATE_MESSAGES=1` the list of messages. Read the
            difference before you commit it.

            """ : "\n"
        let test = "`swift test --filter \(plugin.name.module)Tests`."
        return "## Test\n\n\([test, more].filter { !$0.isEmpty }.joined(separator: " "))\(place)"
    }
}
