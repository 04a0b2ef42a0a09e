import GatewayCore
import GatewayHost
import HealthTransfer
import Platform
import SQLiteStore
import WorkoutCommands

/// `pulsegate delete import`: deletes the records of imported files.
struct DeleteImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete import",
        summary: "Undo an import: delete the records of a file from the store.",
        operands: [CommandSyntax.Operand("FILE|FOLDER", .file)],
        hasRepeatedOperand: true,
        options: [
            WorkoutActions.person,
            CommandSyntax.Option(
                name: "--all", help: "all records of the file, also those of before the import"),
        ] + DeleteActions.options,
        details: """
            The file is read again, and those of its records are deleted that its imports have stored,
            also imports of earlier contents. Records that were in the store before stay. Give the same
            path and the same --person as to `pulsegate import`. A workout that was imported from other
            files too stays as these have it.
            \(DeleteActions.details)
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let deletion = try DeletionCall(call, files)
        let person = try await PersonArgument(
            arguments, try files.people(), in: try files.openStoreIfCreated())
        // A workout that an interrupted import completes is one of several files.
        await deletion.completeImports()
        var target = ImportedFiles(
            call: call, list: try ImportList(arguments.operands), files: files, person: person.name,
            isOfAllRecords: arguments.has("--all"))
        for note in target.list.notes { CommandNote.write(note) }
        target.list.removeUnreadable(target.open)
        let (failures, count) = (target.list.failures, target.list.count)
        if count == 1, let failure = failures.first { throw failure }
        for failure in failures { failure.write() }
        if failures.isEmpty || failures.count < count {
            let undo = try target.makeUndo()
            let planned = target.isOfAllRecords ? nil : undo
            target.undo = planned
            let kept = try await planned?.plan().kept ?? []
            try await deletion.run(
                target, what: "records of \(arguments.operands.joined(separator: ", "))",
                hasEffect: !kept.isEmpty
            ) { () async throws(HostError) in
                try await planned?.moveSamples()
            } finish: { () async throws(HostError) in
                try await undo.finish()
            }
        }
        guard !failures.isEmpty else { return .success }
        throw HostError(.failure, "\(failures.count) of \(count) files were not read")
    }
}
