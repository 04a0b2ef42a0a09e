import GatewayCore
import GatewayHost
import HealthTransfer
import Platform
import SQLiteStore
import Terminal
import WorkoutCommands

/// The steps of a deletion: preview, question, deletion, report.
struct DeletionCall {
    private let call: Subcommand.Call
    private let files: CommandFiles
    private let mode: DeletionMode
    private let lines: TerminalLines?
    private let clock = SystemClock()
    private let others: OtherSinks
    private var hasJSON: Bool { call.arguments.has("--json") }

    /// Reads the options; the store is not opened yet.
    init(_ call: Subcommand.Call, _ files: CommandFiles) throws(HostError) {
        lines = TerminalLines()
        mode = try DeletionMode(call.arguments, hasTerminal: lines != nil)
        self.call = call
        self.files = files
        others = OtherSinks(files, call)
    }

    /// Completes imports that were interrupted, so that the rest of them does not come after a deletion.
    func completeImports() async {
        await InterruptedImports(call: call, files: files).completeIfFree()
    }

    /// Deletes records, if they are found and the deletion is confirmed.
    ///
    /// - Parameters:
    ///   - what: What is selected, for the message that nothing is found.
    ///   - hasEffect: Whether something else changes, so that it is done without records too.
    ///   - prepare: Is called when the deletion is confirmed.
    ///   - finish: Completes the deletion, before it is reported.
    func run(
        _ target: some DeletionTarget, what: String,
        hasEffect: Bool = false, prepare: () async throws(HostError) -> Void = {},
        finish: () async throws(HostError) -> Void = {}
    ) async throws(HostError) {
        await completeImports()
        let preview = try await preview(of: target, in: try files.openStoreToRead())
        guard preview.count > 0 || hasEffect else {
            if hasJSON { try write(DeletionText(preview).json(deleted: nil)) }
            return StandardStream.error.write(
                "pulsegate: no \(LogFormat.escaped(what)) found\n")
        }
        let question =
            preview.count > 0
            ? "Delete \(DeletionText.records(preview.count))?" : "Undo this without a deletion?"
        guard try await isConfirmed(preview, asking: question) else { return }
        try await prepare()
        let count = try await delete(target, preview)
        try await finish()
        try report(preview, count: count)
    }

    /// Finds what a deletion will delete; nothing without a store.
    func preview(
        of target: some DeletionTarget, in store: SQLiteStore?
    ) async throws(HostError) -> DeletionPreview {
        do {
            var preview = DeletionPreview()
            guard let store else { return preview }
            let notes = try await target.forEachPage { selections in
                preview.add(try await store.preview(of: selections))
            }
            notes.forEach(CommandNote.write)
            return preview
        } catch {
            throw Self.failure(error)
        }
    }

    /// Prints the preview, and asks; false without a deletion.
    ///
    /// - Throws: ``HostError`` when the answer is not yes.
    func isConfirmed(
        _ preview: DeletionPreview, asking question: String, person: String? = nil
    ) async throws(HostError) -> Bool {
        let text = DeletionText(preview)
        if !hasJSON {
            let width = TerminalWidth(.output, environment: call.environment)
            let painter = Painter(.output, environment: call.environment)
            try write(text.table(painter, within: width), paintedBy: painter)
        }
        if preview.count > 0 { others.notes.forEach(CommandNote.write) }
        switch mode {
        case .confirmed: return true
        case .dryRun:
            if hasJSON { try write(text.json(deleted: nil, person: person)) }
            CommandNote.write(
                "\(DeletionText.records(preview.count)) would be deleted; nothing is, because of "
                    + "--dry-run")
            return false
        case .question:
            let answer = await lines?.ask("\(question) [y/N] ")
            guard ["y", "yes"].contains(answer?.lowercased()) else {
                throw HostError(.failure, "cancelled; nothing is deleted")
            }
            return true
        }
    }

    /// Deletes the records, with their progress at a terminal; returns how many.
    func delete(
        _ target: some DeletionTarget, _ preview: DeletionPreview
    ) async throws(HostError) -> Int {
        guard preview.count > 0 else { return 0 }
        try await ImportPlaces(folder: files.folder, clock: clock).removeAll()
        var count = 0
        do {
            var deletion = RecordDeletion(
                try files.createStore(), files.folder, at: clock.instant(),
                expected: preview.count, clock: clock,
                progress: ProgressLine(call.environment, clock: clock))
            try await target.forEachPage { selections in
                for selection in selections {
                    defer { count = deletion.count }
                    // What was stored since the preview remains.
                    try await deletion.delete(preview.end.map(selection.until) ?? selection)
                }
            }
            return count
        } catch {
            let failure = Self.failure(error)
            throw HostError(
                failure.status,
                "\(failure.text); \(DeletionText.records(count)) deleted before; "
                    + "run the command again")
        }
    }

    /// Prints what was deleted.
    func report(
        _ preview: DeletionPreview, count: Int, person: String? = nil
    ) throws(HostError) {
        try write(
            hasJSON
                ? DeletionText(preview).json(deleted: count, person: person)
                : "\(DeletionText.records(count)) deleted\n")
        if count > 0 { others.forward() }
    }

    private func write(
        _ text: String, paintedBy painter: Painter = .plain
    ) throws(HostError) {
        try StandardStream.output.writeResult(text, paintedBy: painter)
    }

    private static func failure(_ error: any Error) -> HostError {
        HostError(error)
    }
}
