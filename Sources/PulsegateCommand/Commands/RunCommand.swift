import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate run`: runs the gateway in the foreground.
struct RunCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "run",
        summary: "Run the gateway in the foreground until SIGINT or SIGTERM.",
        options: [
            CommandSyntax.Option(
                name: "--simulate",
                help: "read a simulated strap and pedometer instead of the configured sources"),
            CommandSyntax.Option(
                name: "--sinks",
                help: "with --simulate: write to the configured sinks, as devices `simulated-…`"),
            CommandSyntax.Option(
                name: GatewayRun.webOption,
                help: "serve the web page at http://127.0.0.1:8765/, or as the service `web` says"),
            CommandSyntax.Option(
                name: GatewayRun.logFormatOption, value: "FORMAT",
                kind: .words(LogOutput.Format.allCases.map(\.rawValue)),
                help: "format of the log: text (default), or json: an object on each line"),
            CommandSyntax.Option(
                name: "--for", value: "SECONDS", help: "stop after SECONDS"),
        ],
        details: """
            Without `sources` in the configuration, the gateway reads all adopted devices.
            SIGHUP reloads the configuration: unchanged sources and sinks continue without a restart,
            and an invalid configuration is rejected.
            Records go to the configured sinks; the default is an SQLite store in the data directory.
            At a terminal, one line per device shows its newest values.
            With --simulate, all data stays in the folder `simulation` of the data directory; in a pipe,
            the samples are also printed as JSON lines. With --sinks too, the configured sinks get the
            simulated samples in place of these two; a relative path of theirs is in that folder.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        try await GatewayRun(call: call).run()
    }
}
