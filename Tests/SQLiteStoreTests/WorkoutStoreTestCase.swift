import HealthModel
import XCTest

@testable import SQLiteStore

/// A test case with workouts and workout sessions for a store.
class WorkoutStoreTestCase: StoreTestCase {
    let strap = Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55")

    func workout(
        _ number: Int, from start: Int = 0, to end: Int = 60,
        activity: WorkoutActivity = WorkoutActivity(.running), person: String? = "ada",
        metadata: Metadata = Metadata()
    ) throws -> Workout {
        try Workout(
            id: RecordID(high: UInt64(number) << 48, low: 1), activity: activity,
            start: instant(start), end: instant(end), person: person, metadata: metadata)
    }

    /// A workout with all fields.
    func full(_ number: Int) throws -> Workout {
        let lap = try WorkoutEvent(
            .lap, from: instant(0), to: instant(30),
            metadata: Metadata(["HKLapLength": .quantity(Quantity(400, .meter))]))
        return try Workout(
            id: RecordID(high: UInt64(number) << 48, low: 1),
            activity: XCTUnwrap(WorkoutActivity(customName: "prancercise")), location: .outdoor,
            start: instant(0), end: instant(600),
            events: [
                lap, WorkoutEvent(.pause, at: instant(30)), WorkoutEvent(.resume, at: instant(40)),
            ],
            totals: [
                WorkoutTotal(
                    .heartRate, average: Quantity(132.125, .countPerMinute),
                    minimum: Quantity(80, .countPerMinute), maximum: Quantity(171, .countPerMinute)
                ),
                WorkoutTotal(
                    .activeEnergyBurned, sum: Quantity(12.5, .kilocalorie), method: "ratePerHour"),
            ], person: "ada", device: strap,
            source: SourceRevision(name: "workout", version: "1"),
            metadata: Metadata(["HKWorkoutBrandName": .string("Park \u{e9}"), "n": .number(1)]))
    }

    func records(_ workouts: [Workout]) -> [Record] { workouts.map { .workout($0) } }

    func session(_ number: Int, _ person: String, _ text: String = "{}") -> PersistedSession {
        PersistedSession(
            id: RecordID(high: UInt64(number), low: 3), person: person, text: text,
            seen: instant(number))
    }
}
