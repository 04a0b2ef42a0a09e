import GatewayCore
import GatewayHost
import JSON
import Platform
import StatusScreens
import Terminal
import WorkoutCommands

/// A run of the gateway in the foreground, for `run` and `capture`.
struct GatewayRun {
    /// The option that adds the web server.
    static let webOption = "--web"
    /// The option of the format of the log.
    static let logFormatOption = "--log-format"
    /// The `use` of the web server.
    static let webUse = "web"

    let call: Subcommand.Call
    /// Records the raw traffic; nil for no capture.
    var capture: GatewayHost.CaptureOptions?

    /// Runs until a stop is requested.
    func run() async throws(HostError) -> ExitStatus {
        let (arguments, plugins, environment) = (call.arguments, call.plugins, call.environment)
        let stop = StopSignal()
        let isSimulation = arguments.has("--simulate")
        let usesConfiguredSinks = !isSimulation || arguments.has("--sinks")
        guard isSimulation || !arguments.has("--sinks") else {
            throw HostError(.usage, "--sinks requires --simulate")
        }
        let format = try logFormat
        stop.listen(reloading: !isSimulation)
        let seconds = try arguments.seconds(of: "--for")
        let files = try call.files()
        if !isSimulation { await InterruptedImports(call: call, files: files).completeIfFree() }
        let plan = try GatewayPlan(files, plugins, adding: service)
        let isOutputTaken = usesConfiguredSinks && plan.usesStandardOutput
        let screen = isOutputTaken ? nil : TerminalScreen.forOutput(environment)
        // The log shares the terminal with the live lines only when standard error is a terminal.
        let queue = LogOutput.queue(
            screen: StandardStream.error.isTerminal ? screen : nil, format: format)
        let log = LogOutput.logger(environment: environment, queue: queue, format: format)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock, log: log,
            executor: call.executor)
        var options = GatewayHost.Options()
        options.simulation = simulation(hasScreen: screen != nil)
        options.loadConfiguration = isSimulation ? nil : loadConfiguration
        options.seconds = seconds
        options.capture = capture
        GatewayInterface(call, clock: clock, log: log, isSimulation: isSimulation)
            .add(to: &options)
        if let screen {
            options.transports.append { _ in LiveDisplay.Transport(screen: screen, clock: clock) }
        }
        if isOutputTaken || options.simulation == .storeAndLines {
            options.beforeStart = {
                stop.stopWhenReaderCloses(StandardStream.output.descriptor, log: log)
            }
        }
        try await host.run(plan, options, until: stop)
        await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
        return .success
    }

    /// The format of the log.
    private var logFormat: LogOutput.Format {
        get throws(HostError) {
            guard let word = call.arguments.value(of: Self.logFormatOption) else { return .text }
            guard let format = LogOutput.Format(rawValue: word) else {
                throw HostError(
                    .usage,
                    "\(Self.logFormatOption): "
                        + Suggestion.unknown(
                            "format", word, known: LogOutput.Format.allCases.map(\.rawValue)))
            }
            return format
        }
    }

    /// The destination of simulated samples; nil for a normal run.
    private func simulation(hasScreen: Bool) -> GatewayHost.Simulation? {
        guard call.arguments.has("--simulate") else { return nil }
        guard !call.arguments.has("--sinks") else { return .configuredSinks }
        return hasScreen ? .store : .storeAndLines
    }

    /// Reads the configuration.
    @Sendable private func loadConfiguration() throws(HostError) -> ConfigurationFile {
        try call.files().configuration.addingService(service)
    }

    /// The `use` of the web server, when it was asked for.
    private var service: String? { call.arguments.has(Self.webOption) ? Self.webUse : nil }
}
