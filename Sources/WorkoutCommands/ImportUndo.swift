import GatewayCore
package import GatewayHost
package import HealthModel
import HealthStore
import HealthTransfer
import Platform
package import SQLiteStore
import WorkoutFiles
import Workouts

/// The undo of imports whose workouts other imports, or the gateway, have stored too.
///
/// Such a workout stays as the others alone have it, with those samples of the undone imports that their
/// files have too. These become samples of another import.
package struct ImportUndo {
    private let call: Subcommand.Call
    private let files: CommandFiles
    private let imports: [Import]

    /// A file whose imports are undone.
    package struct Import: Sendable {
        let file: ImportedFile
        /// The workout that the file has now, whose imports are undone; nil for a file of records, which can have
        /// several.
        let workout: Workout?

        package init(_ file: ImportedFile, workout: Workout?) {
            self.file = file
            self.workout = workout
        }
    }

    /// Makes the undo of the imports of some files.
    package init(_ call: Subcommand.Call, _ files: CommandFiles, of imports: [Import]) {
        self.call = call
        self.files = files
        self.imports = imports
    }

    /// What happens to the workouts of the imports.
    package struct Plan: Sendable {
        /// The workouts that no other import has.
        package fileprivate(set) var deleted: [RecordID] = []
        /// The samples of these imports that are no others', of any earlier contents of the files.
        package fileprivate(set) var deletedSamples: [RecordID] = []
        /// The workouts that stay.
        package fileprivate(set) var kept: Set<RecordID> = []
        /// The samples that stay.
        fileprivate var samples: Set<RecordID> = []
        /// The samples of other imports from now on: those that stay, and parts of others.
        fileprivate var shares: [SharedWorkout.Share] = []
        /// What stays, one line for each workout.
        package fileprivate(set) var notes: [String] = []

        /// The samples and workouts about which this plan decides.
        package var decided: Set<RecordID> {
            kept.union(samples).union(deleted).union(deletedSamples)
        }

        /// Makes a plan for no workout.
        package init() {}

        /// Keeps a workout, and what others have of its samples.
        fileprivate mutating func keep(
            _ workout: SharedWorkout, _ own: [QuantitySample]
        ) throws(HostError) {
            kept.insert(workout.association.workout.id)
            let count = shares.count
            for sample in own {
                let shared: [SharedWorkout.Share]
                do { shared = try workout.shares(of: sample) } catch {
                    throw HostError(.failure, "\(error)")
                }
                let stays = shared.contains { $0.sample.id == sample.id }
                if stays { samples.insert(sample.id) } else { deletedSamples.append(sample.id) }
                shares += shared
            }
            notes.append(workout.note(shares.count - count))
        }
    }

    /// Finds out what stays.
    package func plan() async throws(HostError) -> Plan {
        var plan = Plan()
        guard let history = try WorkoutHistory(ifStored: files) else { return plan }
        for workout in try await workouts(history) {
            let samples = try await ownSamples(workout, history)
            guard !workout.others.isEmpty else {
                plan.deleted.append(workout.association.workout.id)
                plan.deletedSamples += samples.map(\.id)
                continue
            }
            try plan.keep(workout, samples)
        }
        return plan
    }

    /// Gives other imports the samples that their files have too, or parts of them.
    package func moveSamples() async throws(HostError) {
        let plan = try await plan()
        guard !plan.shares.isEmpty else { return }
        let parts = plan.shares.map(\.sample).filter { !plan.samples.contains($0.id) }
        try await WorkoutHistory(files).reading {
            let store = try files.createStore()
            for (file, shares) in Dictionary(grouping: plan.shares, by: \.file) {
                try await store.note(shares.map(\.sample.id), of: file)
            }
        }
        guard !parts.isEmpty else { return }
        try await deliver(RecordParts(parts.map(Record.sample)))
    }

    private func deliver(_ records: RecordParts) async throws(HostError) {
        // What an earlier undo has deleted is stored again.
        try await WorkoutHistory(files).reading {
            let store = try files.createStore()
            for part in records { try await store.forgetDeletion(of: part) }
        }
        let delivery = EntryDelivery(call, files, clock: SystemClock())
        _ = try await delivery.deliver(
            EntryDelivery.Entry(records, checkCommand: "pulsegate workout list"))
    }

    /// Stores the next version of the workouts that stay, after the deletion.
    package func finish() async throws(HostError) {
        guard let history = try WorkoutHistory(ifStored: files) else { return }
        let workouts = try await workouts(history)
        for workout in workouts where !workout.others.isEmpty {
            guard let version = try await history.version(leaving: workout) else { continue }
            try await deliver(RecordParts([.workout(version)]))
        }
        try await history.reading {
            let store = try files.createStore()
            let identifiers = workouts.map(\.association.workout.identifier)
            for item in imports {
                try await store.forgetContributions(of: item.file, to: identifiers)
            }
        }
    }

    /// The stored workouts of the imports, with what each import has of them.
    private func workouts(_ history: WorkoutHistory) async throws(HostError) -> [SharedWorkout] {
        let types = files.types
        let notes = try await history.reading {
            var notes: [Int64: [WorkoutContribution]] = [:]
            for item in imports {
                let found = try await history.store.contributions(
                    withThoseOf: item.file, types: types)
                notes.merge(found) { $1 }
            }
            return notes
        }
        var workouts: [SharedWorkout] = []
        for (key, all) in notes.sorted(by: { $0.key < $1.key }) {
            guard let association = try await stored(key, all, history),
                isUndone(association.workout, all)
            else { continue }
            let undone = Set(imports.map(\.file))
            let others = all.filter { $0.file.map { !undone.contains($0) } ?? true }
            workouts.append(SharedWorkout(association: association, all: all, others: others))
        }
        return workouts
    }

    /// Whether one of the files still has a workout: another one of an earlier content, or of another person, stays.
    private func isUndone(_ workout: Workout, _ contributions: [WorkoutContribution]) -> Bool {
        imports.contains { item in
            contributions.contains { $0.file == item.file }
                && item.workout.map { KnownWorkout.isSame(workout, $0) } ?? true
        }
    }

    private func stored(
        _ key: Int64, _ all: [WorkoutContribution], _ history: WorkoutHistory
    ) async throws(HostError) -> WorkoutAssociation? {
        for contribution in all {
            let found = try await history.same(as: contribution.workout).first {
                WorkoutContribution.key(of: $0.workout.identifier) == key
            }
            if let found { return found }
        }
        return nil
    }

    /// The samples of a workout that the undone imports have stored.
    private func ownSamples(
        _ workout: SharedWorkout, _ history: WorkoutHistory
    ) async throws(HostError) -> [QuantitySample] {
        try await history.samples(of: workout, by: imports.map(\.file))
    }
}

extension WorkoutHistory {
    /// The samples of a workout that the imports of some files have stored.
    fileprivate func samples(
        of workout: SharedWorkout, by files: [ImportedFile]
    ) async throws(HostError) -> [QuantitySample] {
        let samples = try await known([workout.association], types: workout.types)
            .flatMap(\.samples)
        return try await reading {
            var own: Set<RecordID> = []
            for file in files {
                own.formUnion(try await store.stored(samples.map(\.id), .sample, by: file).own)
            }
            return samples.filter { own.contains($0.id) }
        }
    }

    /// The places of the other imports that have stored no sample of a workout.
    private func withoutSamples(_ workout: SharedWorkout) async throws(HostError) -> Set<Int> {
        var places: Set<Int> = []
        for (place, other) in workout.others.enumerated() {
            guard let file = other.file else { continue }
            if try await samples(of: workout, by: [file]).isEmpty { places.insert(place) }
        }
        return places
    }

    /// The next version of a workout with the totals of the samples that are left; nil when nothing changes.
    fileprivate func version(leaving shared: SharedWorkout) async throws(HostError) -> Workout? {
        let stored = shared.association.workout
        let withoutSamples = try await withoutSamples(shared)
        let version: Workout
        do {
            let all = ImportedVersions(shared.all.map(\.workout))
            let left = ImportedVersions(
                shared.others.map(\.workout), withoutSamples: withoutSamples)
            guard let next = try all.version(after: stored, leaving: left) else { return nil }
            version = next
        } catch {
            throw HostError(.failure, "\(error)")
        }
        let isImported = try await isImported(version, types: version.activity.sampleTypes)
        let known = try await known(
            [WorkoutAssociation(to: version, isImported: isImported)],
            types: Set(version.activity.sampleTypes + stored.totals.map(\.type)))
        var samples = known.first?.samples ?? PackedSamples()
        samples.sortByEnd()
        let totals = version.totals(of: samples, subject: await subject(of: version))
        do {
            let next = try Workout(
                id: version.id, activity: version.activity, location: version.location,
                start: version.start, end: version.end, events: version.events, totals: totals,
                person: version.person, device: version.device, source: version.source,
                metadata: version.metadata)
            return next.hasContents(of: stored) ? nil : next
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}
