import GatewayCore
import GatewayHost
import HealthTransfer
import Platform
import SQLiteStore
import Terminal

/// `pulsegate delete person`: deletes a person with all records.
struct DeletePersonCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete person",
        summary: "Delete a person: the stored facts, and all records in the store.",
        operands: [CommandSyntax.Operand("NAME", .person)],
        options: DeleteActions.options,
        details: """
            The records are samples, workouts and device events, and a workout that was interrupted. A
            person whom the configuration names, or who wears an adopted device, is removed there first.
            `pulsegate people remove` removes a person and keeps the records.
            \(DeleteActions.details)
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let deletion = try DeletionCall(call, files)
        await deletion.completeImports()
        let store = try files.openStoreIfCreated()
        let name = try await name(files, store)
        let hasFacts = try PersonEditor(file: files.configuration, folder: files.folder)
            .canRemove(name)
        try await checkWorkout(of: name, files, store)
        let target = SelectedRecords([.person(name)])
        var preview = try await deletion.preview(of: target, in: store)
        guard preview.count > 0 || hasFacts else {
            StandardStream.error.write(
                "pulsegate: no records of \(LogFormat.escaped(name)) found\n")
            return .success
        }
        guard
            try await deletion.isConfirmed(
                preview, asking: question(name, preview.count, hasFacts), person: name)
        else { return .success }
        // No import names the person meanwhile, nor does a running gateway after this.
        let imports = try await PendingImports(in: files.folder, clock: SystemClock())
        defer { withExtendedLifetime(imports) {} }
        if hasFacts { try await removeFacts(of: name, files) }
        try await storeAccepted(of: name, files)
        preview = try await deletion.preview(of: target, in: try files.openStoreIfCreated())
        let count = try await deletion.delete(target, preview)
        try deletion.report(preview, count: count, person: name)
        return .success
    }

    /// Waits until the store has the records of the person that were accepted: they are deleted, too.
    private func storeAccepted(of name: String, _ files: CommandFiles) async throws(HostError) {
        guard try await !EntryDelivery(call, files, clock: SystemClock()).waitForStore() else {
            return
        }
        throw HostError(
            .failure,
            "records of \(LogFormat.escaped(name)) may be accepted that the store does not have yet; "
                + "fix the problem of the store, see `pulsegate status`, and run the command again")
    }

    private func question(_ name: String, _ count: Int, _ hasFacts: Bool) -> String {
        let name = LogFormat.escaped(name)
        guard hasFacts else { return "Delete \(DeletionText.records(count)) of \(name)?" }
        return count == 0
            ? "Delete \(name), who has no records?"
            : "Delete \(name) with \(DeletionText.records(count))?"
    }

    /// The name, of a person with facts or with records, in the known spelling.
    private func name(
        _ files: CommandFiles, _ store: SQLiteStore?
    ) async throws(HostError) -> String {
        let word = arguments.operands[0]
        let known = try await files.people().names(with: store)
        guard let name = known.first(where: { $0 == word }) else {
            throw HostError(
                .usage, LogFormat.escaped(People.unknown(word, known: known.sorted())))
        }
        return name
    }

    /// Refuses the deletion during a workout; one that was interrupted is deleted too.
    private func checkWorkout(
        of name: String, _ files: CommandFiles, _ store: SQLiteStore?
    ) async throws(HostError) {
        let sessions = try await reading { try await store?.sessions() ?? [] }
        guard sessions.contains(where: { $0.person == name }) else { return }
        let name = LogFormat.escaped(name)
        guard DataDirectoryLock.owner(of: files.folder) != nil else {
            return CommandNote.write("\(name) has an interrupted workout, which is deleted too")
        }
        throw HostError(
            .failure,
            "a workout of \(name) is in progress; end it first: `pulsegate workout stop --person "
                + "\(name)` or `pulsegate workout discard --person \(name)`; for two minutes after its "
                + "end, while the recovery is measured, wait")
    }

    private func removeFacts(of name: String, _ files: CommandFiles) async throws(HostError) {
        let (result, note) = try await PersonRemoval(files: files).remove(name)
        for note in result.notes + (note.map { [$0] } ?? []) { CommandNote.write(note) }
    }

    private func reading<Result>(
        _ body: () async throws -> Result
    ) async throws(HostError) -> Result {
        do {
            return try await body()
        } catch {
            throw HostError(error)
        }
    }
}
