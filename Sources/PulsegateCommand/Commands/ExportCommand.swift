import GatewayCore
import GatewayHost
import HealthModel
import HealthTransfer
import Platform
import Terminal

/// `pulsegate export`: writes the records of the store as an export of Apple Health.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        summary: "Export the records of a person as an export of Apple Health.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: CommandSyntax.timeRange(
            from: "records that end after T, or start at it; default: all",
            to: "records that start before T; default: all")
            + [WorkoutActions.person, CommandSyntax.simulate],
        details: """
            An existing FILE is replaced; - is standard output. `import` reads it back, with the same
            ids and times. Types that Apple Health does not have, such as RR intervals, and device
            events are left out and counted.
            """ + "\n" + CommandSyntax.timeHelp)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let clock = SystemClock()
        let times = try arguments.timeRange(now: clock.instant())
        let files = try call.files()
        let people = try files.people()
        let person = try PersonArgument(arguments, people)
        let store = try files.openStore()
        var dump = HealthDump(
            of: store, files.types,
            HealthDump.Selection(person: person.filter, from: times.from, to: times.to),
            person: people.people.first { $0.name == person.name }, now: clock.instant(),
            calendar: .system, progress: TransferProgress(environment, clock: clock))
        if path == "-" {
            try await dump.run { bytes throws(HostError) in
                try StandardStream.output.writePart(bytes)
            }
        } else {
            let file = try OutputFile(path)
            try await dump.run { bytes throws(HostError) in
                try file.write(bytes)
                return true
            }
            try file.commit()
            StandardStream.error.write(
                "pulsegate: \(dump.count) records written to \(LogFormat.escaped(path))\n")
        }
        for omission in dump.omissions { CommandNote.write(omission) }
        return .success
    }
}
