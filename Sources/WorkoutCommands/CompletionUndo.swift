import GatewayCore
package import GatewayHost
import HealthModel
import HealthTransfer
import Platform
package import SQLiteStore
import WorkoutFiles
import Workouts

/// Takes back that imports have made workouts longer, after their samples are deleted.
package struct CompletionUndo {
    private let call: Subcommand.Call
    private let files: CommandFiles

    package init(_ call: Subcommand.Call, _ files: CommandFiles) {
        self.call = call
        self.files = files
    }

    /// Stores, of each workout that a file has completed, the version before as a new one.
    ///
    /// When another file has completed it later, its times stay, and its totals are those of what is left.
    package func run(_ file: ImportedFile) async throws(HostError) {
        guard let history = try WorkoutHistory(ifStored: files) else { return }
        let completions = try await history.reading {
            try await history.store.completions(by: file, types: files.types)
        }
        var names: Set<String> = []
        for completion in completions where names.insert(completion.before.identifier).inserted {
            let known = try await history.same(as: completion.before).map(\.workout)
            guard let stored = known.first(where: { $0.identifier == completion.before.identifier })
            else { continue }
            let workout = try await history.left(of: stored, completions.version(before: stored))
            guard let workout else { continue }
            _ = try await EntryDelivery(call, files, clock: SystemClock()).deliver(
                EntryDelivery.Entry(
                    RecordParts([.workout(workout)]), checkCommand: "pulsegate workout list"))
        }
        guard !completions.isEmpty else { return }
        try await history.reading {
            try await files.createStore().forgetCompletions(by: file)
        }
    }
}

extension WorkoutHistory {
    /// The next version of a stored workout, with the times of an earlier one and the totals of the samples
    /// that are left; nil when nothing changes.
    fileprivate func left(
        of stored: Workout, _ earlier: Workout
    ) async throws(HostError) -> Workout? {
        let isImported = try await isImported(earlier, types: earlier.activity.sampleTypes)
        let known = try await known(
            [WorkoutAssociation(to: earlier, isImported: isImported)],
            types: Set(earlier.activity.sampleTypes + earlier.totals.map(\.type)))
        var samples = known.first?.samples ?? PackedSamples()
        samples.sortByEnd()
        let totals = earlier.totals(of: samples, subject: await subject(of: earlier))
        guard earlier.id != stored.id || totals != stored.totals else { return nil }
        let version = max(stored.version + 1, stored.version.nextUp)
        var metadata = earlier.metadata
        do {
            try metadata.setSync(identifier: stored.identifier, version: version)
            return try Workout(
                id: .make(
                    start: earlier.start, device: stored.identifier,
                    stream: "workout version \(version)", key: stored.id.low),
                activity: earlier.activity, location: earlier.location, start: earlier.start,
                end: earlier.end, events: earlier.events, totals: totals, person: earlier.person,
                device: earlier.device, source: earlier.source, metadata: metadata)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}
