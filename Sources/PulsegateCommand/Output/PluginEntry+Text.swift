import GatewayCore
import HealthModel
import PluginPlans
import Terminal

extension PluginEntry {
    /// The text of `pulsegate plugins NAME`; the sample configuration is whole in any terminal.
    func text(within width: TerminalWidth?) -> String {
        var text = "\(use): \(kind.rawValue)\n"
        if let summary = about?.summary {
            let lines = width.map { TextWidth.wrapped(summary, columns: $0.columns) } ?? [summary]
            text += lines.map { "\($0)\n" }.joined()
        }
        let rows = settings.flatMap { Self.rows(of: $0) }
        text += "\nsettings\n"
        text += rows.isEmpty ? "  none\n" : DefinitionList.text(rows, within: width)
        if !types.isEmpty {
            let rows = types.map { ($0.name, $0.definition) }
            text += "\ntypes that it declares\n" + DefinitionList.text(rows, within: width)
        }
        if let sample = about?.sample { text += "\nsample configuration\n\n\(sample)" }
        return text
    }

    /// A row for a setting, and one for each key of its value.
    private static func rows(
        of setting: PluginDescription.Setting, in path: String = ""
    ) -> [(String, String)] {
        let ending = setting.defaultValue.map { "; default: \($0)" } ?? "; required"
        return [(path + setting.name, meaning(of: setting) + ending)]
            + setting.keys.flatMap { rows(of: $0, in: "\(path)\(setting.name).") }
    }

    /// The meaning of a setting and its possible values.
    private static func meaning(of setting: PluginDescription.Setting) -> String {
        switch setting.kind {
        case .words(let words): "\(setting.meaning): \(words.joined(separator: ", "))"
        case .string, .object, .objects, .secret, .secrets: setting.meaning
        default: "\(setting.meaning) (\(setting.kind))"
        }
    }
}
