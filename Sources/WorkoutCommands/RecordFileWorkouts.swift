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
/// They are not stored once more: they complete the stored workouts as files of workouts do. A workout of
/// another file may have the same name, when its times are the same; then its samples have other ids.
package struct RecordFileWorkouts {
    /// The time of the workouts whose samples are held at the same time, which limits the memory.
    private static let secondsAtOnce = 200_000.0

    /// The samples of one type of a workout.
    private struct Series: Hashable {
        let name: String
        let type: QuantityType
    }

    private let file: ImportList.File
    private let files: CommandFiles
    private let person: String
    private let importer: WorkoutImport
    private var workouts: [Workout] = []
    /// The records that the import compares.
    package private(set) var compared = ComparedWorkouts()

    /// Finds the workouts; the file is read only when its samples name workouts, and the store has some.
    package init(
        _ file: ImportList.File, _ call: Subcommand.Call, _ files: CommandFiles, person: String
    ) async throws(HostError) {
        self.file = file
        self.files = files
        self.person = person
        importer = WorkoutImport(call, files, person: person)
        guard file.format == .recordLines || file.format == .appleHealth,
            let history = try WorkoutHistory(ifStored: files), try Self.namesWorkouts(file.path)
        else { return }
        let stored = Set(try await history.list(WorkoutQuery()).workouts.map(\.identifier))
        guard !stored.isEmpty else { return }
        let found = try await find(in: history, stored)
        for workout in found.workouts {
            let isStored = stored.contains(workout.identifier)
            let same = try await history.same(as: workout)
            if isStored {
                let types = found.foreign.filter { $0.name == workout.identifier }.map(\.type)
                try await note(types, of: workout, same, history)
            } else if !same.isEmpty {
                compared.names.insert(workout.identifier)
            }
            if compared.names.contains(workout.identifier)
                || compared.types[workout.identifier] != nil
            {
                workouts.append(workout)
            }
        }
    }

    /// The workouts of the file, and the samples of stored ones of whose ids the store has less than half.
    private func find(
        in history: WorkoutHistory, _ stored: Set<String>
    ) async throws(HostError) -> (workouts: [Workout], foreign: Set<Series>) {
        var workouts: [Workout] = []
        var counts: [Series: (all: Int, stored: Int)] = [:]
        try await forEachPage { page in
            var ids: [Series: [RecordID]] = [:]
            for record in page {
                switch record {
                case .workout(let workout): workouts.append(workout)
                case .sample(let sample):
                    guard let name = record.nameOfWorkout, stored.contains(name) else { continue }
                    ids[Series(name: name, type: sample.type), default: []].append(sample.id)
                default: continue
                }
            }
            for (series, ids) in ids {
                let count = try await history.store.countSamples(ids)
                let before = counts[series] ?? (0, 0)
                counts[series] = (before.all + ids.count, before.stored + count)
            }
        }
        let foreign = counts.filter { $0.value.stored * 2 < $0.value.all }.map(\.key)
        return (workouts, Set(foreign))
    }

    /// Notes the types of a workout of which the store has other samples.
    private mutating func note(
        _ types: [QuantityType], of workout: Workout, _ same: [WorkoutAssociation],
        _ history: WorkoutHistory
    ) async throws(HostError) {
        for type in types {
            let known = try await history.known(same, types: type.sameMeasures)
            guard known.contains(where: { $0.samples.underestimatedCount > 0 }) else { continue }
            compared.types[workout.identifier, default: []].insert(type)
        }
    }

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
        guard let before = known.first?.workout else { return 0 }
        let origin = try ImportedFile(at: file.path)
        let contribution = WorkoutContribution(
            file: origin, workout: workout, coverage: ImportCoverage(imported.content))
        let completed =
            addition.isEmpty ? before : try await importer.totalled(addition, known, history)
        return try await history.reading {
            let store = try files.createStore()
            try await store.note(contribution, to: before.identifier, stored: before)
            guard !addition.isEmpty,
                !addition.hasOnlyTotals || completed.totals != before.totals
            else { return 0 }
            let none: [RecordID] = []
            try await store.note(addition.content.ids, among: none, workout: nil, by: origin)
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
        try await forEachPage { page in
            for case .sample(let sample) in page where compared.contains(.sample(sample)) {
                guard let name = Record.sample(sample).nameOfWorkout, names.contains(name) else {
                    continue
                }
                samples[name, default: PackedSamples()].append(CollectionOfOne(sample))
            }
        }
        return samples
    }

    private func forEachPage(
        _ body: ([Record]) async throws -> Void
    ) async throws(HostError) {
        var records = try ImportedRecords(
            file.path, format: file.format, person: person, types: files.types,
            now: SystemClock().instant(), calendar: .system, isOfWorkoutsOnly: true)
        while true {
            let page = try records.next()
            // The import itself reports an error of the file.
            guard !page.isEmpty else { return }
            do { try await body(page) } catch { throw HostError(error) }
        }
    }

    /// Whether a file has the key with which samples name their workout.
    private static func namesWorkouts(_ path: String) throws(HostError) -> Bool {
        let key = Array(MetadataKey.workout.name.utf8)
        let pieces = try FilePieces(path)
        var rest: [UInt8] = []
        while !pieces.isAtEnd {
            let piece = rest + (try pieces.next())
            if piece.contains(bytes: key) { return true }
            rest = Array(piece.suffix(key.count))
        }
        return false
    }
}
