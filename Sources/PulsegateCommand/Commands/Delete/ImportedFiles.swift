import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import Platform
import SQLiteStore
import WorkoutCommands
import WorkoutFiles
import Workouts

/// The records that the import of some files stored, or all records of these files.
///
/// The files are read for the preview, and again for the deletion.
struct ImportedFiles: DeletionTarget {
    let call: Subcommand.Call
    var list: ImportList
    let files: CommandFiles
    let person: String
    let isOfAllRecords: Bool
    /// Decides about the workouts of imports; nil when all records are deleted.
    var undo: ImportUndo?

    /// The undo of what the files have of workouts that others have too.
    func makeUndo() throws(HostError) -> ImportUndo {
        var imports: [ImportUndo.Import] = []
        for file in list.files {
            let isWorkout = file.format == .workout
            let workout =
                isWorkout
                ? try WorkoutImport.read(WorkoutImportFile(file.path, person: person)).workout : nil
            imports.append(.init(try ImportedFile(at: file.path), workout: workout))
        }
        return ImportUndo(call, files, of: imports)
    }

    /// Reads the start of a file of records, or a whole workout.
    func open(_ file: ImportList.File) throws(HostError) {
        if file.format == .workout {
            _ = try WorkoutImport.read(WorkoutImportFile(file.path, person: person))
        } else {
            _ = try records(of: file)
        }
    }

    func forEachPage(
        _ body: ([DeletionSelection]) async throws -> Void
    ) async throws -> [String] {
        let store = try files.openStore()
        let plan = try await undo?.plan() ?? ImportUndo.Plan()
        let planned = plan.decided
        var notes = plan.notes
        for file in list.files {
            let name = LogFormat.escaped(file.path)
            let origin = try ImportedFile(at: file.path)
            var otherCount = 0
            let isKnown = try await store.knows(origin)
            guard isKnown || isOfAllRecords else {
                notes.append(
                    "\(name): the store does not know this import; with --all, all records of the "
                        + "file are deleted")
                continue
            }
            let failure = try await read(file, without: planned) { ids, kind in
                let found = try await store.stored(ids, kind, by: origin)
                if !isOfAllRecords { otherCount += found.count - found.own.count }
                let own = isOfAllRecords ? ids : found.own
                return .records(own.filter { !planned.contains($0) }, kinds: [kind])
            } body: {
                try await body($0)
            }
            if let failure { notes.append(failure.text) }
            guard otherCount > 0 else { continue }
            notes.append(
                "\(name): \(otherCount) of its records were stored before or by another import, and "
                    + "stay; with --all, they are deleted too")
        }
        try await body([
            .records(plan.deletedSamples, kinds: [.sample]),
            .records(plan.deleted, kinds: [.workout]),
        ])
        return notes
    }

    /// Reads the records of a file; returns the error that ended it early, as it ended the import.
    private func read(
        _ file: ImportList.File, without planned: Set<RecordID>,
        select: ([RecordID], RecordKind) async throws -> DeletionSelection,
        body: ([DeletionSelection]) async throws -> Void
    ) async throws -> HostError? {
        guard file.format != .workout else {
            try await body(try await workout(file.path, without: planned, select))
            return nil
        }
        var records = try records(of: file)
        while true {
            let page = try records.next()
            guard !page.isEmpty else {
                // What it has added to workouts of other files has other ids than in the file.
                let origin = try ImportedFile(at: file.path)
                let added = try await files.openStore().noted(.sample, by: origin)
                try await body([try await select(added, .sample)])
                return records.failure
            }
            var selections: [DeletionSelection] = []
            for (kind, records) in Dictionary(grouping: page, by: { RecordKind($0) }) {
                guard let kind else { continue }
                let own = try await kind == .workout ? undecided(records) : records
                selections.append(try await select(own.map(\.id), kind))
            }
            try await body(selections)
        }
    }

    /// The workouts that are not decided about by what files have of them.
    private func undecided(_ workouts: [Record]) async throws -> [Record] {
        guard !isOfAllRecords else { return workouts }
        let store = try files.openStore()
        var undecided: [Record] = []
        for record in workouts {
            guard case .workout(let workout) = record,
                try await !store.hasContributions(to: workout.identifier)
            else { continue }
            undecided.append(record)
        }
        return undecided
    }

    private func records(of file: ImportList.File) throws(HostError) -> ImportedRecords {
        try ImportedRecords(
            file.path, format: file.format, person: person, types: files.types,
            now: SystemClock().instant(), calendar: .system)
    }

    /// The samples of a workout file, and the workout unless it was stored before.
    private func workout(
        _ path: String, without planned: Set<RecordID>,
        _ select: ([RecordID], RecordKind) async throws -> DeletionSelection
    ) async throws -> [DeletionSelection] {
        let file = try WorkoutImportFile(path, person: person)
        let imported = try WorkoutImport.read(file)
        let history = try WorkoutHistory(files)
        let origin = file.origin
        let parts = isOfAllRecords ? [] : try await history.store.noted(.sample, by: origin)
        let samples = try await select(imported.content.map(\.id) + parts, .sample)
        let isUndecided = try await !undecided([.workout(imported.workout)]).isEmpty
        let own = try await history.same(as: imported.workout).map(\.workout).filter {
            $0.identifier == imported.workout.identifier && !planned.contains($0.id)
        }
        // A file that completed the workout later has made it another record.
        let first = RecordID(uuidString: imported.workout.identifier) ?? imported.workout.id
        let isOwn = try await history.store.noted(.workout, by: origin).contains(first)
        return [
            samples,
            .records(
                isOwn && isUndecided || isOfAllRecords ? own.map(\.id) : [], kinds: [.workout]),
        ]
    }
}
