import HealthModel
import XCTest

final class WorkoutTests: XCTestCase {
    private func time(_ seconds: Int) -> Instant {
        RecordExamples.start.adding(nanoseconds: Int64(seconds) * 1_000_000_000)
    }

    /// A run of 100 seconds.
    private func workout(_ events: [WorkoutEvent] = []) throws -> Workout {
        try Workout(
            id: RecordExamples.id, activity: WorkoutActivity(.running), start: time(0),
            end: time(100), events: events,
            person: "ada", metadata: Metadata(["HKIndoorWorkout": .boolean(false)]))
    }

    private func error(_ body: () throws -> Workout) -> WorkoutError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? WorkoutError
        }
    }

    func testSeconds_areWithoutThePauses() throws {
        let cases: [([WorkoutEvent], Double)] = [
            ([], 100),
            ([.init(.pause, at: time(10)), .init(.resume, at: time(30))], 80),
            ([.init(.pause, at: time(90))], 90),
            (
                [
                    .init(.pause, at: time(10)), .init(.resume, at: time(20)),
                    .init(.motionPaused, at: time(50)), .init(.motionResumed, at: time(55)),
                ], 85
            ),
            // One pause within another, and one across the end of another: overlaps count once.
            (
                [
                    .init(.pause, at: time(10)), .init(.motionPaused, at: time(20)),
                    .init(.motionResumed, at: time(30)), .init(.resume, at: time(40)),
                ], 70
            ),
            (
                [
                    .init(.motionPaused, at: time(10)), .init(.pause, at: time(20)),
                    .init(.motionResumed, at: time(30)), .init(.resume, at: time(40)),
                ], 70
            ),
            ([.init(.pause, at: time(10)), .init(.pause, at: time(20))], 10),
            (
                [
                    .init(.pause, at: time(10)), .init(.resume, at: time(20)),
                    .init(.resume, at: time(30)),
                ], 90
            ),
            ([.init(.marker, at: time(10)), .init(.resume, at: time(20))], 100),
        ]
        for (events, seconds) in cases {
            XCTAssertEqual(try workout(events).seconds, seconds, "\(events.map(\.kind))")
        }
    }

    func testEvents_inAnyOrder_areSortedByTime() throws {
        let lap = try WorkoutEvent(.lap, from: time(0), to: time(50))
        let events = [
            .init(.resume, at: time(30)), WorkoutEvent(.pause, at: time(10)), lap,
            WorkoutEvent(.marker, at: time(10)),
        ]
        let sorted = try workout(events)
        XCTAssertEqual(sorted.events.map(\.kind), [.lap, .pause, .marker, .resume])
        XCTAssertEqual(sorted.seconds, 80)
    }

    func testEvents_onlyLapsAndSegmentsHaveDurations() throws {
        for kind in WorkoutEvent.Kind.allCases {
            let durationNotAllowed = try? WorkoutEvent(kind, from: time(1), to: time(2))
            XCTAssertEqual(durationNotAllowed != nil, kind == .lap || kind == .segment, "\(kind)")
            XCTAssertNotNil(try? WorkoutEvent(kind, from: time(1), to: time(1)))
            XCTAssertNil(try? WorkoutEvent(kind, from: time(2), to: time(1)))
        }
    }

    func testInit_whenAnEventIsOutside_throws() throws {
        let early = WorkoutEvent(.marker, at: time(-1))
        let late = try WorkoutEvent(.lap, from: time(90), to: time(101))
        XCTAssertEqual(error { try workout([early]) }, .eventOutside(.marker))
        XCTAssertEqual(error { try workout([late]) }, .eventOutside(.lap))
        let ends = [0, 100].map { WorkoutEvent(.marker, at: time($0)) }
        XCTAssertNil(error { try workout(ends) })
    }

    func testInit_whenTheFirstEventResumes_throws() {
        for kind in [WorkoutEvent.Kind.resume, .motionResumed] {
            let events = [WorkoutEvent(.pause, at: time(5)), WorkoutEvent(kind, at: time(4))]
            XCTAssertEqual(error { try workout(events) }, .resumedFirst)
        }
    }

    func testInit_ofInvalidValues_throws() {
        let many = Array(
            repeating: WorkoutEvent(.marker, at: time(1)), count: Workout.maximumEventCount + 1)
        XCTAssertEqual(error { try workout(many) }, .tooManyEvents)
        XCTAssertNil(error { try workout(Array(many.dropLast())) })
        let id = RecordExamples.id
        XCTAssertEqual(
            error {
                try Workout(
                    id: id, activity: WorkoutActivity(.running), start: time(1), end: time(0))
            },
            .endBeforeStart)
        XCTAssertEqual(
            error {
                try Workout(
                    id: id, activity: WorkoutActivity(.running), start: time(0), end: time(1),
                    person: "a b")
            }, .person)
    }

    func testKinds_haveHealthKitsNumbers() {
        XCTAssertEqual(WorkoutEvent.Kind.allCases.map(\.rawValue), Array(1...7))
    }

    func testSeconds_atTheEndsOfTime_doNotTrap() throws {
        let (first, last) = (
            Instant(nanosecondsSince1970: .min), Instant(nanosecondsSince1970: .max)
        )
        let workout = try Workout(
            id: RecordExamples.id, activity: WorkoutActivity(.running), start: first, end: last,
            events: [.init(.pause, at: first)])
        XCTAssertEqual(workout.seconds, 0)
    }
}
