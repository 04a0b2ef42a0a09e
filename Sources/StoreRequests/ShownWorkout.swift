import GatewayCore
import GatewayHost
import HealthModel
import SQLiteStore
import WorkoutService
import Workouts

/// A stored workout with its figures, which a client may read.
struct ShownWorkout {
    /// The maximum number of samples: a day with five sensors that measure once a second.
    static let sampleLimit = 500_000

    let recorded: RecordedWorkout
    /// The heart rate recovery; nil when it was not measured, or when the client may not read it.
    let recovery: QuantitySample?
    let calendar: LocalCalendar

    /// Reads a workout; nil when there is none of this id.
    init?(
        _ id: RecordID, _ service: GatewayService, for client: ServiceClient
    ) async throws {
        try service.check(client, reads: .workout)
        let store = try await service.openStore()
        guard let workout = try await store.workout(id, types: await service.types()) else {
            return nil
        }
        try service.check(client, .read, Record.workout(workout).accessTypes)
        let dependencies = await service.workouts.dependencies
        calendar = dependencies.calendar
        let stored = StoredWorkouts(
            store: store, people: await dependencies.people(),
            activities: await dependencies.activities(), calendar: calendar)
        recorded = try await stored.recorded(workout, limit: Self.sampleLimit)
        try service.check(client, .read, recorded.shownTypes)
        let mayReadRecovery =
            (try? service.check(client, reads: .quantity(.heartRateRecoveryOneMinute))) != nil
        recovery = mayReadRecovery ? try await stored.recoverySample(of: workout) : nil
    }

    /// The answer when there is no workout.
    static let notFound = RequestRouter.errorLine(
        "there is no workout with this id in the store", key: "id", code: StoreErrorCode.notFound)
}

extension RecordedWorkout {
    /// The types from which the figures are calculated, and the energy.
    fileprivate var shownTypes: [String] {
        var types = Set(samples.map(\.type))
        if measures.energyKilocalories != nil { types.insert(.activeEnergyBurned) }
        if zones != nil { types.insert(.heartRate) }
        return types.map(\.name).sorted()
    }
}
