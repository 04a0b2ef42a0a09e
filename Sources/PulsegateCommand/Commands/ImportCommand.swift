import GatewayCore
import GatewayHost
import HealthStore
import HealthTransfer
import Terminal

/// `pulsegate import`: imports the records of an export of Apple Health into the store.
struct ImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "import",
        summary: "Import an export of Apple Health into the store.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [WorkoutActions.person],
        details: """
            FILE is the export.xml of the archive that the Health app exports. Quantities, categories,
            blood pressures and workouts of known types are assigned to the person and stored; all
            others are counted. A record has the same id in every export, so importing again, or a
            later export, adds only what is new. The records go into the store, not to other sinks;
            a gateway may run meanwhile. A workout file is imported with `workout import`.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let files = try call.files()
        let person = try PersonArgument(arguments, try files.people())
        var load = try HealthLoad(
            path, person: person.name, now: SystemClock().instant(),
            progress: TransferProgress(environment, clock: SystemClock()),
            openStore: files.createStore)
        let failure = await load.run()
        if failure == nil || load.outcome != SaveOutcome() {
            try StandardStream.output.writeResult("\(load.summary)\n")
        }
        for omission in load.omissions { CommandNote.write(omission) }
        if let failure { throw failure }
        return .success
    }
}
