package import GatewayHost
package import HealthModel
import SQLiteStore
import WorkoutFiles
import WorkoutService
package import Workouts

/// The stored records that an import is compared with.
extension WorkoutHistory {
    /// The stored workouts that are the same as an imported one, the one that shares most time with
    /// it first.
    package func same(as imported: Workout) async throws(HostError) -> [WorkoutAssociation] {
        let query = WorkoutQuery(
            person: imported.person, from: imported.start, to: imported.end.next)
        let same = try await reading {
            try await store.workouts(matching: query, types: files.types)
        }
        .filter { KnownWorkout.isSame($0, imported) }
        .sorted { $0.sharedNanoseconds(with: imported) > $1.sharedNanoseconds(with: imported) }
        var associations: [WorkoutAssociation] = []
        for workout in same {
            let isImported = try await isImported(
                workout, types: workout.activity.sampleTypes + imported.activity.sampleTypes)
            associations.append(WorkoutAssociation(to: workout, isImported: isImported))
        }
        return associations
    }

    /// The workouts with their samples of some types.
    func known(
        _ associations: [WorkoutAssociation], types: Set<QuantityType>
    ) async throws(HostError) -> [KnownWorkout] {
        var known: [KnownWorkout] = []
        for association in associations {
            let pages = pages(of: association.workout, types: Array(types))
            let samples = try await reading {
                var samples = PackedSamples()
                for try await page in pages { samples.append(page) }
                return samples
            }
            known.append(KnownWorkout(association, samples: samples))
        }
        return known
    }

    /// Whether samples were imported with a workout; the first page of one that was has such samples.
    func isImported(
        _ workout: Workout, types: [QuantityType]
    ) async throws(HostError) -> Bool {
        let pages = pages(of: workout, types: types)
        return try await reading {
            for try await page in pages {
                if page.contains(where: { WorkoutAssociation.shows($0, importOf: workout) }) {
                    return true
                }
            }
            return false
        }
    }

    private func pages(
        of workout: Workout, types: [QuantityType]
    ) -> StorePages<QuantitySample> {
        store.samples(
            of: workout.person, from: workout.start, to: workout.end.next, types: types)
    }
}

extension Workout {
    fileprivate func sharedNanoseconds(with other: Workout) -> Int64 {
        min(end, other.end).nanoseconds(since: max(start, other.start))
    }
}
