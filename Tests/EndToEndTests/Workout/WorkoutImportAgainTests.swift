import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

/// A workout that is imported again, in part or in another format, is counted once.
final class WorkoutImportAgainTests: XCTestCase {
    private static let types = ["activeEnergyBurned", "distanceWalkingRunning"]
    private static let minutes = 10
    private static let wholeSeconds = 600

    private func write(seconds: Int, every step: Int = 5, into home: Home) throws -> String {
        let name = "run-\(seconds)-\(step).tcx"
        try home.folder.write(Array(TCXRun(seconds: seconds, step: step).text.utf8), to: name)
        return home.folder.path(name)
    }

    private func assertImport(
        _ path: String, into home: Home, _ words: String, line: UInt = #line
    ) async throws {
        let outcome = try await home.run("workout", "import", path)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        XCTAssertTrue(outcome.output.contains(words), outcome.output, line: line)
        XCTAssertEqual(outcome.error, "", line: line)
    }

    /// The undo of an import that made a workout longer gives back its earlier version, on every screen.
    func testUndo_ofAFileThatCompletedTheWorkout_restoresTheVersionBefore() async throws {
        let home = try Home()
        func screens() async throws -> [String] {
            let list = try await home.run("workout", "list", "--json")
            let shown = try await home.run("workout", "show")
            // The store has another version, with another id.
            let own = /"id":"[^"]*"|,"metadata":\{[^}]*\}|[0-9a-f]{8}-[0-9a-f-]+/
            return [list.output, shown.output].map { $0.replacing(own, with: "") }
        }
        let part = try write(seconds: 400, into: home)
        let whole = try write(seconds: 600, into: home)
        try await assertImport(part, into: home, "imported")
        let before = try await screens()
        try await assertImport(whole, into: home, "completed")
        let between = try await screens()
        XCTAssertNotEqual(between, before)
        let undone = try await home.run("delete", "import", whole, "--yes")
        XCTAssertEqual(undone.ending, .exited(0), undone.error)
        let after = try await screens()
        XCTAssertEqual(after, before)
        // It can be completed, and undone, again.
        try await assertImport(whole, into: home, "completed")
        let again = try await screens()
        XCTAssertEqual(again, between)
        _ = try await home.run("delete", "import", whole, "--yes")
        let last = try await screens()
        XCTAssertEqual(last, before)
    }

    /// Steps that a gateway has counted before and after its workout are in the time of the longer one.
    func testAFileThatMakesAWorkoutLonger_countsTheStoredSamplesOfItsWholeTime() async throws {
        let home = try Home()
        func line(_ fields: String, _ first: Int, _ last: Int) -> String {
            #"{\#(fields),"start":"2026-11-20T08:0\#(first):00Z","end":"2026-11-20T08:0\#(last):00Z"}"#
        }
        let steps = (0..<9).map {
            line(#""type":"stepCount","value":60,"unit":"count""#, $0, $0 + 1)
        }
        let workout = line(#""kind":"workout","activity":"running""#, 3, 6)
        let text = (steps + [workout]).joined(separator: "\n")
        try home.folder.write(Array(text.utf8), to: "gateway.ndjson")
        let stored = try await home.run("import", home.folder.path("gateway.ndjson"))
        XCTAssertEqual(stored.ending, .exited(0), stored.error)
        try await assertImport(write(seconds: 540, into: home), into: home, "completed")
        let totals = try await home.workouts().flatMap(\.totals)
        XCTAssertEqual(totals.first { $0.type == .stepCount }?.sum?.value, 540)
    }

    /// The earlier version, which an undo would restore, is deleted with the workout.
    func testDeletedWorkout_thatAFileHadCompleted_isInNoFileOfTheStore() async throws {
        for words in [
            ["workout", "last", "--with-samples"], ["person", "ada"],
        ] {
            let home = try Home()
            _ = try await home.run("people", "set", "ada")
            for seconds in [400, 500, 600] {
                let outcome = try await home.run(
                    "import", write(seconds: seconds, into: home), "--person", "ada")
                XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            }
            XCTAssertTrue(try storeFiles(home).contains("\"kind\":\"workout\""))
            let deleted = try await home.run(["delete"] + words + ["--yes"])
            XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
            XCTAssertFalse(try storeFiles(home).contains("\"kind\":\"workout\""), "\(words)")
        }
    }

    private func storeFiles(_ home: Home) throws -> String {
        try ["", "-wal"].map { ending in
            let path = "\(home.dataDirectory)/health.sqlite\(ending)"
            guard FileManager.default.fileExists(atPath: path) else { return "" }
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }.joined()
    }

    /// The samples of two workouts of the same time lie between each other.
    func testUndo_besideAWorkoutOfTheSameTime_takesItsOwn() async throws {
        let home = try Home()
        for person in ["ada", "bob"] {
            _ = try await home.run("people", "set", person)
            try home.folder.write(Array(TCXRun(seconds: 300).text.utf8), to: "\(person).tcx")
            let outcome = try await home.run(
                "import", home.folder.path("\(person).tcx"), "--person", person)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let samples = try await stored(home)
        for person in ["ada", "bob"] {
            let undone = try await home.run(
                "delete", "import", home.folder.path("\(person).tcx"), "--person", person, "--yes")
            XCTAssertEqual(undone.ending, .exited(0), undone.error)
            let left = try await stored(home)
            XCTAssertEqual(left.count, person == "ada" ? samples.count / 2 : 0, undone.error)
            XCTAssertFalse(left.contains { $0.person == person })
        }
    }

    /// The own exports of records have workouts too, which the store may have from other files.
    func testExportsOfRecords_completeAWorkoutFromAnotherFile() async throws {
        let source = try Home()
        try await assertImport(
            write(seconds: Self.wholeSeconds, into: source), into: source, "imported running")
        for name in ["o.ndjson", "o.xml"] {
            let records = source.folder.path(name)
            let exported = try await source.run("export", records)
            XCTAssertEqual(exported.ending, .exited(0), exported.error)
            for isPartFirst in [true, false] {
                let home = try Home()
                let part = try write(seconds: 400, into: home)
                for path in isPartFirst ? [part, records, records] : [records, part, records] {
                    let outcome = try await home.run("import", path)
                    XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
                }
                try await assertWhole(home, "\(name), the part first: \(isPartFirst)")
                guard isPartFirst else { continue }
                // An undo leaves the part.
                let undone = try await home.run("delete", "import", records, "--yes")
                XCTAssertEqual(undone.ending, .exited(0), undone.error)
                let alone = try Home()
                try await assertImport(
                    write(seconds: 400, into: alone), into: alone, "imported running")
                let (left, expected) = (try await stored(home), try await stored(alone))
                XCTAssertEqual(left.map(\.id), expected.map(\.id), name)
                let ends = try await home.workouts().map(\.end)
                let expectedEnds = try await alone.workouts().map(\.end)
                XCTAssertEqual(ends, expectedEnds, name)
            }
            // With other points it has the same name, because its times are the same.
            let sparse = try Home()
            try await assertImport(
                write(seconds: Self.wholeSeconds, every: 20, into: sparse), into: sparse,
                "imported running")
            _ = try await sparse.run("import", records)
            for type in Self.types {
                let (sum, whole) = (try await sums(type, sparse), try await sums(type, source))
                XCTAssertEqual(sum[0], whole[0], accuracy: 1e-6, "\(name): \(type)")
            }
            let home = try Home()
            try await assertImport(export(source), into: home, "imported running")
            let again = try await home.run("import", records)
            XCTAssertTrue(again.output.hasPrefix("imported 0 records, "), again.output)
            try await assertWhole(home, "FIT, then \(name)")
        }
    }

    private func export(_ home: Home) async throws -> String {
        let path = home.folder.path("exported.fit")
        let outcome = try await home.run("workout", "export", path)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return path
    }

    /// The sums of the day, and those of each minute of the run.
    private func sums(_ type: String, _ home: Home) async throws -> [Double] {
        var sums: [Double] = []
        for words in [
            ["--from", "2026-11-20T00:00:00Z", "--to", "2026-11-21T00:00:00Z"],
            ["--from", "2026-11-20T08:00:00Z", "--to", "2026-11-20T08:10:00Z", "--every", "1m"],
        ] {
            let outcome = try await home.run(["statistics", type, "--format", "json"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            let rows = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            sums += (rows as? [[String: Any]] ?? []).map { $0["sum"] as? Double ?? 0 }
        }
        XCTAssertEqual(sums.count, 1 + Self.minutes)
        return sums
    }

    /// Asserts that the store has the same sums as that of the whole file alone.
    private func assertWhole(_ home: Home, _ story: String) async throws {
        let alone = try Home()
        try await assertImport(
            write(seconds: Self.wholeSeconds, into: alone), into: alone, "imported running")
        for type in Self.types {
            let (sums, expected) = (try await sums(type, home), try await sums(type, alone))
            for (place, (sum, wanted)) in zip(sums, expected).enumerated() {
                // Files have whole units.
                XCTAssertEqual(
                    sum, wanted, accuracy: 1 + wanted * 0.002, "\(story): \(type) \(place)")
            }
        }
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts.count, 1, story)
        let energy = workouts.first?.totals.first { $0.type == .activeEnergyBurned }?.sum
        XCTAssertEqual(try XCTUnwrap(energy).value(in: .kilocalorie), 100, accuracy: 1, story)
    }

    /// Everything that an import stores.
    private func stored(_ home: Home) async throws -> [QuantitySample] {
        var samples = try await home.samples(of: .heartRate)
        samples += try await home.samples(of: .activeEnergyBurned)
        return samples + (try await home.samples(of: .distanceWalkingRunning))
    }

    func testAPart_thenTheWhole_thenItsExport_countOnce() async throws {
        let home = try Home()
        try await assertImport(write(seconds: 240, into: home), into: home, "imported running")
        try await assertImport(
            write(seconds: Self.wholeSeconds, into: home), into: home, "completed running")
        try await assertWhole(home, "part, whole")
        try await assertChangesNothing(home)
    }

    /// The points of a FIT file have energy in whole kilocalories, which rises every few seconds.
    func testAPartInFIT_thenTheWholeInTCX_countOnce_inEachMinute() async throws {
        let other = try Home()
        try await assertImport(write(seconds: 240, into: other), into: other, "imported running")
        let home = try Home()
        try await assertImport(export(other), into: home, "imported running")
        try await assertImport(
            write(seconds: Self.wholeSeconds, into: home), into: home, "completed running")
        try await assertWhole(home, "part in FIT, whole in TCX")
        try await assertChangesNothing(home)
    }

    private func assertChangesNothing(_ home: Home) async throws {
        let (before, workouts) = (try await stored(home), try await home.workouts())
        XCTAssertGreaterThan(before.count, 100)
        for path in [
            try await export(home), try write(seconds: Self.wholeSeconds, into: home),
            try write(seconds: 240, into: home),
        ] {
            try await assertImport(path, into: home, "is already in the store")
        }
        let after = (try await stored(home), try await home.workouts())
        XCTAssertEqual(after.0, before)
        XCTAssertEqual(after.1, workouts)
    }

    // MARK: A store that cannot be read

    func testAnUnreadableStore_isReported_andNothingIsImported() async throws {
        let damages: [(String, (String) throws -> Void)] = [
            (
                "not a database",
                { path in
                    let file = try XCTUnwrap(FileHandle(forUpdatingAtPath: path))
                    try file.write(contentsOf: Data(repeating: 0x5a, count: 4_096))
                    try file.close()
                }
            ),
            (
                "version",
                { path in
                    try SQLiteConnection(path: path, access: .readWrite)
                        .execute("PRAGMA user_version = 9999")
                }
            ),
        ]
        for (words, damage) in damages {
            let home = try Home()
            let path = try write(seconds: 60, into: home)
            try await assertImport(path, into: home, "imported running")
            let store = "\(home.dataDirectory)/health.sqlite"
            try damage(store)
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            let outcome = try await home.run("workout", "import", path)
            XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
            XCTAssertEqual(outcome.output, "")
            XCTAssertTrue(outcome.error.contains(store), outcome.error)
            XCTAssertTrue(outcome.error.contains(words), outcome.error)
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: store)), before)
        }
    }

    func testWithoutAStore_aWorkoutIsImported() async throws {
        let home = try Home()
        try home.folder.write(
            Array(#"{ sinks: { lines: { use: "stdout" } } }"#.utf8), to: "pulsegate.json5")
        let path = try write(seconds: 60, into: home)
        let outcome = try await home.run(
            "workout", "import", path, "--config", home.folder.path("pulsegate.json5"))
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains("imported running"), outcome.output)
    }
}
