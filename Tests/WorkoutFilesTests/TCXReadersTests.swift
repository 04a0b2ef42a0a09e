import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// TCX files, read by other programs.
final class TCXReadersTests: XCTestCase {
    private func read(_ recorded: RecordedWorkout) throws -> [String: [String: Any]] {
        let bytes = try WorkoutFile.export(recorded, as: .tcx, by: RecordedRun.recorder)
        let found = try PythonReader.read(bytes, "read_tcx.py", schema: "tcx.xsd")
        XCTAssertEqual(found["lxml"]?["errors"] as? [String], [])
        XCTAssertEqual(found["lxml"]?["valid"] as? Bool, true)
        return found
    }

    func testFullRun_isReadByAll() throws {
        let recorded = try RecordedRun.full()

        let found = try read(recorded)

        XCTAssertEqual(found.count, 3)
        for (name, answer) in found { XCTAssertNil(answer["error"], name) }
        let reader = try XCTUnwrap(found["tcxreader"])
        XCTAssertEqual(reader["sport"] as? String, "Running")
        XCTAssertEqual(reader["laps"] as? Int, 3)
        let points = try XCTUnwrap(reader["points"] as? [[Any]])
        XCTAssertGreaterThan(points.count, 2_370)
        let rates = points.compactMap { ($0[2] as? NSNumber)?.doubleValue }
        XCTAssertEqual(rates.max(), recorded.measures.heartRate?.maximum)
        let meters = recorded.samples.sum(.distanceWalkingRunning)
        XCTAssertEqual(reader["distance"] as? Double ?? 0, meters, accuracy: 0.006)
        let energy = recorded.samples.sum(.activeEnergyBurned).rounded()
        XCTAssertEqual(reader["calories"] as? Double, energy)
        let extensions = points.compactMap { $0[4] as? [String: Double] }.filter { !$0.isEmpty }
        XCTAssertEqual(extensions.first?["Speed"], 2.75)
        XCTAssertEqual(extensions.first?["RunCadence"], 83)
        XCTAssertEqual(extensions.first?["Watts"], 210)

        let parser = try XCTUnwrap(found["python-tcxparser"])
        XCTAssertEqual(parser["sport"] as? String, "running")
        XCTAssertEqual(parser["seconds"] as? Double ?? 0, 2_400, accuracy: 0.01)
        XCTAssertEqual(parser["calories"] as? Double, energy)
        XCTAssertEqual(parser["highest"] as? Double, recorded.measures.heartRate?.maximum)
        XCTAssertEqual(parser["values"] as? Int, rates.count)
    }

    func testOtherWorkouts_fitTheSchema() throws {
        var ride = RecordedRun()
        ride.activity = WorkoutActivity(.cycling)
        try ride.add(.cyclingCadence, 90, 3, from: RecordedRun.pod)
        try ride.add(.cyclingSpeed, 9.25, 3, from: RecordedRun.pod)
        try ride.add(.cyclingPower, 231.4, 3, from: RecordedRun.pod)
        let points = try XCTUnwrap(
            try read(try ride.recorded())["tcxreader"]?["points"] as? [[Any]])
        XCTAssertEqual(points.compactMap { $0[3] as? Double }, [90])
        let watts = points.compactMap { ($0[4] as? [String: Double])?["Watts"] }
        XCTAssertEqual(watts, [231])

        var other = RecordedRun()
        other.activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        other.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(0.4)),
            WorkoutEvent(.resume, at: RecordedRun.at(9)),
        ]
        try other.add(.heartRate, 90, 4, from: RecordedRun.strap)
        try other.add(.heartRate, 400, 10, from: RecordedRun.strap)
        _ = try read(try other.recorded(laps: [0.4, 5, 500]))
    }
}
