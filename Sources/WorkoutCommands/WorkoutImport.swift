import GatewayCore
package import GatewayHost
import HealthModel
package import HealthTransfer
import Platform
import Readings
import SQLiteStore
import Terminal
package import WorkoutFiles
import Workouts

/// Imports workouts of FIT and TCX files, through the running gateway or a temporary one.
package struct WorkoutImport {
    private let call: Subcommand.Call
    private let files: CommandFiles
    private let person: String

    package init(_ call: Subcommand.Call, _ files: CommandFiles, person: String) {
        self.call = call
        self.files = files
        self.person = person
    }

    /// Imports a file; returns what was done.
    ///
    /// Other imports wait meanwhile, so that the same workout in two files is one workout.
    package func run(_ path: String) async throws(HostError) -> WorkoutImportResult {
        let imports = try await PendingImports(in: files.folder, clock: SystemClock())
        await InterruptedImports(call: call, files: files).complete(imports)
        // A deletion may have removed the person meanwhile.
        let names = try files.people().names
        guard names.contains(person) else {
            throw HostError(
                .failure, LogFormat.escaped(People.unknown(person, known: names)), cause: .conflict)
        }
        return try await run(WorkoutImportFile(path, person: person), imports)
    }

    /// Imports a file, or completes its import, which was interrupted.
    func run(
        _ file: WorkoutImportFile, _ imports: PendingImports
    ) async throws(HostError) -> WorkoutImportResult {
        let imported = try Self.read(file)
        try rejectImpossibleTimes(imported.workout, file.name)
        // A store that cannot be read is an error: without it everything would be counted again.
        let history = try WorkoutHistory(ifStored: files)
        let known = try await history?.same(as: imported.workout) ?? []
        let addition = try await addition(of: imported, to: known, history, file.name)
        reportDifferences(addition.differences)
        let isStored = WorkoutImportResult(
            .alreadyStored, known.first?.workout ?? imported.workout, sampleCount: 0)
        guard !addition.isEmpty else {
            try await note(nil, of: imported, to: known.first, file.origin)
            return isStored
        }
        let workout = try await totalled(addition, known, history)
        if addition.hasOnlyTotals, workout.totals == known.first?.workout.totals {
            try await note(nil, of: imported, to: known.first, file.origin)
            return isStored
        }
        let records = RecordParts(addition.content, of: workout)
        // What was deleted since an import was interrupted stays deleted.
        if file.copy == nil { try await restore(records, history) }
        let pending = file.copy == nil ? try imports.begin(file) : file
        try await note(addition, of: imported, to: known.first, file.origin)
        try await deliver(records, of: workout.id)
        imports.end(pending)
        reportSkipped(imported)
        return WorkoutImportResult(
            known.isEmpty ? .imported : .completed, workout,
            sampleCount: addition.content.count)
    }

    /// Notes in the store what the import will store, and what else the file has of the workout, for its undo.
    private func note(
        _ addition: WorkoutAddition?, of imported: ImportedWorkout, to known: WorkoutAssociation?,
        _ origin: ImportedFile
    ) async throws(HostError) {
        guard let file = try? StoreFile(files), file.acceptsWorkouts else { return }
        do {
            let store = try files.createStore()
            if let addition {
                try await store.note(
                    addition.content.ids, among: imported.content.ids,
                    workout: known == nil ? addition.workout.id : nil, by: origin)
            }
            let contribution = WorkoutContribution(
                file: origin, workout: imported.workout,
                coverage: ImportCoverage(imported.content))
            try await store.note(
                contribution, to: known?.workout.identifier ?? imported.workout.identifier,
                stored: known?.workout)
        } catch {
            throw HostError(error)
        }
    }

    /// Forgets that records were deleted: otherwise the store takes them for a repetition by the
    /// journal.
    private func restore(
        _ records: RecordParts, _ history: WorkoutHistory?
    ) async throws(HostError) {
        do {
            guard let store = history?.store, try await store.hasDeletedRecords() else { return }
            for part in records where try await store.containsDeleted(part) {
                try await files.createStore().forgetDeletion(of: part)
            }
        } catch {
            throw HostError(error)
        }
    }

    private func deliver(_ records: RecordParts, of workout: RecordID) async throws(HostError) {
        let delivery = EntryDelivery(call, files, clock: SystemClock())
        let pending = try await delivery.deliver(
            EntryDelivery.Entry(records, checkCommand: "pulsegate workout list"))
        guard let store = try? StoreFile(files), store.acceptsWorkouts,
            !pending.contains(store.sinkName), try await !has(workout)
        else { return }
        // The next import must find the workout.
        _ = try await delivery.waitForStore()
        guard try await !has(workout) else { return }
        CommandNote.write(
            "accepted, but not in the store yet; check `pulsegate status`, or start a gateway with "
                + "`pulsegate run`")
    }

    private func has(_ workout: RecordID) async throws(HostError) -> Bool {
        try await WorkoutHistory(ifStored: files)?.has(workout) == true
    }

    /// Reads the workout of a file piece by piece, with the ids that its import gives to samples.
    package static func read(_ file: WorkoutImportFile) throws(HostError) -> ImportedWorkout {
        let pieces = try file.pieces()
        let start = try pieces.next()
        var decoder = try Self.decoding(file.name) { () throws(WorkoutFileError) in
            try WorkoutFileDecoder(start, isLast: pieces.isAtEnd, calendar: .system)
        }
        while !pieces.isAtEnd {
            let piece = try pieces.next()
            try Self.decoding(file.name) { () throws(WorkoutFileError) in
                try decoder.append(piece, isLast: pieces.isAtEnd)
            }
        }
        let source = SourceRevision(name: "import", version: Version.current)
        return try Self.decoding(file.name) { () throws(WorkoutFileError) in
            try decoder.finish(person: file.person, source: source)
        }
    }

    private static func decoding<Value>(
        _ path: String, _ decode: () throws(WorkoutFileError) -> Value
    ) throws(HostError) -> Value {
        do { return try decode() } catch {
            throw HostError.file(path, "\(error)", cause: .input)
        }
    }

    /// What the file adds to the store, whose samples are read one type after the other.
    func addition(
        of imported: ImportedWorkout, to known: [WorkoutAssociation], _ history: WorkoutHistory?,
        _ path: String
    ) async throws(HostError) -> WorkoutAddition {
        guard let history, !known.isEmpty else {
            return try Self.decoding(path) { () throws(WorkoutFileError) in
                try imported.adding(to: [])
            }
        }
        var parts: [WorkoutAddition] = []
        for part in imported.ofEachType {
            let types = Set(part.content.types.flatMap(\.sameMeasures))
            let stored = try await history.known(known, types: types)
            parts.append(
                try Self.decoding(path) { () throws(WorkoutFileError) in
                    try part.adding(to: stored)
                })
        }
        guard let addition = WorkoutAddition(joining: parts) else {
            throw HostError.file(path, "no workout", cause: .input)
        }
        return addition
    }

    /// The workout with the totals of its samples.
    func totalled(
        _ addition: WorkoutAddition, _ known: [WorkoutAssociation], _ history: WorkoutHistory?
    ) async throws(HostError) -> Workout {
        let old = addition.workout
        let subject = await history?.subject(of: old) ?? WorkoutSubject()
        let types = known.flatMap(\.workout.activity.sampleTypes) + addition.content.types
        // The stored samples of the whole time, which may be longer than before.
        let whole = known.prefix(1).map {
            WorkoutAssociation(to: old, isImported: $0.isImported)
        }
        let stored = try await history?.known(whole, types: Set(types)) ?? []
        let totals = addition.totals(with: stored, subject: subject)
        do {
            return try Workout(
                id: old.id, activity: old.activity, location: old.location, start: old.start,
                end: old.end, events: old.events, totals: totals, person: old.person,
                device: old.device, source: old.source, metadata: old.metadata)
        } catch {
            throw HostError(.failure, "\(error)", cause: .input)
        }
    }

    /// Rejects a workout with impossible times, before its samples are read.
    private func rejectImpossibleTimes(
        _ workout: Workout, _ path: String
    ) throws(HostError) {
        let bounds = RecordTimeBounds(at: SystemClock().instant())
        guard let problem = bounds.problem(of: .workout(workout)) else { return }
        throw HostError.file(path, "the workout \(problem)", cause: .input)
    }

    func reportDifferences(_ differences: [WorkoutAddition.Difference]) {
        for difference in differences {
            CommandNote.write(
                "\(difference.type.name): the file has a larger count of the same time; the store "
                    + "keeps its own")
        }
    }

    private func reportSkipped(_ imported: ImportedWorkout) {
        if imported.hasLocalTimes {
            CommandNote.write(
                "the file has times without a time zone; the local time zone is used, or that of "
                    + "`TZ`")
        }
        let left = imported.skipped
        let parts = [
            (left.positions, "positions"), (left.values, "out-of-range values"),
            (left.activities, "further activities"), (left.unknown, "unknown elements"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !parts.isEmpty else { return }
        CommandNote.write("not imported: \(parts.joined(separator: ", "))")
    }
}
