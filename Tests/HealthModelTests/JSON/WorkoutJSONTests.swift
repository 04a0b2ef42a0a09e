import HealthModel
import XCTest

/// Workouts as JSON.
final class WorkoutJSONTests: RecordDecoderTestCase {
    private let head =
        #"{"kind":"workout","id":"0198f3c2-0123-8abc-9def-00ff10203040","activity":"running","#
        + #""start":"2026-11-21T18:15:00.000Z","end":"2026-11-21T18:25:00.000Z""#
    private let type = QuantityType.heartRate

    private struct NoWorkout: Error {}

    private func events(_ text: String) -> String { head + ",\"events\":[" + text + "]}" }

    private func totals(_ text: String) -> String { head + ",\"totals\":[" + text + "]}" }

    private func workout(_ line: String, types: QuantityTypes = .standard) throws -> Workout {
        var decoder = RecordDecoder(types: types, allowingUndeclared: types != .standard)
        guard case .workout(let workout) = try decoder.decode(Array(line.utf8)) else {
            throw NoWorkout()
        }
        return workout
    }

    private func text(_ workout: Workout) -> String {
        String(decoding: RecordExamples.line(.workout(workout)), as: UTF8.self)
    }

    func testWorkout_isWrittenAndRead() throws {
        let line =
            head + #","seconds":590,"#
            + #""events":[{"event":"lap","start":"2026-11-21T18:15:00.000Z","#
            + #""end":"2026-11-21T18:20:00.000Z","metadata":{"length":400}},"#
            + #"{"event":"pause","at":"2026-11-21T18:21:00.000Z"},"#
            + #"{"event":"resume","at":"2026-11-21T18:21:10.000Z"}],"#
            + #""totals":[{"type":"activeEnergyBurned","sum":12.5,"unit":"kcal","#
            + #""method":"ratePerHour"},{"type":"heartRate","average":132,"minimum":80,"#
            + #""maximum":171,"unit":"count/min"}],"person":"ada"}"#
        let workout = try workout(line)
        XCTAssertEqual(text(workout), line)
        XCTAssertEqual(workout.seconds, 590)
        XCTAssertEqual(workout.events.map(\.kind), [.lap, .pause, .resume])
        XCTAssertEqual(workout.totals.map(\.type), [.activeEnergyBurned, .heartRate])
        XCTAssertEqual(workout.totals.first?.method, "ratePerHour")
    }

    func testActivity_custom_isOtherWithItsName() throws {
        let line = text(try RecordExamples.prancercise())
        XCTAssertTrue(line.contains(#","activity":"other","activityName":"prancercise","#), line)
        XCTAssertEqual(try workout(line), try RecordExamples.prancercise())
        let turned = line.replacingOccurrence(of: #""activity":"other","#, with: "").dropLast()
        XCTAssertEqual(
            try workout(turned + #","activity":"other"}"#), try RecordExamples.prancercise())
    }

    func testActivityName_thatHealthKitHas_isHealthKits() throws {
        let line = text(try RecordExamples.prancercise())
            .replacingOccurrence(of: "prancercise", with: "pickleball")
        XCTAssertEqual(try workout(line).activity, WorkoutActivity(.pickleball))
    }

    func testActivity_ofANewerHealthKit_isItsNumber() throws {
        let line = head.replacingOccurrence(of: "running", with: "85") + "}"
        let activity = try workout(line).activity
        XCTAssertEqual(activity.number, 85)
        XCTAssertNil(activity.type)
        XCTAssertTrue(text(try workout(line)).contains(#""activity":"85""#))
        let known = head.replacingOccurrence(of: "running", with: "37") + "}"
        XCTAssertEqual(try workout(known).activity, WorkoutActivity(.running))
    }

    func testActivity_thatIsUnknown_isRefused() {
        for name in ["", "runing", "0", "-1", "+5", "05", "5.0", "99999999999999999999", "1e3"] {
            let line = head.replacingOccurrence(of: "running", with: name) + "}"
            guard case .invalidValue("activity", _, _) = error(line) else {
                XCTFail(name)
                continue
            }
        }
        for (activity, name) in [("running", "mine"), ("other", "a b"), ("other", "")] {
            let line =
                head.replacingOccurrence(of: "running", with: activity)
                + ",\"activityName\":\"\(name)\"}"
            guard case .invalidValue("activityName", _, _) = error(line) else {
                XCTFail("\(activity) \(name)")
                continue
            }
        }
    }

    func testKeys_thatAreMissing_areNamed() {
        for key in ["id", "activity", "start", "end"] {
            let line = head.replacingOccurrence(of: "\"\(key)\":", with: "\"x\":") + "}"
            XCTAssertEqual(error(line), .missingKey(key))
        }
        XCTAssertEqual(error(events("{}")), .missingKey("events.event"))
        XCTAssertEqual(
            error(totals(#"{"type":"heartRate","average":1}"#)), .missingKey("totals.unit"))
    }

    func testEvents_ofAnyOrderOfKeys_withUnknownOnes_areRead() throws {
        let line = events(
            #"{"x":[1],"end":"2026-11-21T18:15:02Z","start":"2026-11-21T18:15:01Z","#
                + #""event":"segment"}, {"at":"2026-11-21T18:15:00Z","event":"marker"}"#)
        XCTAssertEqual(try workout(line).events.map(\.kind), [.marker, .segment])
        XCTAssertEqual(try workout(head + #","events":[],"totals":[]}"#).events, [])
    }

    func testEvents_thatAreNotValid_areRefused() {
        let at = #""at":"2026-11-21T18:15:01Z""#
        let span = #""start":"2026-11-21T18:15:01Z","end":"2026-11-21T18:15:02Z""#
        for text in [
            #"{"event":"pause"}"#, #"{"event":"lap","start":"2026-11-21T18:15:01Z"}"#,
            #"{"event":"lap",\#(at),\#(span)}"#, #"{"event":"jump",\#(at)}"#, "1", "null",
            #"{"event":"lap","at":1}"#,
        ] {
            guard case .invalidValue = error(events(text)) else {
                XCTFail("\(text) \(String(describing: error(events(text))))")
                continue
            }
        }
        XCTAssertEqual(
            error(events(#"{"event":"pause",\#(span)}"#)),
            .invalidWorkout(.durationNotAllowed(.pause)))
        XCTAssertEqual(
            error(events(#"{"event":"resume",\#(at)}"#)), .invalidWorkout(.resumedFirst))
        let outside = at.replacingOccurrence(of: "18:15", with: "18:14")
        XCTAssertEqual(
            error(events(#"{"event":"marker",\#(outside)}"#)),
            .invalidWorkout(.eventOutside(.marker)))
        guard case .duplicateKey("at", _) = error(events(#"{"event":"pause",\#(at),\#(at)}"#))
        else { return XCTFail("twice") }
    }

    func testEvents_areBoundedBeforeAllAreRead() {
        let one = #"{"event":"pause","at":"2026-11-21T18:15:01Z"},"#
        let many = String(repeating: one, count: Workout.maximumEventCount + 1)
        guard case .invalidValue("events", _, _) = error(events(many + "}")) else {
            return XCTFail("not refused")
        }
    }

    func testEvents_upToTheLimit_fitALine() throws {
        let start = RecordExamples.start
        let laps = try (0..<Workout.maximumEventCount).map {
            try WorkoutEvent(
                .lap, from: start.adding(nanoseconds: Int64($0)),
                to: start.adding(nanoseconds: Int64($0) + 1))
        }
        let workout = try Workout(
            id: RecordExamples.id, activity: WorkoutActivity(.running), start: start,
            end: start.adding(nanoseconds: 1_000_000_000), events: laps, person: "ada",
            device: RecordExamples.device, source: RecordExamples.source)
        XCTAssertLessThan(
            RecordExamples.line(.workout(workout)).count, RecordDecoder.maximumLineLength)
        XCTAssertEqual(try self.workout(text(workout)), workout)
    }

    func testInit_ofWhatDoesNotFitALine_isTooLong() throws {
        let full = try Metadata(["x": .string(String(repeating: "x", count: 4_000))])
        let start = RecordExamples.start
        func workout(_ count: Int) throws -> Workout {
            try Workout(
                id: RecordExamples.id, activity: WorkoutActivity(.running), start: start,
                end: start,
                events: (0..<count).map { _ in WorkoutEvent(.marker, at: start, metadata: full) })
        }
        XCTAssertNoThrow(try workout(10))
        XCTAssertThrowsError(try workout(20)) { XCTAssertEqual($0 as? WorkoutError, .tooLong) }
    }

    func testTotals_thatAreNotValid_areRefused() {
        for text in [
            #"{"type":"sleepAnalysis","sum":1,"unit":"count"}"#, #"{"sum":1,"unit":"count"}"#,
            #"{"type":"heartRate","unit":"count/min"}"#, "[]",
            #"{"type":"heartRate","average":1,"minimum":1,"unit":"count/min"}"#,
            #"{"type":"heartRate","average":1,"minimum":1,"maximum":1,"sum":1,"unit":"count/min"}"#,
            #"{"type":"heartRate","average":"1","unit":"count/min"}"#,
        ] {
            guard case .invalidValue = error(totals(text)) else {
                XCTFail("\(text) \(String(describing: error(totals(text))))")
                continue
            }
        }
        let energy = #"{"type":"activeEnergyBurned","sum":1,"unit":"kcal"}"#
        XCTAssertEqual(
            error(totals(energy + "," + energy)),
            .invalidWorkout(.duplicateTotal("activeEnergyBurned")))
        XCTAssertEqual(
            error(totals(energy.replacingOccurrence(of: "kcal", with: "count"))),
            .invalidWorkout(.total("activeEnergyBurned")))
        XCTAssertEqual(
            error(totals(#"{"type":"heartRate","sum":1,"unit":"count/min"}"#)),
            .invalidWorkout(.total("heartRate")))
        guard case .unknownType = error(totals(#"{"type":"x","sum":1,"unit":"count"}"#)) else {
            return XCTFail("unknown")
        }
    }

    func testTotals_areConvertedToOneUnit() throws {
        let total = try WorkoutTotal(
            type, average: Quantity(2, .countPerSecond), minimum: Quantity(60, .countPerMinute),
            maximum: Quantity(180, .countPerMinute))
        XCTAssertEqual(total.minimum, try Quantity(1, .countPerSecond))
        XCTAssertEqual(total.maximum, try Quantity(3, .countPerSecond))
    }

    func testTotals_ofAnUndeclaredType_areForwarded() throws {
        let jumps = try QuantityType(custom: "jumps", aggregationStyle: .cumulative, unit: .count)
        let line = totals(#"{"type":"jumps","sum":5,"unit":"count"}"#)
        let declared = try workout(line, types: QuantityTypes(custom: [jumps]))
        XCTAssertEqual(declared.totals, [try WorkoutTotal(jumps, sum: Quantity(5, .count))])

        let hops = try QuantityType(custom: "hops", aggregationStyle: .cumulative, unit: .count)
        var decoder = RecordDecoder(
            types: try QuantityTypes(custom: [hops]), allowingUndeclared: true)
        let undeclared = try decoder.decode(Array(line.utf8))
        XCTAssertEqual(RecordExamples.line(undeclared), RecordExamples.line(.workout(declared)))
        XCTAssertEqual(decoder.undeclaredTypes, ["jumps"])

        let different = try QuantityType(
            custom: "jumps", aggregationStyle: .discreteArithmetic, unit: .meter)
        let kept = try workout(line, types: QuantityTypes(custom: [different]))
        XCTAssertEqual(text(kept), text(declared))
    }

    func testKey_ofAWorkout_isIgnoredInAMember() throws {
        let line = String(
            decoding: RecordExamples.line(.correlation(try RecordExamples.bloodPressure())),
            as: UTF8.self)
        let more = line.replacingOccurrence(of: #"[{"#, with: #"[{"events":1,"totals":2,"#)
        XCTAssertEqual(try decode(more), .correlation(try RecordExamples.bloodPressure()))
    }

    func testType_isThatOfWorkouts() throws {
        let record = Record.workout(try RecordExamples.run())
        XCTAssertEqual(record.type, .workout)
        XCTAssertEqual(record.typeName, "workout")
        XCTAssertEqual(record.person, "ada")
        XCTAssertEqual(record.id, RecordExamples.id)
        XCTAssertEqual(record.device, RecordExamples.device)
        for name in ["workout", "HKWorkoutTypeIdentifier"] {
            XCTAssertEqual(RecordType.other(named: name), .workout)
        }
    }
}
