import HealthModel
import Workouts
import XCTest

/// The stored text of a session, encoded and decoded.
final class WorkoutSessionJSONTests: XCTestCase {
    private func full() throws -> WorkoutSession {
        let plan = try WorkoutPlan(
            json5: "{name: 'easy', steps: [{repeat: 2, steps: [{time: '4m', zone: [1, 2]}]}]}")
        let activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        var session = WorkoutSession(
            id: RecordID(high: 7, low: 1 << 63), person: "ada", activity: activity,
            location: .indoor, plan: plan)
        try session.prepare(at: SampleMaker.at(0))
        try session.start(at: SampleMaker.at(1.000000001))
        try session.lap(at: SampleMaker.at(60), metadata: Metadata(["PulsegateStep": .number(1)]))
        try session.pause(at: SampleMaker.at(70))
        try session.resume(at: SampleMaker.at(80))
        try session.marker(at: SampleMaker.at(90))
        try session.segment(
            from: SampleMaker.at(62), to: SampleMaker.at(65),
            metadata: Metadata([
                "PulsegateBackupDevice": .string("H\"10"),
                "HKLapLength": .quantity(Quantity(400, .meter)), "b": .boolean(true),
                "when": .date(SampleMaker.at(3.5)),
            ]))
        return session
    }

    func testJSON_ofEachState_readsBackTheSame() throws {
        var session = WorkoutSession(
            id: RecordID(high: 7, low: 1 << 63), person: "me", activity: WorkoutActivity(.rowing))
        var states = [session]
        try session.prepare(at: SampleMaker.at(0))
        states.append(session)
        states.append(try full())
        session = try full()
        try session.pause(at: SampleMaker.at(100))
        states.append(session)
        try session.stop(at: SampleMaker.at(110))
        states.append(session)
        try session.end(at: SampleMaker.at(120))
        states.append(session)

        for session in states {
            let read = try WorkoutSession(json: session.json)
            XCTAssertEqual(read, session)
            XCTAssertEqual(read.json, session.json)
        }
    }

    func testJSON_continuesAsIfNothingHadHappened() throws {
        var session = try WorkoutSession(json: full().json)

        try session.pause(at: SampleMaker.at(1))

        // The last call was at 90 s.
        XCTAssertEqual(session.events.last?.start, SampleMaker.at(90))
    }

    func testJSON_ofTheLargestSession_canBeRead() throws {
        var session = WorkoutSession(
            id: RecordID(high: 7, low: 1 << 63), person: "me", activity: WorkoutActivity(.rowing))
        try session.start(at: SampleMaker.at(0))
        let metadata = try Metadata(["note": .string(String(repeating: "x", count: 500))])
        for second in 1...Workout.maximumEventCount - 8 {
            try session.lap(at: SampleMaker.at(Double(second)), metadata: metadata)
        }

        XCTAssertEqual(try WorkoutSession(json: session.json), session)
    }

    func testInit_ofTextThatDoesNotFit_namesTheKey() throws {
        let text = try full().json
        let changes: [(String, String, String)] = [
            ("\"v\":1", "\"v\":2", "v: is not supported by this version of pulsegate"),
            ("\"person\":\"ada\"", "\"person\":\"a/b\"", "person: "),
            ("\"person\":\"ada\"", "\"person\":7", "person: expected a string, found a number"),
            ("\"location\":\"indoor\"", "\"location\":\"indor\"", "location: "),
            ("\"state\":\"running\"", "\"state\":\"stopped\"", "`start` and `end` do not match"),
            ("\"state\":\"running\"", "\"state\":\"paused\"", "events: do not match the state"),
            ("\"kind\":\"resume\"", "\"kind\":\"pause\"", "events[2]: does not match"),
            ("\"kind\":\"marker\"", "\"kind\":\"motionPaused\"", "events[3]: is not a valid"),
            ("\"activity\":\"prancercise\"", "\"activity\":\"running\"", "activity: "),
            ("\"activity\":\"prancercise\"", "\"activity\":0", "activity: "),
            ("\"id\":\"", "\"id\":\"z", "id: must be a UUID"),
            ("\"time\":\"4m\"", "\"time\":\"4x\"", "plan.steps[0].steps[0].time: "),
            ("\"v\":1", "\"v\":1,\"w\":1", "w: unknown key"),
        ]
        for (old, new, message) in changes {
            XCTAssertTrue(text.contains(old), old)
            let changed = text.replacingOccurrences(of: old, with: new)
            XCTAssertThrowsError(try WorkoutSession(json: changed), new) { error in
                XCTAssertTrue("\(error)".hasPrefix(message), "\(new) → \(error)")
            }
        }
    }

    func testInit_ofEveryTruncation_throws() throws {
        let text = Array(try full().json.utf8)
        for count in 0..<text.count {
            XCTAssertThrowsError(
                try WorkoutSession(json: String(decoding: text[0..<count], as: UTF8.self)))
        }
    }

    func testInit_ofTimesOutOfOrder_throws() throws {
        var session = WorkoutSession(
            id: RecordID(high: 7, low: 1 << 63), person: "me", activity: WorkoutActivity(.rowing))
        try session.start(at: SampleMaker.at(0))
        try session.marker(at: SampleMaker.at(5))
        let start = SampleMaker.at(0).description
        for time in [SampleMaker.at(-9), SampleMaker.at(9)] {
            let moved = session.json.replacingOccurrences(
                of: "\"from\":\"\(SampleMaker.at(5))\"", with: "\"from\":\"\(time)\"")
            XCTAssertNotEqual(moved, session.json)
            XCTAssertThrowsError(try WorkoutSession(json: moved)) {
                XCTAssertEqual("\($0)", "events[0]: is outside the workout")
            }
        }
        let late = session.json.replacingOccurrences(
            of: "\"start\":\"\(start)\"", with: "\"start\":\"\(SampleMaker.at(6))\"")
        XCTAssertThrowsError(try WorkoutSession(json: late))
    }
}
