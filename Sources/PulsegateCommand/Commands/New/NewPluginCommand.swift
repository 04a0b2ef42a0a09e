import GatewayHost
import Platform
import PluginPlans
import PluginTemplates
import Terminal

/// `pulsegate new`: writes a plugin that builds and passes its tests.
enum NewPluginCommand {
    private static let transport = CommandSyntax.Option(
        name: "--transport", value: "TRANSPORT", kind: .words(transports.map(\.name)),
        help: "bluetooth, serial, or exec for a program in Python; required")

    private static let transports: [(name: String, kind: PluginKind)] = [
        ("bluetooth", .bluetoothAdapter), ("serial", .serialAdapter), ("exec", .program),
    ]

    private static let options = [
        CommandSyntax.Option(
            name: "--directory", value: "DIR", kind: .file,
            help: "the clone or the package to change, or a folder in it; default: here"),
        CommandSyntax.Option(
            name: "--package", value: "CLONE", kind: .file,
            help: "write a new package into DIR, which uses the clone of Pulsegate at CLONE"),
        CommandSyntax.Option(name: "--dry-run", help: "print what would be written; write nothing"),
    ]

    private static let details = """
        NAME is a Swift type name, such as StepClip. In a clone of Pulsegate, the command writes the folder
        plugins/NAME and adds the plugin to the lists of the package. With --package it writes a package of
        its own, with a gateway that has the plugin and all that is built in; DIR must be empty or new, and
        the command of the package gets its name. In such a package, another call adds another plugin.
        The plugin is a small example that works, with tests: change it into your own. An existing file is
        never replaced; when a step fails, nothing is changed.
        """

    /// The actions `adapter`, `sink`, `source` and `service`.
    static let actions: [Subcommand] = [
        Subcommand(
            syntax: CommandSyntax(
                name: "new adapter", summary: "Write an adapter for a device.", operands: ["NAME"],
                options: [transport] + options,
                details: details
                    + "\nWith --transport exec, the adapter is a program in Python, which needs no build."
            )
        ) { call throws(HostError) in try run(call, try kind(of: call.arguments)) },
        action(.sink, "Write a sink, another destination for records."),
        action(.source, "Write a source, another transport."),
        action(.service, "Write a service, a part that shows or offers live values."),
    ]

    private static func action(_ kind: PluginKind, _ summary: String) -> Subcommand {
        Subcommand(
            syntax: CommandSyntax(
                name: "new \(kind.rowTitle)", summary: summary, operands: ["NAME"],
                options: options, details: details)
        ) { call throws(HostError) in try run(call, kind) }
    }

    private static func kind(of arguments: ParsedArguments) throws(HostError) -> PluginKind {
        let names = transports.map(\.name).joined(separator: ", ")
        guard let word = arguments.value(of: "--transport") else {
            throw HostError(.usage, "--transport is required; known: \(names)")
        }
        guard let found = transports.first(where: { $0.name == word }) else {
            throw HostError(.usage, "--transport: unknown transport `\(word)`; known: \(names)")
        }
        return found.kind
    }

    private static func run(
        _ call: Subcommand.Call, _ kind: PluginKind
    ) throws(HostError) -> ExitStatus {
        let arguments = call.arguments
        let plan = try NewPluginPlan(
            name: arguments.operands[0], kind: kind,
            directory: arguments.value(of: "--directory"), clone: arguments.value(of: "--package"),
            uses: PluginEntry.all(of: call.plugins).map(\.use))
        let isDry = arguments.has("--dry-run")
        if !isDry { try plan.changes.apply() }
        try StandardStream.output.writeResult(LogFormat.escapedLines(plan.report(isDry: isDry)))
        if isDry { CommandNote.write("nothing was written because of --dry-run") }
        return .success
    }
}

extension LogFormat {
    /// A text with the control characters of its lines escaped.
    fileprivate static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escaped(String($0)) }.joined(separator: "\n")
    }
}
