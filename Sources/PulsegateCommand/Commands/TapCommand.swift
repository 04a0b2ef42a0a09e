import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import HealthModel
import Platform
import StatusScreens
import Terminal

/// `pulsegate tap`: prints the records of the running gateway as they arrive.
struct TapCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "tap",
        summary: "Print records of the running gateway as they arrive, until SIGINT.",
        options: [
            CommandSyntax.Option(
                name: "--type", value: "TYPE", kind: .recordType(),
                help: "only records of this type"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only records of this person"),
            CommandSyntax.Option(name: "--simulate", help: "connect to `pulsegate run --simulate`"),
        ] + CommandSyntax.formats,
        details: """
            TYPE is a HealthKit type without its prefix (heartRate, stepCount, distanceWalkingRunning,
            rrInterval, workout) or a type declared in the configuration. csv requires --type. Because the
            records have no end, json is the same as ndjson: one object per line.
            """)

    let call: Subcommand.Call
    let output = StandardStream.output

    func run() async throws(HostError) -> ExitStatus {
        let isSimulation = arguments.has("--simulate")
        let files = try call.files()
        let (folder, types) = (files.folder, files.configuration.configuration.types)
        let format = try arguments.format()
        let type = try arguments.value(of: "--type").map { name throws(HostError) in
            try TypeArgument.recordType(name, among: types, option: "--type")
        }
        guard format != .csv || type != nil else {
            throw HostError(
                .usage, "--format csv requires --type, because each type has its own columns")
        }
        let filter = TapFilter(type: type, person: arguments.value(of: "--person"))
        StopSignal.exitAtSignal()
        var client = try await ControlClient.connecting(
            folder, isSimulation: isSimulation, clock: SystemClock())
        let answer = try client.ask(.tap(filter))
        guard answer.starts(with: #"{"tap":"#.utf8) else { throw client.unknownAnswer }
        if SystemClock().instant() < Version.earliestTime {
            StandardStream.error.write(
                """
                pulsegate: the clock is not set; records are delayed by up to 10 minutes; \
                \(ClockLog.remedy)

                """)
        }
        let printer = TapPrinter(format, of: type, types: types)
        return try follow(&client, folder, printer)
    }

    private func follow(
        _ client: inout ControlClient, _ folder: DataDirectory, _ printer: TapPrinter
    ) throws(HostError) -> ExitStatus {
        var printer = printer
        guard try output.writePart(printer.header) else { return .success }
        while true {
            switch try client.nextLines(whileReading: output.pipeDescriptor ?? -1) {
            case .lines(let lines):
                guard try output.writePart(printer.text(of: lines)) else { return .success }
            case .outputClosed:
                return .success
            case .end, .nothing:
                return try end(folder)
            }
        }
    }

    /// Reports the end of the connection: an error if the gateway is still running.
    private func end(_ folder: DataDirectory) throws(HostError) -> ExitStatus {
        if ControlClient.canReach(folder) {
            throw HostError(
                .failure,
                "the gateway closed this tap: its output was not read fast enough; "
                    + "run `pulsegate tap` again")
        }
        StandardStream.error.write("pulsegate: the gateway has stopped\n")
        return .success
    }
}
