import HealthModel
import WorkoutFiles
import Workouts
import XCTest

final class WorkoutFileTests: XCTestCase {
    private func text(
        _ recorded: RecordedWorkout, _ format: WorkoutFileFormat
    ) throws -> String {
        let bytes = try WorkoutFile.export(recorded, as: format, by: RecordedRun.recorder)
        return try XCTUnwrap(String(validating: bytes, as: UTF8.self))
    }

    func testFormat_ofAPath_isDetectedByItsExtension() {
        XCTAssertEqual(WorkoutFileFormat(path: "/tmp/run.FIT"), .fit)
        XCTAssertEqual(WorkoutFileFormat(path: "a.b/run.tcx"), .tcx)
        XCTAssertEqual(WorkoutFileFormat(path: "run.csv"), .csv)
        XCTAssertEqual(WorkoutFileFormat(path: "run.json"), .json)
        XCTAssertEqual(WorkoutFileFormat(path: "run.gpx"), .gpx)
        for path in ["run", "a.fit/run", ".fit", "run.", "", "run.fit.gz", "/"] {
            XCTAssertNil(WorkoutFileFormat(path: path), path)
        }
    }

    func testGPX_isRefusedWithWhatToDo() throws {
        let recorded = try RecordedRun().recorded()
        XCTAssertThrowsError(
            try WorkoutFile.export(recorded, as: .gpx, by: RecordedRun.recorder)
        ) { XCTAssertTrue("\($0)".contains("use FIT or TCX"), "\($0)") }
        let file = Array("<?xml version=\"1.0\"?><gpx><trk/></gpx>".utf8)
        XCTAssertThrowsError(try WorkoutFile.read(file)) {
            XCTAssertTrue("\($0)".contains("is GPX"), "\($0)")
        }
    }

    func testFIT_beforeItsTimesBegin_isRefused() throws {
        let start = Instant(nanosecondsSince1970: 0)
        let workout = try Workout(
            id: RecordID(high: 1, low: 1), activity: WorkoutActivity(.running), start: start,
            end: start.adding(nanoseconds: 1_000_000_000))
        let recorded = RecordedWorkout(
            workout: workout, samples: [], measures: WorkoutMeasures(), laps: [], zones: nil)

        XCTAssertThrowsError(
            try WorkoutFile.export(recorded, as: .fit, by: RecordedRun.recorder)
        ) { XCTAssertEqual($0 as? WorkoutFileError, .timesOutOfRange) }
        XCTAssertNoThrow(try WorkoutFile.export(recorded, as: .tcx, by: RecordedRun.recorder))
    }

    func testValues_thatDoNotFitTheFormat_areLeftOutAndNeverTrap() throws {
        var run = RecordedRun()
        try run.add(.heartRate, 300, 1, from: RecordedRun.strap)
        try run.add(.heartRate, 1e300, 2, from: RecordedRun.strap)
        try run.add(.heartRate, -5, 3, from: RecordedRun.strap)
        try run.add(.heartRate, 120, 4, from: RecordedRun.strap)
        try run.add(.runningCadence, 1e9, 1, from: RecordedRun.pod)
        try run.add(.runningSpeed, 1e12, 1, from: RecordedRun.pod)
        for (second, watts) in [-5, 65_535, 65_536, 1e12, -1e300].enumerated() {
            try run.add(.runningPower, watts, Double(second), from: RecordedRun.pod)
        }
        try run.add(.rrInterval, 1e15, 1, 4, from: RecordedRun.strap)
        try run.add(.distanceWalkingRunning, 1e200, 4, 5, from: RecordedRun.pod)
        try run.add(.activeEnergyBurned, 1e200, 4, 5, from: RecordedRun.box)
        let recorded = try run.recorded()

        for format in [WorkoutFileFormat.fit, .tcx] {
            let bytes = try WorkoutFile.export(recorded, as: format, by: RecordedRun.recorder)
            let rates = try WorkoutFile.read(bytes).samples.of(.heartRate).map(\.quantity.value)
            XCTAssertEqual(rates.last, 120, "\(format)")
            XCTAssertFalse(rates.contains { $0 > 300 || $0 < 20 }, "\(format)")
        }
        for format in [WorkoutFileFormat.csv, .json] {
            XCTAssertNoThrow(try text(recorded, format))
        }
    }

    func testTCX_escapesAndLeavesOutWhatXMLDoesNotAllow() throws {
        let recorded = try RecordedRun().recorded()
        let recorder = SourceRevision(name: "A<b>&\"c\"\u{1}\u{FFFE}\u{0}é", version: "x2.7")

        let bytes = try WorkoutFile.export(recorded, as: .tcx, by: recorder)

        let text = try XCTUnwrap(String(validating: bytes, as: UTF8.self))
        XCTAssertTrue(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Training"))
        XCTAssertTrue(text.contains("<Name>A&lt;b&gt;&amp;&quot;c&quot;é</Name>"))
        XCTAssertTrue(text.contains("<VersionMajor>2</VersionMajor>"))
        XCTAssertEqual(try WorkoutFile.read(bytes).workout.device?.name, "A<b>&\"c\"é")
    }

    func testTCX_hasNoEmptyTrack() throws {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(0.4)),
            WorkoutEvent(.resume, at: RecordedRun.at(9)),
            WorkoutEvent(.pause, at: RecordedRun.at(400)),
        ]
        let text = try text(try run.recorded(laps: [0.4, 5, 500]), .tcx)
        XCTAssertFalse(text.contains("<Track></Track>"))
        XCTAssertEqual(text.components(separatedBy: "<Lap ").count, 4)
        XCTAssertEqual(text.components(separatedBy: "<Track>").count, 2)
    }

    func testCSV_hasARowForEachReading() throws {
        var run = RecordedRun()
        let quoted = Device(name: "a \"b\", c")
        try run.add(.heartRate, 72.5, 1, from: quoted)
        try run.add(.rrInterval, 800, 0.2, 1, from: quoted)
        try run.add(.rrInterval, 810, 0.19, 1, from: quoted)
        try run.add(.heartRate, 80, 1, from: RecordedRun.strap)
        try run.add(.stepCount, 3, 1, 2, from: RecordedRun.pod)
        try run.add(.distanceWalkingRunning, 2.5, 1, 2, from: RecordedRun.pod)
        try run.add(.runningPower, 231, 2, from: RecordedRun.pod)
        run.events = [WorkoutEvent(.marker, at: RecordedRun.at(1.5))]

        let lines = try text(try run.recorded(laps: [0], end: 3), .csv)
            .components(separatedBy: "\r\n")

        XCTAssertEqual(
            lines.first,
            "time_iso8601_utc,elapsed_s,heart_rate_bpm,rr_ms,steps,cadence_spm,distance_m,"
                + "speed_mps,power_w,energy_kcal,event,source,device")
        let time = "\(RecordedRun.at(1)),1,"
        XCTAssertEqual(
            Set(lines[2...3]),
            [
                time + "72.5,810;800,,,,,,,,strap,\"a \"\"b\"\", c\"",
                time + "80,,,,,,,,,strap,Polar H10 A1",
            ])
        XCTAssertEqual(lines[1], "\(RecordedRun.at(0)),0,,,,,,,,,start,workout,")
        XCTAssertEqual(lines[4], "\(RecordedRun.at(1.5)),1.5,,,,,,,,,marker,workout,")
        XCTAssertEqual(lines[5], "\(RecordedRun.at(2)),2,,,3,,2.5,,231,,,strap,Pod & <Co>")
        XCTAssertEqual(lines[6], "\(RecordedRun.at(3)),3,,,,,,,,,end,workout,")
        XCTAssertEqual(lines[7...], [""])
    }

    func testJSON_hasEverything() throws {
        var run = RecordedRun()
        run.totals = [
            try WorkoutTotal(
                .activeEnergyBurned, sum: Quantity(12, .kilocalorie), method: "counter")
        ]
        try run.add(.heartRate, 72, 1, from: RecordedRun.strap)
        run.events = [WorkoutEvent(.marker, at: RecordedRun.at(1.5))]
        let recorded = try run.recorded(laps: [0, 2], end: 3)

        let bytes = try WorkoutFile.export(recorded, as: .json, by: RecordedRun.recorder)

        let object = try XCTUnwrap(
            JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        XCTAssertEqual(object["id"] as? String, "\(recorded.workout.id)")
        XCTAssertEqual(object["kind"] as? String, "workout")
        XCTAssertEqual(object["activity"] as? String, "running")
        XCTAssertEqual(object["location"] as? String, "outdoor")
        XCTAssertEqual(object["start"] as? String, "\(RecordedRun.at(0))")
        XCTAssertEqual(object["person"] as? String, "anna")
        XCTAssertEqual((object["device"] as? [String: String])?["name"], "attic")
        XCTAssertEqual((object["laps"] as? [[String: Any]])?.count, 2)
        XCTAssertEqual((object["events"] as? [[String: Any]])?.first?["event"] as? String, "marker")
        XCTAssertEqual((object["totals"] as? [[String: Any]])?.first?["sum"] as? Double, 12)
        let measures = try XCTUnwrap(object["measures"] as? [String: Any])
        XCTAssertEqual((measures["heartRate"] as? [String: Double])?["average"], 72)
        let samples = try XCTUnwrap(object["samples"] as? [[String: Any]])
        var line: [UInt8] = []
        RecordEncoder.append(.sample(recorded.samples[0]), to: &line)
        XCTAssertTrue(
            String(decoding: bytes, as: UTF8.self).contains(String(decoding: line, as: UTF8.self)))
        XCTAssertEqual(samples.count, 1)
    }
}
