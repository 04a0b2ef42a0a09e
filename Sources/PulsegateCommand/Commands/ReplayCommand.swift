import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate replay`: runs a capture through the whole pipeline.
struct ReplayCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "replay",
        summary: "Run a capture through the pipeline and print its records as JSON lines.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [
            CommandSyntax.Option(
                name: "--speed", value: "N|max",
                help: "N times faster than it was recorded, or as fast as possible; default: 1"),
            CommandSyntax.Option(
                name: "--into", value: "DIRECTORY", kind: .file,
                help: "save the records in a store in a new directory instead"),
        ],
        details: """
            The same capture always makes the same records with the same ids. Only `types` of the
            configuration applies; the records belong to the person `me`.
            """)

    private static let speeds = 0.001...1_000_000.0

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let options = GatewayHost.ReplayOptions(
            path: arguments.operands[0], speed: try speed(),
            folder: try arguments.value(of: "--into").map(DataDirectory.init(relativePath:)),
            types: try call.files().types)
        let queue = LogOutput.queue(screen: nil)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock,
            log: LogOutput.logger(environment: environment, queue: queue), executor: executor)
        if options.folder == nil {
            stop.stopWhenReaderCloses(StandardStream.output.descriptor, log: host.log)
        }
        do throws(HostError) {
            try await host.replay(options, until: stop)
        } catch {
            await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
            throw error
        }
        await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
        return .success
    }

    /// The speed; nil for the maximum.
    private func speed() throws(HostError) -> Double? {
        guard let text = arguments.value(of: "--speed") else { return 1 }
        if text == "max" { return nil }
        guard let speed = Double(text), Self.speeds.contains(speed) else {
            throw HostError(
                .usage,
                "--speed: `\(LogFormat.escaped(text))` must be `max`, or a number from 0.001 to "
                    + "1000000")
        }
        return speed
    }
}
