import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import Metrics
import Platform
import Reports
import StatusScreens
import Terminal

/// `pulsegate status`: shows the status of the running gateway.
struct StatusCommand: Command {
    static let syntax = CommandSyntax(
        name: "status",
        summary: "Show the gateway's devices, sinks, ledger and problems.",
        options: [
            CommandSyntax.Option(name: "--simulate", help: "connect to `pulsegate run --simulate`"),
            CommandSyntax.Option(
                name: "--prometheus", help: "print metrics in Prometheus' text format"),
        ] + CommandSyntax.formats,
        details: "JSON is one line. CSV has a row for each value, with its path of keys.")

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let clock = SystemClock()
        let format = try arguments.format()
        let hasMetrics = arguments.has("--prometheus")
        guard !hasMetrics || !arguments.has("--format") && !arguments.has("--json") else {
            throw HostError(.usage, "--prometheus is a format of its own; remove the other one")
        }
        let isSimulation = arguments.has("--simulate")
        let folder = try folder(isSimulation: isSimulation)
        var client = try await ControlClient.connecting(
            folder, isSimulation: isSimulation, clock: clock)
        let line = try client.ask(.status)
        let report = Report(object: String(decoding: line, as: UTF8.self))
        let painter =
            format == .table && !hasMetrics ? Painter(.output, environment: environment) : .plain
        let text = try report.text(as: format) { () throws(HostError) in
            guard let report = try? StatusReport(line: line) else { throw client.unknownAnswer }
            guard !hasMetrics else {
                return MetricsFormat.prometheus.text(of: StatusMetrics.families(of: report))
            }
            let width = TerminalWidth(.output, environment: environment)
            return StatusText(report, painter: painter, width: width).text
        }
        try StandardStream.output.writeResult(text, paintedBy: painter)
        return .success
    }

    /// The data directory of the running gateway; with an invalid configuration, the default one if a
    /// gateway runs there.
    private func folder(isSimulation: Bool) throws(HostError) -> DataDirectory {
        do throws(HostError) {
            return try call.files().folder
        } catch {
            let usual = try DataDirectory.locate(
                ConfigurationFile(path: nil, configuration: GatewayConfiguration()),
                environment: environment, isSimulation: isSimulation)
            guard DataDirectoryLock.owner(of: usual) != nil else { throw error }
            let text = LogFormat.escaped(error.text)
            StandardStream.error.write(
                "pulsegate: note: \(text); the running gateway uses its previous configuration\n")
            return usual
        }
    }
}
