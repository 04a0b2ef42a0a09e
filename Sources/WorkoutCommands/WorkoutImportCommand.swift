import GatewayHost
import Terminal

/// `pulsegate workout import`: imports a workout from a file of another program.
struct WorkoutImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout import",
        summary: "Import a workout from a FIT or TCX file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [WorkoutActions.person],
        details: """
            The samples are assigned to the person and delivered to every sink. A workout that
            is in the store is recognised by its person, time and activity, in each format and
            without regard to the order: a file adds what the store lacks of it, or nothing.
            Positions are not imported.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let person = try PersonArgument(arguments, try files.people())
        try files.folder.becomeOwner(reading: [arguments.operands[0]])
        let result = try await WorkoutImport(call, files, person: person.name)
            .run(arguments.operands[0])
        try StandardStream.output.writeResult("\(result)\n")
        return .success
    }
}
