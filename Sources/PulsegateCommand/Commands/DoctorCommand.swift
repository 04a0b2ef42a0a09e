import Doctor
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate doctor`: finds out why there is no data.
struct DoctorCommand: Command {
    static let syntax = CommandSyntax(
        name: "doctor",
        summary: "Find out why there is no data, with the fix of each cause.",
        options: [CommandSyntax.Option(name: "--json", help: "print one line of JSON")],
        details: """
            A line for each finding, problems first: a mark, its identifier, a sentence, and the fix as
            a command; then a line for each part that is well. It asks the running
            gateway, if there is one. Every wait has a limit, and nothing is changed: in the data
            directory of this user it writes a small file and removes it, and to a repository it sends
            a request without records. The status is 0 when nothing keeps records from being stored, 1
            when something does, and 78 when the configuration is wrong.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let system = DoctorSystem(environment: environment, clock: SystemClock())
        let doctor = Doctor(
            system, plugins: plugins, configuration: arguments.value(of: "--config"))
        let report = try await doctor.examine()
        let painter = arguments.has("--json") ? .plain : Painter(.output, environment: environment)
        try StandardStream.output.writeResult(
            arguments.has("--json") ? report.json : report.text(painter), paintedBy: painter)
        return report.status
    }
}
