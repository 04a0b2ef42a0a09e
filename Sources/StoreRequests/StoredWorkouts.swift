package import GatewayCore
package import HealthModel
package import SQLiteStore
import WorkoutService
package import Workouts

/// The workouts in a store with their samples and figures.
package struct StoredWorkouts {
    /// Time after a workout in which its recovery sample may start, in seconds.
    private static let afterSeconds: Int64 = 120

    /// The error about a workout with too many samples.
    package struct TooLong: Error, CustomStringConvertible {
        /// The maximum number.
        let limit: Int

        /// The message.
        package var description: String {
            "the workout has more than \(limit) samples; use `pulsegate workout export`"
        }
    }

    private let store: SQLiteStore
    private let subjects: WorkoutSubjectReader

    /// Creates a value from the store and what the figures depend on.
    package init(
        store: SQLiteStore, people: People, activities: Activities, calendar: LocalCalendar
    ) {
        self.store = store
        subjects = WorkoutSubjectReader(
            store: store, people: people, activities: activities, calendar: calendar)
    }

    /// A workout with its samples and totals.
    ///
    /// - Parameter limit: The maximum number of samples of its time; nil for any number.
    /// - Throws: ``TooLong``, and the errors of the store.
    package func recorded(_ workout: Workout, limit: Int? = nil) async throws -> RecordedWorkout {
        let subject = await subject(of: workout)
        var samples: [QuantitySample] = []
        let pages = store.samples(
            of: workout.person, from: workout.start, to: workout.end.next,
            types: workout.activity.sampleTypes)
        for try await page in pages {
            samples += page
            if let limit, samples.count > limit { throw TooLong(limit: limit) }
        }
        return RecordedWorkout(workout: workout, allSamples: samples, subject: subject)
    }

    /// The facts about the person at the time of the workout.
    package func subject(of workout: Workout) async -> WorkoutSubject {
        await subjects.subject(
            workout.person ?? People.defaultPerson, activity: workout.activity, at: workout.start)
    }

    /// The sample of the heart rate recovery after a workout; nil when it was not measured.
    package func recoverySample(of workout: Workout) async throws -> QuantitySample? {
        let samples = try await store.allSamples(
            of: workout.person, from: workout.end,
            to: workout.end.adding(nanoseconds: Self.afterSeconds * 1_000_000_000),
            types: [.heartRateRecoveryOneMinute])
        return samples.last { $0.metadata[.workout] == workout.identifier }
    }
}
