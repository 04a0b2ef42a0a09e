import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import Platform
import SQLiteStore
import WorkoutFiles
import Workouts

/// The records that the import of some files stored.
///
/// The files are read for the preview, and again for the deletion.
struct ImportedFiles: DeletionTarget {
    var list: ImportList
    let files: CommandFiles
    let person: String

    /// Reads the start of a file of records, or a whole workout.
    func open(_ file: ImportList.File) throws(HostError) {
        if file.format == .workout {
            _ = try WorkoutImport.read(file.path, person: person)
        } else {
            _ = try records(of: file)
        }
    }

    func forEachPage(
        _ body: ([DeletionSelection]) async throws -> Void
    ) async throws -> [String] {
        var notes: [String] = []
        for file in list.files {
            if file.format == .workout {
                try await body([try await workout(file.path)])
            } else if let failure = try await read(file, body) {
                notes.append(failure.text)
            }
        }
        return notes
    }

    /// Reads the records of a file; returns the error that ended it early, as it ended the import.
    private func read(
        _ file: ImportList.File, _ body: ([DeletionSelection]) async throws -> Void
    ) async throws -> HostError? {
        var records = try records(of: file)
        while true {
            let page = try records.next()
            guard !page.isEmpty else { return records.failure }
            try await body(
                Dictionary(grouping: page) { RecordKind($0) }.map { kind, records in
                    .records(records.map(\.id), kinds: [kind])
                })
        }
    }

    private func records(of file: ImportList.File) throws(HostError) -> ImportedRecords {
        try ImportedRecords(
            file.path, format: file.format, person: person, types: files.types,
            now: SystemClock().instant(), calendar: .system)
    }

    /// The samples of a workout file, and the workout unless it was stored before.
    private func workout(_ path: String) async throws(HostError) -> DeletionSelection {
        let imported = try WorkoutImport.read(path, person: person)
        let known = try await WorkoutHistory(ifStored: files)?.same(as: imported.workout) ?? []
        let own = known.map(\.workout).filter {
            $0.identifier == imported.workout.identifier
        }
        return .records(
            imported.content.map(\.id) + own.map(\.id), kinds: [.sample, .workout])
    }
}
