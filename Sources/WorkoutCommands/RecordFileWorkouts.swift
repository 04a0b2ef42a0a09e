import GatewayCore
package import GatewayHost
import HealthModel
package import HealthTransfer
import Platform
import SQLiteStore
import WorkoutFiles
import Workouts

/// The workouts of a file of records that the store has from another file, such as a FIT file.
///
/// They are not stored once more: they complete the stored workouts as files of workouts do.
package struct RecordFileWorkouts {
    /// The time of the workouts whose samples are held at the same time, which limits the memory.
    private static let secondsAtOnce = 200_000.0

    private let file: ImportList.File
    private let files: CommandFiles
    private let person: String
    private let importer: WorkoutImport
    private var workouts: [Workout] = []

    /// Finds the workouts; the file is read only when its samples name workouts, and the store has some.
    package init(
        _ file: ImportList.File, _ call: Subcommand.Call, _ files: CommandFiles, person: String
    ) async throws(HostError) {
        self.file = file
        self.files = files
        self.person = person
        importer = WorkoutImport(call, files, person: person)
        guard file.format == .recordLines || file.format == .appleHealth,
            let history = try WorkoutHistory(ifStored: files), try Self.namesWorkouts(file.path),
            try await !history.list(WorkoutQuery(limit: 1)).workouts.isEmpty
        else { return }
        var found: [Workout] = []
        try await forEachRecord { record in
            if case .workout(let workout) = record { found.append(workout) }
        }
        for workout in found {
            let same = try await history.same(as: workout).map(\.workout.identifier)
            if !same.isEmpty, !same.contains(workout.identifier) { workouts.append(workout) }
        }
    }

    /// What their samples name them.
    package var identifiers: Set<String> { Set(workouts.map(\.identifier)) }

    /// Completes the stored workouts; returns how many samples and workouts that has stored.
    package func complete() async throws(HostError) -> Int {
        guard !workouts.isEmpty else { return 0 }
        // As for files of workouts, one import after the other.
        let imports = try await PendingImports(in: files.folder, clock: SystemClock())
        defer { withExtendedLifetime(imports) {} }
        var (rest, count) = (workouts[...], 0)
        while let first = rest.popFirst() {
            var (batch, seconds) = ([first], first.end.seconds(since: first.start))
            while let next = rest.first, seconds < Self.secondsAtOnce {
                batch.append(next)
                seconds += next.end.seconds(since: next.start)
                rest.removeFirst()
            }
            let samples = try await samples(of: batch)
            for workout in batch {
                count += try await complete(workout, samples[workout.identifier])
            }
        }
        return count
    }

    private func complete(
        _ workout: Workout, _ samples: PackedSamples?
    ) async throws(HostError) -> Int {
        guard let history = try WorkoutHistory(ifStored: files) else { return 0 }
        let imported = ImportedWorkout(workout, samples: samples ?? PackedSamples())
        let known = try await history.same(as: workout)
        let addition = try await importer.addition(of: imported, to: known, history, file.path)
        importer.reportDifferences(addition.differences)
        guard let before = known.first?.workout, !addition.isEmpty else { return 0 }
        let completed = try await importer.totalled(addition, known, history)
        guard !addition.hasOnlyTotals || completed.totals != before.totals else { return 0 }
        let origin = try ImportedFile(at: file.path)
        return try await history.reading {
            let store = try files.createStore()
            let none: [RecordID] = []
            try await store.note(addition.content.ids, among: none, workout: nil, by: origin)
            try await store.note(WorkoutCompletion(id: completed.id, before: before), by: origin)
            var count = 0
            for part in RecordParts(addition.content, of: completed) {
                count += try await store.save(part, of: origin).stored
            }
            return count
        }
    }

    /// The samples of some workouts by the names of these.
    private func samples(
        of workouts: [Workout]
    ) async throws(HostError) -> [String: PackedSamples] {
        let names = Set(workouts.map(\.identifier))
        var samples: [String: PackedSamples] = [:]
        try await forEachRecord { record in
            guard case .sample(let sample) = record, let name = record.nameOfWorkout,
                names.contains(name)
            else { return }
            samples[name, default: PackedSamples()].append(CollectionOfOne(sample))
        }
        return samples
    }

    private func forEachRecord(_ body: (Record) -> Void) async throws(HostError) {
        var records = try ImportedRecords(
            file.path, format: file.format, person: person, types: files.types,
            now: SystemClock().instant(), calendar: .system)
        while true {
            let page = try records.next()
            // The import itself reports an error of the file.
            guard !page.isEmpty else { return }
            page.forEach(body)
        }
    }

    /// Whether a file has the key with which samples name their workout.
    private static func namesWorkouts(_ path: String) throws(HostError) -> Bool {
        let key = Array(MetadataKey.workout.name.utf8)
        let pieces = try FilePieces(path)
        var rest: [UInt8] = []
        while !pieces.isAtEnd {
            let piece = rest + (try pieces.next())
            if contains(key, in: piece) { return true }
            rest = Array(piece.suffix(key.count))
        }
        return false
    }

    private static func contains(_ key: [UInt8], in piece: [UInt8]) -> Bool {
        var rest = piece[...]
        while let start = rest.firstIndex(where: { $0 == key.first }) {
            rest = rest[start...]
            if rest.starts(with: key) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
