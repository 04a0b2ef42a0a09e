import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import StatusScreens
import Terminal

/// `pulsegate top`: shows the status of the running gateway live, with rates.
struct TopCommand: Command {
    static let syntax = CommandSyntax(
        name: "top",
        summary: "Show devices, rates and sinks of the gateway live, at a terminal.",
        options: [
            CommandSyntax.Option(
                name: "--every", value: "SECONDS", help: "time between updates; default: 1"),
            CommandSyntax.Option(name: "--simulate", help: "connect to `pulsegate run --simulate`"),
        ],
        details: """
            Keys: q ends, s sorts the devices by device, rate or last seen, j and k scroll. Rates are
            those since the last update. When the gateway ends, `top` waits for the next one.
            """)

    /// The fastest update, in seconds.
    private static let shortestInterval = 0.1
    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let seconds = try arguments.seconds(of: "--every") ?? 1
        guard seconds >= Self.shortestInterval else {
            throw HostError(.usage, "--every: must be \(Self.shortestInterval) or more")
        }
        let source = StatusSource(
            folder: try call.files().folder, isSimulation: arguments.has("--simulate"))
        var client = try await ControlClient.connecting(
            source.folder, isSimulation: source.isSimulation, clock: source.clock)
        let first = try source.report(by: &client)
        guard let view = TopView(environment, first: first) else {
            throw HostError(
                .usage, "`top` requires a terminal; elsewhere use `pulsegate status --json`")
        }
        StopSignal.exitAtSignal { view.leave() }
        await view.run(every: seconds, from: source)
        return .success
    }
}

/// The status of the gateway of a data directory.
struct StatusSource: Sendable {
    let folder: DataDirectory
    let isSimulation: Bool
    let clock = SystemClock()

    /// Connects to the gateway.
    func connect() throws(HostError) -> ControlClient {
        try ControlClient(folder, isSimulation: isSimulation, clock: clock)
    }

    /// Asks for the status.
    func report(by client: inout ControlClient) throws(HostError) -> StatusReport {
        let line = try client.ask(.status)
        guard let report = try? StatusReport(line: line) else { throw client.unknownAnswer }
        return report
    }
}
