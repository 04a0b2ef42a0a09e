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

extension GatewayPlan {
    /// Creates the plan from a command's files: configuration and data directory, or a simulation.
    ///
    /// - Parameter service: The `use` of a service that it has in any case, the only one of a simulation; as
    ///   configured, or with its defaults. Nil for none.
    init(
        _ files: CommandFiles, _ plugins: Plugins, adding service: String? = nil
    ) throws(HostError) {
        let (file, folder) = (files.configuration.addingService(service), files.folder)
        if files.isSimulation {
            let kept = file.keepingServices(of: service)
            self.init(simulating: kept, folder: folder, plugins: plugins)
        } else {
            try self.init(file: file, folder: folder, plugins: plugins)
        }
    }
}
