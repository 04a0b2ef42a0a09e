package import GatewayCore
package import HealthModel
import HealthStatistics
package import SQLiteStore
package import Workouts

/// Reads the facts about a person that the figures of a workout need.
package struct WorkoutSubjectReader {
    /// The store of samples; nil for the configured facts alone.
    package let store: SQLiteStore?
    /// The configured people.
    package let people: People
    /// The configured activities.
    package let activities: Activities
    /// The local calendar.
    package let calendar: LocalCalendar

    /// Creates a value from its parts.
    package init(
        store: SQLiteStore?, people: People, activities: Activities, calendar: LocalCalendar
    ) {
        self.store = store
        self.people = people
        self.activities = activities
        self.calendar = calendar
    }

    /// The subject of a workout at a time; unknown facts are nil.
    package func subject(_ name: String, activity: WorkoutActivity, at now: Instant) async
        -> WorkoutSubject
    {
        let rate = activities[activity]?.energyPerHour
            .flatMap { try? $0.value(in: .kilocalorie) }
        let roles = people.roles(of: name)
        guard let person = people.person(named: name) else {
            return WorkoutSubject(activityKilocaloriesPerHour: rate, roles: roles)
        }
        let filter = people.names.count > 1 ? name : nil
        return WorkoutSubject(
            person, bodyMass: await latest(.bodyMass, of: filter, until: now),
            height: await latest(.height, of: filter, until: now),
            restingHeartRate: await latest(.restingHeartRate, of: filter, until: now),
            on: calendar.date(at: now), activityKilocaloriesPerHour: rate, roles: roles)
    }

    private func latest(
        _ type: QuantityType, of person: String?, until now: Instant
    ) async -> Quantity? {
        guard let store else { return nil }
        return try? await store.newest(type, of: person, until: now).latest(type, until: now)?
            .quantity
    }
}

extension People {
    /// The roles of a person's devices, by local identifier.
    fileprivate func roles(of person: String) -> [String: Role] {
        var roles: [String: Role] = [:]
        for device in boundDevices where self.person(wearing: device) == person {
            roles[device] = binding(of: device)?.configuredRole
        }
        return roles
    }
}

extension SQLiteStore {
    /// The samples of some types in time order, all in memory: one workout fits.
    package nonisolated func allSamples(
        of person: String?, from: Instant, to: Instant, types: [QuantityType]
    ) async throws -> [QuantitySample] {
        var all: [QuantitySample] = []
        for try await page in samples(of: person, from: from, to: to, types: types) { all += page }
        return all
    }
}

extension Instant {
    /// The next instant, to include samples exactly at the end of a workout.
    package var next: Instant { adding(nanoseconds: 1) }
}
