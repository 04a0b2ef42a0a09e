import Foundation
import GatewayTesting
import XCTest

/// `pulsegate import` and `export` of files in several formats, and of folders.
final class ImportFilesTests: XCTestCase {
    private let row = "heartRate,2026-01-01T08:00:00Z,72,count/min\n"
    private let header = "type,start,value,unit\n"
    private let line = """
        {"type":"bodyMass","start":"2026-01-01T07:00:00Z","end":"2026-01-01T07:00:00Z",\
        "value":70,"unit":"kg"}

        """
    private let workout = """
        <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-01-02T08:00:00Z</Id>
        <Lap StartTime="2026-01-02T08:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds><Calories>10\
        </Calories><Track><Trackpoint><Time>2026-01-02T08:00:10Z</Time><HeartRateBpm><Value>140\
        </Value></HeartRateBpm></Trackpoint></Track></Lap></Activity></Activities>
        </TrainingCenterDatabase>
        """

    private func write(_ text: String, to name: String, in home: Home) throws -> String {
        try home.folder.write(Array(text.utf8), to: name)
        return home.folder.path(name)
    }

    func testAFolder_ofEachFormat_isImported_andAgainNothingIsNew() async throws {
        let home = try Home()
        try home.folder.makeFolder("in/sub")
        _ = try write(header + row, to: "in/a.csv", in: home)
        _ = try write(line, to: "in/sub/b.ndjson", in: home)
        _ = try write(workout, to: "in/sub/c.tcx", in: home)
        _ = try write("text", to: "in/notes.txt", in: home)
        let folder = home.folder.path("in")
        let first = try await home.run("import", folder)
        XCTAssertEqual(first.ending, .exited(0), first.error)
        let lines = first.output.split(separator: "\n")
        XCTAssertEqual(lines.count, 3, first.output)
        XCTAssertEqual(
            lines.first, "\(folder)/a.csv: imported 1 record, 0 were already in the store")
        XCTAssertTrue(lines.last?.hasPrefix("\(folder)/sub/c.tcx: imported running") ?? false)
        XCTAssertEqual(first.error, "pulsegate: note: left out: 1 file of another format\n")
        let again = try await home.run("import", folder)
        XCTAssertEqual(again.ending, .exited(0), again.error)
        XCTAssertEqual(
            again.output.split(separator: "\n").count { $0.contains("already in the store") }, 3)
        XCTAssertEqual(again.output.components(separatedBy: "imported 0 records").count, 3)
        let query = try await home.run("query", "bodyMass", "--format", "csv", "--columns", "value")
        XCTAssertEqual(query.output, "value\r\n70\r\n")
    }

    /// For programs, an object for each file.
    func testJSON_hasTheResultOfEachFile() async throws {
        let home = try Home()
        let files = [
            try write(header + row, to: "a.csv", in: home),
            try write(line, to: "b.ndjson", in: home),
            try write(workout, to: "c.tcx", in: home),
        ]
        for (result, count) in [("imported", 1), ("alreadyStored", 0)] {
            let outcome = try await home.run(["import", "--json"] + files)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            let objects = try outcome.output.split(separator: "\n").map {
                try XCTUnwrap(
                    JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
            }
            XCTAssertEqual(objects.map { $0["file"] as? String }, files)
            XCTAssertEqual(
                objects.map { $0["format"] as? String }, ["samples", "records", "workout"])
            for object in objects.prefix(2) {
                XCTAssertEqual(object["stored"] as? Int, count)
                XCTAssertEqual(object["alreadyStored"] as? Int, 1 - count)
            }
            XCTAssertEqual(objects[2]["result"] as? String, result)
            XCTAssertEqual(objects[2]["activity"] as? String, "running")
            XCTAssertEqual(objects[2]["start"] as? String, "2026-01-02T08:00:00.000Z")
            XCTAssertEqual((objects[2]["workout"] as? String)?.utf8.count, 36)
        }
    }

    func testAFileThatFails_doesNotStopTheOthers() async throws {
        let home = try Home()
        let bad = try write(header + "nonsense\n", to: "bad.csv", in: home)
        let zip = try write("PK\u{3}\u{4}", to: "z.zip", in: home)
        let good = try write(header + row, to: "good.csv", in: home)
        let missing = home.folder.path("missing.csv")
        let outcome = try await home.run("import", bad, zip, missing, good)
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(
            outcome.output, "\(good): imported 1 record, 0 were already in the store\n")
        XCTAssertTrue(outcome.error.contains("\(bad): no line is a valid record"), outcome.error)
        XCTAssertTrue(outcome.error.contains("unpack it with `unzip FILE`"), outcome.error)
        XCTAssertTrue(
            outcome.error.contains("pulsegate: cannot read \(missing): No such file"), outcome.error
        )
        XCTAssertTrue(
            outcome.error.hasSuffix("3 of 4 files were not imported completely\n"), outcome.error)
        let alone = try await home.run("import", missing)
        XCTAssertEqual(alone.ending, .exited(1))
        XCTAssertEqual(
            alone.error, "pulsegate: cannot read \(missing): No such file or directory\n")
        let again = try await home.run("import", good, missing)
        XCTAssertEqual(again.ending, .exited(1))
        XCTAssertTrue(again.output.hasSuffix("already in the store\n"), again.output)
        let exported = try await home.run("export", home.folder.path("out.csv"))
        XCTAssertTrue(exported.error.contains("pulsegate: 1 record written to"), exported.error)
    }

    func testExport_inEachFormat_isReadBackByAnotherStore() async throws {
        let home = try Home()
        let folder = home.folder.path("in")
        try home.folder.makeFolder("in")
        _ = try write(header + row, to: "in/a.csv", in: home)
        _ = try write(line, to: "in/b.ndjson", in: home)
        _ = try write(workout, to: "in/c.tcx", in: home)
        _ = try await home.run("import", folder)
        let query = ["query", "heartRate", "--format", "ndjson"]
        let expected = try await home.run(query).output
        XCTAssertEqual(expected.split(separator: "\n").count, 2, expected)
        for name in ["out.csv", "out.ndjson", "out.xml"] {
            let path = home.folder.path(name)
            let exported = try await home.run("export", path)
            XCTAssertEqual(exported.ending, .exited(0), exported.error)
            XCTAssertEqual(
                exported.error.contains("left out: 1 record that is no quantity"),
                name == "out.csv", exported.error)
            let other = try Home()
            let imported = try await other.run("import", path)
            XCTAssertEqual(imported.ending, .exited(0), imported.error)
            let found = try await other.run(query).output
            // A table has no metadata and no version of the source.
            let isTable = name == "out.csv"
            XCTAssertEqual(isTable ? found.split(separator: "\n").count : 0, isTable ? 2 : 0)
            if !isTable { XCTAssertEqual(found, expected, name) }
            let workouts = try await other.run("workout", "list")
            XCTAssertEqual(workouts.output.contains("running"), !isTable, workouts.output)
        }
        let wrong = try await home.run("export", "-", "--format", "ndjsn")
        XCTAssertEqual(wrong.ending, .exited(64))
        XCTAssertTrue(wrong.error.contains("ndjson"), wrong.error)
    }

    /// An import that is killed has kept its place; the next run continues there and stores the rest once.
    func testAKilledImport_isContinued() async throws {
        let home = try Home()
        let count = 80_000
        var text = ""
        for number in 0..<count {
            let time = String(
                format: "2026-01-%02dT%02d:%02d:%02dZ", number / 86_400 + 1, number / 3_600 % 24,
                number / 60 % 60, number % 60)
            text += "{\"type\":\"heartRate\",\"start\":\"\(time)\",\"end\":\"\(time)\","
            text += "\"value\":\(60 + number % 60),\"unit\":\"count/min\"}\n"
        }
        let path = try write(text, to: "large.ndjson", in: home)
        let command = try home.start("import", path)
        let places = "\(home.dataDirectory)/imports.json"
        for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: places) {
            await command.letRun(seconds: 0.01)
        }
        await command.send(SIGKILL)
        guard case .killed = try await command.waitForEnd() else {
            return XCTFail("the import has ended before its place was kept")
        }
        let rest = try await home.run("import", path)
        XCTAssertEqual(rest.ending, .exited(0), rest.error)
        XCTAssertTrue(
            rest.error.contains("%, where the last import was interrupted"), rest.error)
        let stored = try await home.run("statistics", "heartRate", "--format", "csv")
        XCTAssertEqual(stored.ending, .exited(0), stored.error)
        let numbers = rest.output.split(separator: " ").compactMap { Int($0) }
        XCTAssertEqual(numbers.count, 2, rest.output)
        XCTAssertLessThan(numbers.reduce(0, +), count)
        let again = try await home.run("import", path)
        XCTAssertEqual(
            again.output, "imported 0 records, \(count) were already in the store\n")
        XCTAssertEqual(again.error, "")
    }
}
