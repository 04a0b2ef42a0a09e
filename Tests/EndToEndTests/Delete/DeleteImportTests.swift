import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

/// `pulsegate delete import` undoes an import, and an import brings back what was deleted.
final class DeleteImportTests: XCTestCase {
    /// Heart rates as ndjson without ids or people.
    private func lines(_ minutes: Range<Int>) -> String {
        minutes.map { minute in
            let time = String(format: "2026-01-01T%02d:%02d:00Z", minute / 60, minute % 60)
            return #"{"type":"heartRate","start":"\#(time)","end":"\#(time)","value":60,"#
                + #""unit":"count/min"}"# + "\n"
        }.joined()
    }

    /// A TCX file of a run of some seconds.
    private func run(seconds: Int) -> String {
        func time(_ second: Int) -> String {
            String(format: "2026-11-20T08:%02d:%02dZ", second / 60, second % 60)
        }
        let points = stride(from: 0, through: seconds, by: 5).map { second in
            "<Trackpoint><Time>\(time(second))</Time><HeartRateBpm><Value>140</Value>"
                + "</HeartRateBpm></Trackpoint>"
        }
        return """
            <?xml version="1.0"?>
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(time(0))</Id>
            <Lap StartTime="\(time(0))"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
            <Calories>\(seconds / 6)</Calories><Track>\(points.joined())</Track></Lap>
            </Activity></Activities></TrainingCenterDatabase>
            """
    }

    private func run(_ home: Home, _ words: String..., line: UInt = #line) async throws -> String {
        let outcome = try await home.run(words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        return outcome.output
    }

    func testUndo_deletesTheRecordsOfTheFile_andNoOthers() async throws {
        let home = try Home()
        let (wrong, right) = (
            try home.write(lines(0..<600), to: "wrong.ndjson"),
            try home.write(lines(600..<700), to: "right.ndjson")
        )
        _ = try await run(home, "import", wrong, right)
        let preview = try await home.run("delete", "import", wrong, "--dry-run")
        XCTAssertTrue(preview.error.contains("600 records would be deleted"), preview.error)
        let undone = try await run(home, "delete", "import", wrong, "--yes")
        XCTAssertTrue(undone.hasSuffix("600 records deleted\n"), undone)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 100)
        let none = try await home.run("delete", "import", wrong, "--yes")
        XCTAssertEqual(none.error, "pulsegate: no records of \(wrong) found\n")
        let again = try await run(home, "import", wrong)
        XCTAssertEqual(again, "imported 600 records, 0 were already in the store\n")
    }

    func testFilesThatCannotBeRead_doNotStopTheOthers() async throws {
        let home = try Home()
        let good = try home.write(lines(0..<5), to: "good.ndjson")
        let zip = try home.write("PK\u{3}\u{4}", to: "z.zip")
        let run = try home.write("<TrainingCenterDatabase>", to: "cut.tcx")
        let missing = home.folder.path("missing.csv")
        _ = try await self.run(home, "import", good)
        let undone = try await home.run("delete", "import", missing, zip, run, good, "--yes")
        XCTAssertEqual(undone.ending, .exited(1))
        XCTAssertTrue(undone.output.hasSuffix("5 records deleted\n"), undone.output)
        for part in ["cannot read \(missing)", zip, run] {
            XCTAssertTrue(undone.error.contains("pulsegate: \(part): "), undone.error)
        }
        XCTAssertTrue(undone.error.hasSuffix("3 of 4 files were not read\n"), undone.error)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 0)
        let alone = try await home.run("delete", "import", missing, "--yes")
        XCTAssertEqual(alone.ending, .exited(1))
        XCTAssertEqual(
            alone.error, "pulsegate: cannot read \(missing): No such file or directory\n")
    }

    func testUndo_ofAFileWithAnError_deletesWhatItsImportStored() async throws {
        let home = try Home()
        let path = try home.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="de_DE"><ExportDate value="2024-02-01 20:15:30 +0100"/>
            <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
            startDate="2024-01-31 12:34:00 +0100" endDate="2024-01-31 12:34:00 +0100" value="70"/>
            <Record type="HKQuan
            """, to: "export.xml")
        let imported = try await home.run("import", path)
        XCTAssertEqual(imported.ending, .exited(1))
        let before = try await home.count("heartRate")
        XCTAssertEqual(before, 1)
        let undone = try await home.run("delete", "import", path, "--yes")
        XCTAssertEqual(undone.ending, .exited(0), undone.error)
        XCTAssertEqual(undone.error.components(separatedBy: "the file is corrupt").count, 2)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 0)
    }

    /// The import would otherwise continue at its place, and leave out what was deleted.
    func testUndo_ofAnInterruptedImport_letsTheNextOneStartFromTheBeginning() async throws {
        let (home, path, count) = try await interruptedImport()
        _ = try await run(home, "delete", "import", path, "--yes")
        let rest = try await home.run("import", path)
        XCTAssertEqual(
            rest.output, "imported \(count) records, 0 were already in the store\n", rest.error)
    }

    func testDeletionOfSamples_afterAnInterruptedImport_letsTheNextOneStartFromTheBeginning()
        async throws
    {
        let (home, path, count) = try await interruptedImport()
        _ = try await run(home, "delete", "sample", "heartRate", "--yes")
        let rest = try await home.run("import", path)
        XCTAssertEqual(
            rest.output, "imported \(count) records, 0 were already in the store\n", rest.error)
    }

    private func line(_ number: Int) -> String {
        let time = String(
            format: "2026-01-%02dT%02d:%02d:%02dZ", number / 86_400 + 1, number / 3_600 % 24,
            number / 60 % 60, number % 60)
        return #"{"type":"heartRate","start":"\#(time)","end":"\#(time)","value":60,"#
            + #""unit":"count/min"}"# + "\n"
    }

    /// Kills an import when its place is kept.
    ///
    /// - Parameter before: The numbers of the lines of another file that is imported before.
    private func interruptedImport(
        before: Range<Int> = 0..<0
    ) async throws -> (Home, path: String, count: Int) {
        let home = try Home()
        let count = 60_000
        if !before.isEmpty {
            let other = try home.write(before.map(line).joined(), to: "other.ndjson")
            _ = try await run(home, "import", other)
        }
        let path = try home.write((0..<count).map(line).joined(), to: "large.ndjson")
        let command = try home.start("import", path)
        let places = "\(home.dataDirectory)/imports.json"
        for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: places) {
            await command.letRun(seconds: 0.01)
        }
        await command.send(SIGKILL)
        guard case .killed = try await command.waitForEnd() else {
            throw XCTSkip("the import has ended before its place was kept")
        }
        return (home, path, count)
    }

    // MARK: What the import brought

    func testUndo_leavesWhatWasInTheStoreBefore() async throws {
        let home = try Home()
        let (first, second) = (
            try home.write(lines(0..<50), to: "first.ndjson"),
            try home.write(lines(0..<100), to: "second.ndjson")
        )
        _ = try await run(home, "import", first)
        _ = try await run(home, "import", second)
        let preview = try await home.run("delete", "import", second, "--dry-run")
        XCTAssertTrue(preview.error.contains("50 records would be deleted"), preview.error)
        XCTAssertTrue(
            preview.error.contains(
                "\(second): 50 of its records were stored before or by another import, and stay"),
            preview.error)
        let undone = try await run(home, "delete", "import", second, "--yes")
        XCTAssertTrue(undone.hasSuffix("50 records deleted\n"), undone)
        let left = try await home.samples(of: .heartRate)
        XCTAssertEqual(left.count, 50)
        XCTAssertEqual(left.last?.start, Home.fillTime.adding(nanoseconds: 49 * 60_000_000_000))
        // What is stored again by another import is that import's.
        _ = try await run(home, "import", second)
        _ = try await run(home, "delete", "sample", "heartRate", "--yes")
        _ = try await run(home, "import", second)
        let none = try await home.run("delete", "import", first, "--yes")
        XCTAssertTrue(none.error.hasSuffix("no records of \(first) found\n"), none.error)
        let all = try await home.run("delete", "import", first, "--all", "--yes")
        XCTAssertTrue(all.output.hasSuffix("50 records deleted\n"), all.output + all.error)
    }

    func testUndo_ofAFileThatHasGrown_takesBackBothImports() async throws {
        let home = try Home()
        for count in [10, 20] {
            let path = try home.write(lines(0..<count), to: "day.ndjson")
            _ = try await run(home, "import", path)
        }
        let undone = try await run(
            home, "delete", "import", home.folder.path("day.ndjson"), "--yes")
        XCTAssertTrue(undone.hasSuffix("20 records deleted\n"), undone)
    }

    func testUndo_ofAnImportThatWasContinued_takesBackAllOfIt() async throws {
        let (home, path, count) = try await interruptedImport(before: 1_000..<1_010)
        let rest = try await home.run("import", path)
        XCTAssertTrue(rest.output.contains("of the rest of the file"), rest.output)
        let undone = try await run(home, "delete", "import", path, "--yes")
        XCTAssertTrue(undone.hasSuffix("\n\(count - 10) records deleted\n"), undone)
        let left = try await home.count("heartRate")
        XCTAssertEqual(left, 10)
    }

    /// The place of an interrupted import is kept outside of the store.
    func testStoreRemovedByHand_isFilledFromTheBeginning_andKnowsNoEarlierImport() async throws {
        let (home, path, count) = try await interruptedImport()
        let removeStore = {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(
                    atPath: "\(home.dataDirectory)/health.sqlite\(end)")
            }
        }
        removeStore()
        let all = try await home.run("import", path)
        XCTAssertEqual(
            all.output, "imported \(count) records, 0 were already in the store\n", all.error)
        removeStore()
        try await home.fill([try Home.heartRate(0)])
        let unknown = try await home.run("delete", "import", path, "--yes")
        XCTAssertEqual(unknown.ending, .exited(0))
        XCTAssertEqual(
            unknown.error,
            "pulsegate: note: \(path): the store does not know this import; with --all, all records "
                + "of the file are deleted\npulsegate: no records of \(path) found\n")
    }

    func testWorkoutFile_thatCompletedAWorkout_takesBackOnlyWhatItAdded() async throws {
        let home = try Home()
        let short = try home.write(run(seconds: 60), to: "short.tcx")
        let long = try home.write(run(seconds: 120), to: "long.tcx")
        _ = try await run(home, "import", short)
        let before = try await home.samples(of: .heartRate)
        _ = try await run(home, "import", long)
        let copy = try home.write(run(seconds: 120), to: "copy.tcx")
        _ = try await run(home, "import", copy)
        let nothing = try await home.run("delete", "import", copy, "--yes")
        // It has stored nothing, but it is no longer an import that has the workout.
        XCTAssertEqual(nothing.output, "0 records deleted\n", nothing.error)
        _ = try await run(home, "delete", "import", long, "--yes")
        let left = try await home.samples(of: .heartRate)
        XCTAssertEqual(left.map(\.id), before.map(\.id))
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts.count, 1)
        _ = try await run(home, "delete", "import", short, "--yes")
        let rest = [try await home.count("heartRate"), try await home.count("workout")]
        XCTAssertEqual(rest, [0, 0])
    }

    // MARK: A person who is deleted meanwhile

    func testImport_ofAPersonWhoIsDeletedMeanwhile_endsWithAMessage_andLeavesNothing() async throws
    {
        let home = try Home()
        _ = try await run(home, "people", "set", "bob")
        let path = try home.write((0..<120_000).map(line).joined(), to: "large.ndjson")
        let command = try home.start("import", path, "--person", "bob")
        let places = "\(home.dataDirectory)/imports.json"
        for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: places) {
            await command.letRun(seconds: 0.01)
        }
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        let ending = try await command.waitForEnd()
        XCTAssertEqual(ending, .exited(1))
        let messages = await command.text(of: .error)
        XCTAssertTrue(messages.contains("bob was deleted meanwhile"), messages)
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readOnly)
        for sql in [
            "SELECT count(*) FROM sample", "SELECT count(*) FROM person WHERE name = 'bob'",
        ] {
            let count = try store.prepare(sql)
            XCTAssertTrue(try count.step())
            XCTAssertEqual(count.integer(at: 0), 0, sql)
        }
        XCTAssertFalse(
            (try? String(contentsOfFile: places, encoding: .utf8))?.contains("bob") ?? false)
    }

    func testWorkoutFile_isUndone_andImportedAgain() async throws {
        let home = try Home()
        let path = try home.write(run(seconds: 120), to: "run.tcx")
        let first = try await run(home, "import", path)
        let samples = try await home.samples(of: .heartRate)
        XCTAssertEqual(samples.count, 25)
        _ = try await run(home, "delete", "import", path, "--yes")
        let left = [try await home.count("heartRate"), try await home.count("workout")]
        XCTAssertEqual(left, [0, 0])
        let again = try await run(home, "import", path)
        XCTAssertEqual(again, first)
        let restored = try await home.samples(of: .heartRate)
        XCTAssertEqual(restored, samples)
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts.count, 1)
    }

    /// A gateway delivers the records, whose store would otherwise take them for a repetition.
    func testDeletedWorkout_isRestoredByItsFile_alsoWhileAGatewayRuns() async throws {
        let home = try Home()
        let path = try home.write(run(seconds: 120), to: "run.tcx")
        for isRunning in [false, true] {
            _ = try await run(home, "workout", "import", path)
            let gateway = isRunning ? try await home.startIdleGateway() : nil
            let deleted = try await run(
                home, "delete", "workout", "last", "--with-samples", "--yes")
            XCTAssertTrue(deleted.hasSuffix("records deleted\n"), deleted)
            let left = [try await home.count("heartRate"), try await home.count("workout")]
            XCTAssertEqual(left, [0, 0])
            let again = try await run(home, "workout", "import", path)
            XCTAssertTrue(again.hasPrefix("imported running"), again)
            let restored = [try await home.count("heartRate"), try await home.count("workout")]
            XCTAssertEqual(restored, [25, 1], "with a gateway: \(isRunning)")
            await gateway?.send(SIGTERM)
            try await gateway?.waitForEnd()
        }
    }
}
