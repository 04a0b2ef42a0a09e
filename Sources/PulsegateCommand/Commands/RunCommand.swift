import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate run`: be the gateway until told to stop.
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
            Without `sources` in the configuration whatever is adopted is read.
            SIGHUP has it read the configuration again: what has not changed is not touched, and a
            configuration with a mistake in it changes nothing.
            What is measured goes to the sinks of the configuration; without any to a store in the
            data directory. At a terminal a line for each device shows its newest values.
            With --simulate everything stays in the data directory's `simulation` folder; into a pipe
            the samples are written as lines of JSON too.
            """)

    /// How long the end waits for a log that nobody reads, in seconds.
    static let logSeconds = 0.5

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        let isSimulation = arguments.has("--simulate")
        stop.listen(reloading: !isSimulation)
        let seconds = try arguments.seconds(of: "--for")
        let plan = try loadPlan()
        let writesLines = isSimulation || plan.writesLines
        let screen = writesLines && !isSimulation ? nil : TerminalScreen.forOutput(environment)
        // Only where both are the same terminal does the log have to make way for the live lines.
        let queue = LogOutput.queue(screen: StandardStream.error.isTerminal ? screen : nil)
        let log = LogOutput.logger(environment: environment, queue: queue)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock, log: log,
            executor: call.executor)
        var options = GatewayHost.Options()
        options.simulation = isSimulation ? .init(writesLines: screen == nil) : nil
        options.load = isSimulation ? nil : loadPlan
        options.seconds = seconds
        options.transports = [{ ControlSocketTransport(folder: $0, clock: clock, log: log) }]
        if let screen {
            options.transports.append { _ in LiveDisplay.Transport(screen: screen, clock: clock) }
        }
        if writesLines {
            options.beforeStart = {
                stop.stopWhenReaderLeaves(StandardStream.output.descriptor, log: log)
            }
        }
        try await host.run(plan, options, until: stop)
        await queue.drain(seconds: Self.logSeconds, clock: clock)
        return .success
    }

    /// Reads the configuration, and what is adopted.
    @Sendable private func loadPlan() throws(HostError) -> GatewayPlan {
        try GatewayPlan(call.files(), plugins)
    }
}

extension GatewayPlan {
    /// The plan of a command's files: what the configuration and the data directory say, or a simulation.
    init(_ files: CommandFiles, _ plugins: Plugins) throws(HostError) {
        if files.isSimulation {
            self.init(
                simulating: files.configuration, folder: files.folder, plugins: plugins)
        } else {
            try self.init(file: files.configuration, folder: files.folder, plugins: plugins)
        }
    }
}
