package import GatewayCore
package import GatewayHost
package import HealthModel
import HealthStatistics
package import SQLiteStore
import StoreRequests
import WorkoutService
import Workouts

/// Reads the weeks of workouts from the store.
package struct TrendReader {
    private let store: SQLiteStore
    private let people: People
    private let subjects: WorkoutSubjectReader
    private let calendar: LocalCalendar

    /// Creates a reader.
    package init(
        store: SQLiteStore, people: People, activities: Activities, calendar: LocalCalendar
    ) {
        self.store = store
        self.people = people
        self.calendar = calendar
        subjects = WorkoutSubjectReader(
            store: store, people: people, activities: activities, calendar: calendar)
    }

    /// The last weeks, the oldest first; the last one is not over.
    ///
    /// - Parameters:
    ///   - activity: Only workouts of this activity; nil for all.
    ///   - person: Only records of this person; nil for all people.
    package func weeks(
        _ count: Int, until now: Instant, of activity: WorkoutActivity?, _ person: String?,
        types: QuantityTypes
    ) async throws(HostError) -> [TrendWeek] {
        let spans = Self.spans(count, until: now, calendar)
        guard let start = spans.first?.lowerBound else { return [] }
        let query = WorkoutQuery(activity: activity, person: person, from: start, to: now.next)
        var sums = TrendSums(weeks: spans)
        do {
            for workout in try await store.workouts(matching: query, types: types).reversed() {
                sums.add(workout, zoneSeconds: try await zoneSeconds(of: workout))
            }
        } catch {
            throw HostError(error)
        }
        var weeks = sums.weeks
        let resting = try await averages(of: .restingHeartRate, person, in: spans)
        let variabilities = try await averages(of: .heartRateVariabilitySDNN, person, in: spans)
        for index in weeks.indices {
            weeks[index].restingHeartRate = resting[index]
            weeks[index].variability = variabilities[index]
        }
        return weeks
    }

    /// The weeks of the calendar, of which the last one contains a time and ends there.
    static func spans(
        _ count: Int, until now: Instant, _ calendar: LocalCalendar
    ) -> [Range<Instant>] {
        guard let week = CalendarStep(1, .week) else { return [] }
        let last = calendar.date(at: calendar.start(ofStepWith: now, week))
        guard let first = last.adding(days: -7 * (count - 1)) else { return [] }
        return calendar.steps(of: calendar.start(of: first)..<now.next, by: week) ?? []
    }

    /// The time in each zone, by the rules of the live view, of which only the heart rate is needed.
    private func zoneSeconds(of workout: Workout) async throws -> [Double] {
        let subject = await subjects.subject(
            workout.person ?? People.defaultPerson, activity: workout.activity, at: workout.start)
        guard subject.zones != nil else { return [] }
        let rates = try await store.allSamples(
            of: workout.person, from: workout.start, to: workout.end.next, types: [.heartRate])
        guard !rates.isEmpty else { return [] }
        return RecordedWorkout(workout: workout, allSamples: rates, subject: subject)
            .measures.zoneSeconds
    }

    private func averages(
        of type: QuantityType, _ person: String?, in spans: [Range<Instant>]
    ) async throws(HostError) -> [Double?] {
        let query = SampleQuery(type: type, person: person)
        let reader = StatisticsReader(store: store, query: query, people: people)
        return try await reader.rows(in: spans).map { $0.statistics.average?.value }
    }
}
