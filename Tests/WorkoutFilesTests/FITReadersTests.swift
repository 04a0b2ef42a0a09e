import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// FIT files, read by other programs.
final class FITReadersTests: XCTestCase {
    private struct Message {
        let name: String
        let fields: [String: Any]

        func number(_ field: String) -> Double? { (fields[field] as? NSNumber)?.doubleValue }
    }

    private static let epoch = 631_065_600.0
    private static let base = Double(RecordedRun.at(0).nanosecondsSince1970 / 1_000_000_000)

    private func read(_ recorded: RecordedWorkout) throws -> [Message] {
        let calendar = LocalCalendar { _ in 3_600 }
        let bytes = try WorkoutFile.export(
            recorded, as: .fit, by: RecordedRun.recorder, calendar: calendar)
        let found = try PythonReader.read(bytes, "read_fit.py")
        XCTAssertEqual(found.count, 3)
        for (name, answer) in found { XCTAssertNil(answer["error"], name) }
        XCTAssertEqual(found["garmin-fit-sdk"]?["whole"] as? Bool, true)
        XCTAssertEqual(found["garmin-fit-sdk"]?["errors"] as? [String], [])
        let lists = try XCTUnwrap(found["fitdecode"]?["messages"] as? [[Any]])
        let messages = lists.compactMap { list -> Message? in
            guard let name = list[0] as? String, let fields = list[1] as? [String: Any] else {
                return nil
            }
            return Message(name: name, fields: fields)
        }
        // All three found the same messages.
        let counts = Dictionary(grouping: messages, by: \.name).mapValues(\.count)
        XCTAssertEqual(found["fitparse"]?["counts"] as? [String: Int], counts)
        let garmin = try XCTUnwrap(found["garmin-fit-sdk"]?["counts"] as? [String: Int])
        for (name, count) in counts { XCTAssertEqual(garmin[name + "_mesgs"], count, name) }
        return messages
    }

    /// The names in order, each once where many follow each other.
    private func order(_ messages: [Message]) -> [String] {
        messages.map(\.name).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    func testFullRun_isReadByAll_withEveryMessageInOrder() throws {
        let messages = try read(try RecordedRun.full())

        XCTAssertEqual(
            order(messages.filter { !["record", "hrv"].contains($0.name) }),
            ["file_id", "file_creator", "device_info", "event", "lap", "session", "activity"])
        let id = try XCTUnwrap(messages.first)
        XCTAssertEqual(id.number("type"), 4)
        XCTAssertEqual(id.number("manufacturer"), 255)
        XCTAssertEqual(id.number("time_created"), Self.base - Self.epoch)
        XCTAssertEqual(messages[1].number("software_version"), 140)
        let devices = messages.filter { $0.name == "device_info" }
        XCTAssertEqual(devices.map { $0.number("device_index") }, [0, 1, 2])
        let names = devices.map { ($0.fields["product_name"] as? String) ?? "" }
        XCTAssertEqual(Set(names), ["attic", "Polar H10 A1", "Pod & <Co>"])
        let strap = try XCTUnwrap(devices.first { $0.number("manufacturer") == 123 })
        // One reader derives the device type from the kind of radio.
        XCTAssertEqual(strap.number("ble_device_type") ?? strap.number("device_type"), 1)
        XCTAssertEqual(strap.number("source_type"), 3)
        XCTAssertEqual(strap.number("serial_number"), 12_345_678)
    }

    func testEvents_areTimerAndMarkers_withoutRecordsInPauses() throws {
        let messages = try read(try RecordedRun.full())

        let events = messages.filter { $0.name == "event" }
        let kinds = events.map { [$0.number("event"), $0.number("event_type")] }
        XCTAssertEqual(
            kinds, [[0, 0], [0, 1], [0, 0], [32, 3], [0, 1], [0, 0], [0, 4]])
        let times = events.compactMap { $0.number("timestamp") }.map { $0 + Self.epoch - Self.base }
        XCTAssertEqual(times, [0, 600, 660, 1_000, 1_500, 1_559, 2_520])
        var isRunning = false
        var last = 0.0
        for message in messages where message.name == "event" || message.name == "record" {
            let time = try XCTUnwrap(message.number("timestamp"))
            XCTAssertGreaterThanOrEqual(time, last, "in the order of time")
            if message.name == "record" {
                XCTAssertTrue(isRunning, "a record in a pause")
            } else if message.number("event") == 0 {
                isRunning = message.number("event_type") == 0
            }
            last = time
        }
        XCTAssertFalse(isRunning)
    }

    func testRecords_haveWhatWasMeasured() throws {
        let recorded = try RecordedRun.full()
        let records = try read(recorded).filter { $0.name == "record" }

        XCTAssertEqual(Set(records.compactMap { $0.number("timestamp") }).count, records.count)
        XCTAssertGreaterThan(records.count, 2_370)
        let first = try XCTUnwrap(records.first { $0.number("heart_rate") != nil })
        XCTAssertEqual(first.number("heart_rate"), 120)
        XCTAssertEqual(first.number("cadence"), 82)
        XCTAssertEqual(first.number("fractional_cadence"), 64)
        XCTAssertEqual(first.number("speed"), 2_750)
        XCTAssertEqual(first.number("power"), 210)
        let distances = records.compactMap { $0.number("distance") }
        XCTAssertEqual(distances.count, records.count)
        XCTAssertEqual(distances, distances.sorted())
        let meters = recorded.samples.sum(.distanceWalkingRunning)
        XCTAssertEqual(distances.last ?? 0, (meters * 100).rounded())
        let calories = records.compactMap { $0.number("calories") }
        XCTAssertEqual(calories, calories.sorted())
        XCTAssertEqual(
            calories.last ?? 0, recorded.samples.sum(.activeEnergyBurned).rounded())
    }

    func testBeats_followTheRecordOfTheirSecond() throws {
        let recorded = try RecordedRun.full()
        let messages = try read(recorded)

        var second: Int64 = 0
        var found: [Int64: [Double]] = [:]
        for message in messages {
            if message.name == "record" {
                second = Int64(message.number("timestamp") ?? 0) + Int64(Self.epoch)
            }
            guard message.name == "hrv" else { continue }
            let times = try XCTUnwrap(message.fields["time"] as? [Any])
            XCTAssertEqual(times.count, 5)
            // The tail is padded, and only the tail.
            let numbers = times.map { ($0 as? NSNumber)?.doubleValue ?? 65_535 }
            let values = numbers.prefix { $0 != 65_535 }
            XCTAssertTrue(numbers.dropFirst(values.count).allSatisfy { $0 == 65_535 })
            found[second, default: []] += values
        }
        var expected: [Int64: [Double]] = [:]
        for sample in recorded.samples.of(.rrInterval) {
            expected[sample.end.nanosecondsSince1970 / 1_000_000_000, default: []].append(
                sample.quantity.value.rounded())
        }
        XCTAssertEqual(found, expected)
    }

    func testSums_ofTheLapsAreTheSession() throws {
        let recorded = try RecordedRun.full()
        let messages = try read(recorded)

        let laps = messages.filter { $0.name == "lap" }
        let session = try XCTUnwrap(messages.first { $0.name == "session" })
        let activity = try XCTUnwrap(messages.last)
        XCTAssertEqual(laps.count, 3)
        for field in [
            "total_elapsed_time", "total_timer_time", "total_distance", "total_calories",
            "total_work",
        ] {
            let numbers = laps.compactMap { $0.number(field) }
            XCTAssertEqual(numbers.count, 3, field)
            XCTAssertEqual(numbers.reduce(0, +), session.number(field), field)
        }
        XCTAssertEqual(session.number("total_elapsed_time"), 2_520_000)
        XCTAssertEqual(session.number("total_timer_time"), 2_400_000)
        XCTAssertEqual(activity.number("total_timer_time"), 2_400_000)
        XCTAssertEqual(laps.map { $0.number("lap_trigger") }, [0, 0, 7])
        XCTAssertEqual(laps.map { $0.number("message_index") }, [0, 1, 2])
        let starts = laps.compactMap { $0.number("start_time") }.map { $0 + Self.epoch - Self.base }
        XCTAssertEqual(starts, [0, 800, 1_700])
        XCTAssertEqual(session.number("sport"), 1)
        XCTAssertEqual(session.number("sub_sport"), 0)
        XCTAssertEqual(session.number("num_laps"), 3)
        let rate = try XCTUnwrap(recorded.measures.heartRate)
        XCTAssertEqual(session.number("avg_heart_rate"), rate.average.rounded())
        XCTAssertEqual(session.number("max_heart_rate"), rate.maximum)
        XCTAssertEqual(session.number("min_heart_rate"), rate.minimum)
        XCTAssertEqual(
            activity.number("local_timestamp"), (activity.number("timestamp") ?? 0) + 3_600)
    }

    func testSteps_areStridesOfTwo_inLapsAndSession() throws {
        let recorded = try RecordedRun.full()
        let messages = try read(recorded)

        func steps(_ message: Message) throws -> Double {
            let fraction = try XCTUnwrap(message.number("total_fractional_cycles")) / 128
            return 2 * (try XCTUnwrap(message.number("total_strides")) + fraction)
        }
        let laps = try messages.filter { $0.name == "lap" }.map(steps)
        let whole = try steps(try XCTUnwrap(messages.first { $0.name == "session" }))
        XCTAssertEqual(laps.count, 3)
        XCTAssertEqual(laps.reduce(0, +), whole)
        XCTAssertEqual(whole, recorded.samples.sum(.stepCount).rounded())
    }

    func testSteps_ofSportsThatCountOtherCycles_areNotWritten() throws {
        for type in [WorkoutActivityType.cycling, .rowing, .traditionalStrengthTraining, .jumpRope]
        {
            var run = RecordedRun()
            run.activity = WorkoutActivity(type)
            try run.add(.stepCount, 100, 1, 60, from: RecordedRun.pod)
            let messages = try read(try run.recorded())

            for message in messages {
                let cycles = message.fields.keys.filter { $0.hasPrefix("total_str") }
                XCTAssertEqual(cycles, [], "\(type) \(message.name)")
                XCTAssertNil(message.number("total_cycles"), "\(type) \(message.name)")
            }
        }
    }

    func testWorkoutWithoutSamples_isReadByAll() throws {
        var run = RecordedRun()
        run.activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        let messages = try read(try run.recorded())

        XCTAssertEqual(
            order(messages),
            ["file_id", "file_creator", "device_info", "event", "lap", "session", "activity"])
        let session = try XCTUnwrap(messages.first { $0.name == "session" })
        XCTAssertEqual(session.number("sport"), 0)
        XCTAssertEqual(session.fields["sport_profile_name"] as? String, "prancercise")
        XCTAssertNil(session.number("total_distance"))
    }

    func testReaders_refuseAFileWithOneWrongBit() throws {
        var bytes = try WorkoutFile.export(
            try RecordedRun.full(), as: .fit, by: RecordedRun.recorder)
        bytes[bytes.count / 2] ^= 1

        let found = try PythonReader.read(bytes, "read_fit.py")

        XCTAssertNotNil(found["fitdecode"]?["error"])
        XCTAssertNotNil(found["fitparse"]?["error"])
        XCTAssertEqual(found["garmin-fit-sdk"]?["whole"] as? Bool, false)
        XCTAssertThrowsError(try WorkoutFile.read(bytes)) {
            XCTAssertEqual($0 as? WorkoutFileError, .checksum)
        }
    }

    func testFile_thatGarminsProgramWrote_isRead() throws {
        let imported = try WorkoutFile.read(try PythonReader.written(by: "write_fit.py"))

        let workout = imported.workout
        XCTAssertEqual(workout.activity.type, .cycling)
        XCTAssertEqual(workout.location, .indoor)
        XCTAssertEqual("\(workout.start)", "2026-09-21T14:00:00.000Z")
        XCTAssertEqual("\(workout.end)", "2026-09-21T14:03:00.000Z")
        XCTAssertEqual(workout.seconds, 120)
        XCTAssertEqual(workout.events.map(\.kind), [.lap, .pause, .resume])
        XCTAssertEqual(workout.device?.name, "BOLT")
        XCTAssertEqual(workout.device?.manufacturer, "Wahoo")
        let rates = imported.samples.of(.heartRate)
        XCTAssertEqual(rates.map(\.quantity.value), [Double](repeating: 130, count: 122))
        XCTAssertEqual(rates.first?.device?.manufacturer, "Garmin")
        XCTAssertEqual(imported.samples.of(.cyclingSpeed).first?.quantity.value, 8.5)
        XCTAssertEqual(imported.samples.of(.cyclingCadence).count, 122)
        XCTAssertEqual(imported.samples.sum(.distanceCycling), 1_028.5, accuracy: 0.01)
        XCTAssertEqual(imported.samples.sum(.activeEnergyBurned), 24)
        XCTAssertEqual(imported.samples.of(.rrInterval).count, 244)
        XCTAssertEqual(imported.skipped.positions, 122)
    }
}
