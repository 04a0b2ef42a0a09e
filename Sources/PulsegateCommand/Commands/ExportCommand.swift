import GatewayCore
import GatewayHost
import HealthModel
import HealthTransfer
import JSON
import Platform
import Terminal
import WorkoutCommands

/// `pulsegate export`: writes the records of the store as a file.
struct ExportCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "export",
        summary: "Export the records of a person for Apple Health, or as ndjson or CSV.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: CommandSyntax.timeRange(
            from: "records that end after T, or start at it; default: all",
            to: "records that start before T; default: all")
            + [
                WorkoutActions.person,
                CommandSyntax.Option(
                    name: "--format", value: "FORMAT",
                    kind: .words(ExportFormat.allCases.map(\.rawValue)),
                    help: "apple, ndjson or csv; default: by the extension of FILE, else apple"),
                CommandSyntax.simulate,
            ],
        details: """
            An existing FILE is replaced; - is standard output. `import` reads it back, with the same
            ids and times. What a format cannot represent is left out and counted: apple has no types
            of its own such as RR intervals and no device events, csv has quantities only and no
            metadata. ndjson has everything.
            """ + "\n" + CommandSyntax.timeHelp)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let interruption = Interruption()
        interruption.listen()
        return try await interruption.run { () async throws(HostError) in
            try await export(until: interruption)
        }
    }

    private func export(until interruption: Interruption) async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let clock = SystemClock()
        let times = try arguments.timeRange(now: clock.instant())
        let format = try format(for: path)
        let files = try call.files()
        if path != "-" { interruption.begin() }
        let output = path == "-" ? nil : try OutputFile(path)
        try files.folder.actAsOwner()
        let people = try files.people()
        let store = try files.openStoreToRead()
        let person = try await PersonArgument(arguments, people, in: store)
        var dump = HealthDump(
            of: store, as: format, files.types,
            HealthDump.Selection(person: person.filter, from: times.from, to: times.to),
            person: people.people.first { $0.name == person.name }, now: clock.instant(),
            calendar: .system, progress: ProgressLine(environment, clock: clock))
        if let file = output {
            try await dump.run { bytes throws(HostError) in
                try interruption.check()
                try file.write(bytes)
                return true
            }
            try interruption.check()
            try file.commit()
            StandardStream.error.write(
                "pulsegate: \(DeletionText.records(dump.count)) written to "
                    + "\(LogFormat.escaped(path))\n")
        } else {
            try await dump.run { bytes throws(HostError) in
                try StandardStream.output.writePart(bytes)
            }
        }
        for omission in dump.omissions { CommandNote.write(omission) }
        return .success
    }

    private func format(for path: String) throws(HostError) -> ExportFormat {
        guard let word = arguments.value(of: "--format") else {
            return ExportFormat(path: path) ?? .apple
        }
        guard let format = ExportFormat(rawValue: word) else {
            let known = ExportFormat.allCases.map(\.rawValue)
            throw HostError(
                .usage, "--format: \(Suggestion.message(unknown: word, known: known))")
        }
        return format
    }
}
