import GatewayCore
import GatewayHost
import JSON
import PluginPlans
import Reports
import Terminal

/// `pulsegate plugins`: lists the built-in plugins.
struct PluginsCommand: Command {
    static let syntax = CommandSyntax(
        name: "plugins",
        summary: "List built-in plugins; with NAME, show its settings, types and a sample.",
        optionalOperands: [CommandSyntax.Operand("NAME", .plugin())],
        options: CommandSyntax.formats,
        details: "NAME is the plugin's name in the configuration: hxm, sqlite.")

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        let all = PluginEntry.all(of: plugins)
        let entries = try arguments.operands.first.map { name throws(HostError) in
            try Self.entries(named: name, among: all)
        }
        let report = Report(
            columns: ["kind", Report.Column("name", path: "use"), "summary", "types"],
            values: (entries ?? all).map(\.value))
        let width = TerminalWidth(.output, environment: environment)
        let text = report.text(as: try arguments.format()) {
            entries?.map { $0.text(within: width) }.joined(separator: "\n")
                ?? Self.overview(all, within: width)
        }
        try StandardStream.output.writeResult(text)
        return .success
    }

    /// The plugins of a name: one, or several of different kinds.
    private static func entries(
        named name: String, among all: [PluginEntry]
    ) throws(HostError) -> [PluginEntry] {
        let entries = all.filter { $0.use == name }
        guard !entries.isEmpty else {
            throw HostError(
                .usage,
                "unknown plugin `\(name)`; "
                    + Suggestion.message(unknown: name, known: all.map(\.use)))
        }
        return entries
    }

    /// A list of plugins for each kind.
    static func overview(_ all: [PluginEntry], within width: TerminalWidth?) -> String {
        let columns = all.map(\.use.count).max() ?? 0
        return PluginEntry.Kind.allCases.compactMap { kind in
            let entries = all.filter { $0.kind == kind }
            guard !entries.isEmpty else { return nil }
            let rows = entries.map { ($0.use, $0.about?.summary ?? "") }
            return "\(kind.rawValue)s\n"
                + DefinitionList.text(rows, termColumns: columns, within: width)
        }.joined(separator: "\n")
    }
}
