import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import HealthModel
import Platform
import Terminal

/// `pulsegate tap`: what the running gateway measures, as it comes.
struct TapCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "tap",
        summary: "Print records of the running gateway as they arrive, until SIGINT.",
        options: [
            CommandSyntax.Option(
                name: "--type", value: "TYPE", kind: .recordType(),
                help: "only samples of this type"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only of this person"),
            CommandSyntax.Option(
                name: "--json", help: "the samples and events as lines of JSON, for programs"),
            CommandSyntax.Option(name: "--simulate", help: "of `pulsegate run --simulate`"),
        ],
        details: """
            TYPE is HealthKit's short name: heartRate, stepCount, distanceWalkingRunning, rrInterval, workout;
            or one that the configuration declares.
            """)

    let call: Subcommand.Call
    let output = StandardStream.output

    func run() throws(HostError) -> ExitStatus {
        let isSimulation = arguments.has("--simulate")
        let files = try call.files()
        let (folder, types) = (files.folder, files.configuration.configuration.types)
        let filter = TapFilter(
            type: try arguments.value(of: "--type").map { name throws(HostError) in
                try TypeArgument.recordType(name, among: types, option: "--type")
            },
            person: arguments.value(of: "--person"))
        // It has been watched enough then.
        StopSignal.listenToEndProcess()
        var client = try ControlClient(folder, isSimulation: isSimulation, clock: SystemClock())
        let answer = try client.ask(.tap(filter))
        guard answer.starts(with: #"{"tap":"#.utf8) else { throw client.unknownAnswer }
        if SystemClock().instant() < Version.earliestTime {
            StandardStream.error.write(
                """
                pulsegate: the clock is not set; what is measured may wait for it, for ten minutes \
                at most; \(ClockLog.remedy)

                """)
        }
        let printer = TapPrinter(isJSON: arguments.has("--json"), types: types)
        return try follow(&client, folder, printer)
    }

    private func follow(
        _ client: inout ControlClient, _ folder: DataDirectory, _ printer: TapPrinter
    ) throws(HostError) -> ExitStatus {
        var printer = printer
        while true {
            switch try client.nextLines(whileReading: output.pipeDescriptor ?? -1) {
            case .lines(let lines):
                guard try output.writePart(printer.text(of: lines)) else { return .success }
            case .readerLeft:
                return .success
            case .end, .nothing:
                return try end(folder)
            }
        }
    }

    /// A gateway that goes on has cut this tap off.
    private func end(_ folder: DataDirectory) throws(HostError) -> ExitStatus {
        if ControlClient.canReach(folder) {
            throw HostError(
                .failure,
                "the gateway has cut this tap off, because its output was not read fast enough")
        }
        StandardStream.error.write("pulsegate: the gateway has stopped\n")
        return .success
    }
}
