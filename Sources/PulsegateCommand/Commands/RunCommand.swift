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
                name: "--for", value: "SECONDS", help: "stop after SECONDS"),
        ],
        details: """
            Without `sources` in the configuration, the gateway reads all adopted devices.
            SIGHUP reloads the configuration: unchanged sources and sinks continue without a restart,
            and an invalid configuration is rejected.
            Records go to the configured sinks; the default is an SQLite store in the data directory.
            At a terminal, one line per device shows its newest values.
            With --simulate, all data stays in the folder `simulation` of the data directory; in a pipe,
            the samples are also printed as JSON lines.
            """)

    /// How long to wait at the end for the log to be written, in seconds.
    static let logSeconds = 0.5

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        let isSimulation = arguments.has("--simulate")
        stop.listen(reloading: !isSimulation)
        let seconds = try arguments.seconds(of: "--for")
        let plan = try GatewayPlan(call.files(), plugins)
        let writesLines = isSimulation || plan.writesLines
        let screen = writesLines && !isSimulation ? nil : TerminalScreen.forOutput(environment)
        // The log shares the terminal with the live lines only when standard error is a terminal.
        let queue = LogOutput.queue(screen: StandardStream.error.isTerminal ? screen : nil)
        let log = LogOutput.logger(environment: environment, queue: queue)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock, log: log,
            executor: call.executor)
        var options = GatewayHost.Options()
        options.simulation = isSimulation ? .init(writesLines: screen == nil) : nil
        options.loadConfiguration = isSimulation ? nil : loadConfiguration
        options.seconds = seconds
        options.transports = [{ ControlSocketTransport(folder: $0, clock: clock, log: log) }]
        if let screen {
            options.transports.append { _ in LiveDisplay.Transport(screen: screen, clock: clock) }
        }
        if writesLines {
            options.beforeStart = {
                stop.stopWhenReaderCloses(StandardStream.output.descriptor, log: log)
            }
        }
        try await host.run(plan, options, until: stop)
        await queue.drain(seconds: Self.logSeconds, clock: clock)
        return .success
    }

    /// Reads the configuration.
    @Sendable private func loadConfiguration() throws(HostError) -> ConfigurationFile {
        try call.files().configuration
    }
}

extension GatewayPlan {
    /// Creates the plan from a command's files: configuration and data directory, or a simulation.
    init(_ files: CommandFiles, _ plugins: Plugins) throws(HostError) {
        if files.isSimulation {
            self.init(
                simulating: files.configuration, folder: files.folder, plugins: plugins)
        } else {
            try self.init(file: files.configuration, folder: files.folder, plugins: plugins)
        }
    }
}
