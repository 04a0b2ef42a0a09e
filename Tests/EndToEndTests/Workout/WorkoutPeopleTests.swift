import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

/// Several people and several straps: what belongs to whom, and which strap counts.
final class WorkoutPeopleTests: XCTestCase {
    // MARK: Two people

    func testTwoPeople_atOnce_haveZonesOfTheirOwn_andNothingOfEachOther() async throws {
        let box = try await WorkoutBox(WorkoutBox.adaAndBob)
        let adas = await BeatingStrap(box.box, BluetoothBox.ada, rate: 150, serial: "A")
        let bobs = await BeatingStrap(box.box, BluetoothBox.bob, rate: 150, serial: "B")
        await box.box.waitUntilHeard(BluetoothBox.ada)
        await box.box.waitUntilHeard(BluetoothBox.bob)
        let unnamed = try await box.home.run("workout", "start", "--activity", "running")
        XCTAssertEqual(unnamed.ending, .exited(64))
        XCTAssertTrue(unnamed.error.contains("ada, bob"), unnamed.error)

        for person in ["ada", "bob"] {
            try await box.workout("start", "--activity", "running", "--person", person)
            try await box.waitForRate(150, of: person)
        }
        let ada = try await box.heart(of: "ada")
        let bob = try await box.heart(of: "bob")
        // Tanaka's maximum: 162 at 66, 193 at 21.
        XCTAssertEqual(ada["zone"] as? Int, 5)
        XCTAssertEqual(bob["zone"] as? Int, 3)
        XCTAssertEqual(ada["device"] as? String, "Red strap")
        XCTAssertEqual(bob["device"] as? String, "Blue strap")

        adas.beat(140)
        bobs.beat(160)
        try await box.waitForRate(140, of: "ada")
        try await box.waitForRate(160, of: "bob")
        for person in ["ada", "bob"] { try await box.workout("stop", "--person", person) }
        try await assertExport(of: "ada", has: 140, "Red strap", notThat: 160, "Blue strap", box)
        try await assertExport(of: "bob", has: 160, "Blue strap", notThat: 140, "Red strap", box)
        try await box.box.end(box.gateway)
        withExtendedLifetime((adas, bobs)) {}
    }

    /// No file of a person has what the other's strap has told.
    private func assertExport(
        of person: String, has rate: Int, _ strap: String, notThat other: Int,
        _ otherStrap: String, _ box: WorkoutBox, line: UInt = #line
    ) async throws {
        let home = box.home
        let values: [String: (Int) -> String] = [
            "csv": { ",\($0)," }, "json": { "\"value\":\($0)," }, "tcx": { ">\($0)<" },
        ]
        for (format, value) in values {
            let text = try await box.workout(
                "export", "-", "--format", format, "--person", person, line: line)
            XCTAssertTrue(text.contains(value(rate)), "\(format): \(text)", line: line)
            XCTAssertFalse(text.contains(value(other)), "\(format): \(text)", line: line)
            XCTAssertFalse(text.contains(otherStrap), "\(format): \(text)", line: line)
        }
        let path = home.folder.path("\(person).fit")
        try await box.workout("export", path, "--person", person, line: line)
        let imported = try Home()
        let outcome = try await imported.run("workout", "import", path)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        let rates = try await imported.samples(of: .heartRate).map {
            try $0.quantity.value(in: .countPerMinute)
        }
        XCTAssertTrue(rates.contains(Double(rate)), "\(rates)", line: line)
        XCTAssertFalse(rates.contains(Double(other)), "\(rates)", line: line)
        // The zones in the record are those of the person.
        let json = try await box.workout(
            "export", "-", "--format", "json", "--person", person, line: line)
        let object =
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
        let measures = try XCTUnwrap(object["measures"] as? [String: Any], json)
        let zones = try XCTUnwrap(measures["zoneSeconds"] as? [Double], json)
        let longest = try XCTUnwrap(zones.indices.max { zones[$0] < zones[$1] })
        XCTAssertTrue(
            person == "ada" ? [4, 5].contains(longest) : [3, 4].contains(longest), "\(zones)",
            line: line)
    }

    // MARK: Two straps

    func testBackup_countsWhileThePrimaryIsAway_andIsRecorded() async throws {
        let box = try await WorkoutBox(WorkoutBox.twoStraps)
        let red = await BeatingStrap(box.box, BluetoothBox.ada, rate: 150, serial: "A")
        let blue = await BeatingStrap(box.box, BluetoothBox.bob, rate: 120, serial: "B")
        await box.box.waitUntilHeard(BluetoothBox.ada)
        await box.box.waitUntilHeard(BluetoothBox.bob)
        let pane = try await TerminalPane(
            box.home, columns: 80, rows: 24, environment: ["LANG": "C.UTF-8"])
        try await pane.run("pulsegate workout start --activity running")
        let primary = try await pane.wait(for: "150") { HeartScreen.drawnRate(in: $0) == 150 }
        XCTAssertFalse(primary.contains { $0.contains("backup") }, "\(primary)")
        try await box.waitForMore(10, of: "Blue strap")
        try await box.waitForRate(150, of: "me")

        await red.leave()
        let backup = try await pane.wait(for: "120") { HeartScreen.drawnRate(in: $0) == 120 }
        XCTAssertTrue(backup.contains { $0.contains("backup: Blue strap") }, "\(backup)")
        let heart = try await box.heart(of: "me")
        XCTAssertEqual(heart["backup"] as? Bool, true)
        XCTAssertEqual(heart["device"] as? String, "Blue strap")
        // Longer than a strap may be silent before another one counts in its place: 5 s.
        try await box.waitForMore(50, of: "Blue strap")

        await red.comeBack(to: box.box, serial: "A")
        let back = try await pane.wait(for: "150 again") { HeartScreen.drawnRate(in: $0) == 150 }
        XCTAssertFalse(back.contains { $0.contains("backup") }, "\(back)")
        try await box.waitForMore(5, of: "Red strap")
        try await box.workout("stop")
        try await pane.type("q")
        let end = try await pane.waitForPrompt()
        XCTAssertTrue(
            end.contains { $0.contains("backup strap Blue strap used") }, "\(end)")
        try await assertRecorded(box)
        withExtendedLifetime(blue) {}
    }

    private func assertRecorded(_ box: WorkoutBox) async throws {
        try await box.box.end(box.gateway)
        let workout = try await { try XCTUnwrap($0.first) }(box.home.workouts())
        let segments = workout.events.filter { $0.kind == .segment }
        XCTAssertEqual(
            segments.map { $0.metadata[MetadataKey<String>("PulsegateBackupDevice")] },
            ["Blue strap"])
        let samples = try await box.home.samples(of: .heartRate)
        let red = samples.filter { $0.device?.name == "Red strap" }
        let blue = samples.filter { $0.device?.name == "Blue strap" }
        XCTAssertEqual(red.count + blue.count, samples.count, "both are kept as they were")
        let segment = try XCTUnwrap(segments.first)
        XCTAssertGreaterThan(segment.end.nanoseconds(since: segment.start), 5_000_000_000)
        // The red one was away, and counts again with the first reading after 5 s.
        let early = red.filter { segment.start < $0.end && $0.end < segment.end }
            .filter { segment.end.nanoseconds(since: $0.end) > 7_000_000_000 }
        XCTAssertEqual(early, [])
        XCTAssertGreaterThan(
            blue.count { segment.start <= $0.end && $0.end <= segment.end }, 20)
        // Blue has told its rate all the time, not only while it counted.
        XCTAssertTrue(blue.contains { workout.start < $0.end && $0.end < segment.start })
    }
}
