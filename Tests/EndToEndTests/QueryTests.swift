import Foundation
import GatewayTesting
import Glibc
import HealthModel
import SQLiteStore
import XCTest

/// `query` on a store whose samples are known.
final class QueryTests: XCTestCase {
    /// The beginning of 2026, UTC.
    private static let newYear = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
    private static let strap = Device(name: "Ada, \"strap\"", localIdentifier: "D0:11:22:33:44:55")
    private static let watch = Device(name: "Watch", localIdentifier: "watch", serial: "W-7")

    func testTable_hasAHeaderAndALineForEachSample() async throws {
        let outcome = try await filledHome().run("query", "heartRate")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lines = outcome.output.split(separator: "\n")
        XCTAssertEqual(lines.count, 11)
        XCTAssertTrue(lines[0].hasPrefix("TIME"), "\(lines[0])")
        XCTAssertTrue(lines[1].hasPrefix("2026-01-01 00:00:00"), "\(lines[1])")
        XCTAssertTrue(lines[1].contains("60 count/min"), "\(lines[1])")
        XCTAssertTrue(lines[1].contains("ada"), "\(lines[1])")
        XCTAssertTrue(lines[1].hasSuffix(#"Ada, "strap""#), "\(lines[1])")
        XCTAssertEqual(outcome.error, "")
    }

    func testCSV_hasAHeaderAndQuotesWhatNeedsIt() async throws {
        let outcome = try await filledHome().run("query", "heartRate", "--format", "csv")
        let lines = outcome.output.split(separator: "\r\n")
        XCTAssertEqual(
            lines.first, "id,type,start,end,value,unit,person,device,deviceName,source")
        XCTAssertEqual(lines.count, 11)
        let expected =
            #",heartRate,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,60,count/min,ada,"#
            + #"D0:11:22:33:44:55,"Ada, ""strap""",test"#
        XCTAssertTrue(lines[1].hasSuffix(expected), "\(lines[1])")
    }

    /// The styles of our own tables, too, are none of the text of a record.
    func testRecords_ofAnyFormat_haveNoEffectOnATerminal() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        let sample = try QuantitySample(
            id: RecordID.make(start: Self.newYear, device: "d", stream: "s", key: 0),
            type: .heartRate, start: Self.newYear, end: Self.newYear,
            quantity: Quantity(60, .countPerMinute), person: "ada",
            device: Device(name: "\u{1b}[1;7mstrap\u{1b}[0m"), source: nil)
        _ = try await store.save([.sample(sample)])
        for format in ["table", "csv", "json", "ndjson"] {
            let query = try home.start(
                "query", "heartRate", "--format", format, output: .terminal)
            try await query.waitForEnd()
            let text = await query.text(of: .output)
            XCTAssertTrue(text.contains("ada") && text.contains("strap"), text)
            XCTAssertFalse(text.contains("\u{1b}"), "\(format): \(text)")
        }
    }

    func testJSON_isOneListAndNDJSON_isARecordALine() async throws {
        let home = try await filledHome()
        let list = try await home.run("query", "heartRate", "--format=json")
        let parsed = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        let objects = try XCTUnwrap(parsed as? [[String: Any]])
        XCTAssertEqual(objects.map { $0["value"] as? Double }, (0..<10).map { 60 + Double($0) })
        let lines = try await home.run("query", "heartRate", "--format=ndjson")
        var decoder = RecordDecoder()
        let records = try lines.output.utf8.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(Array($0))
        }
        XCTAssertEqual(records, try Self.samples().map { .sample($0) })
    }

    func testColumns_areSelectedAndOrdered() async throws {
        let home = try await filledHome()
        let csv = try await home.run(
            "query", "heartRate", "--limit", "2", "--format", "csv", "--columns",
            "value,START,person")
        XCTAssertEqual(
            csv.output,
            "value,start,person\r\n68,2026-01-01T00:08:00.000Z,ada\r\n69,2026-01-01T00:09:00.000Z,bob\r\n"
        )
        let table = try await home.run(
            "query", "heartRate", "--latest", "--columns", "person,value,unit")
        XCTAssertEqual(table.output, "PERSON  VALUE UNIT\nbob        69 count/min\n")
    }

    func testConditions_chooseSamples() async throws {
        let home = try await filledHome()
        let cases: [(words: [String], values: [Double])] = [
            (["--from", "2026-01-01T00:07Z"], [67, 68, 69]),
            (["--to", "2026-01-01T00:02Z"], [60, 61]),
            (["--from", "2026-01-01T00:03", "--to", "2026-01-01T00:05"], [63, 64]),
            (["--from", "2026-01-02"], []),
            (["--period", "2026-01-01", "--limit", "1"], [69]),
            (["--period", "2026-01", "--limit", "1"], [69]),
            (["--period", "2025-12"], []),
            (["--period", "last-week"], []),
            (["--from", "5m"], []),
            (["--to", "5m", "--limit", "2"], [68, 69]),
            (["--device", "d0:11:22:33:44:55", "--limit", "2"], [66, 68]),
            (["--device", "W-7", "--limit", "1"], [69]),
            (["--device", "unknown"], []),
            (["--person", "bob"], [61, 63, 65, 67, 69]),
            (["--latest"], [69]),
            (["--latest", "--person", "ada"], [68]),
            (["--limit", "3"], [67, 68, 69]),
            (["--unit", "bpm", "--latest"], [69]),
            (["--unit", "count/s", "--latest"], [69.0 / 60]),
        ]
        for (words, values) in cases {
            let outcome = try await home.run(
                ["query", "heartRate", "--format", "json"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), "\(words): \(outcome.error)")
            let parsed = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            let found = (parsed as? [[String: Any]] ?? []).map { $0["value"] as? Double ?? .nan }
            XCTAssertEqual(found.count, values.count, "\(words)")
            for (one, other) in zip(found, values) {
                XCTAssertEqual(one, other, accuracy: 1e-9, "\(words)")
            }
        }
    }

    func testKnownTypeWithoutSamples_isAnEmptyResultAndANote() async throws {
        let home = try await filledHome()
        let empty = [
            "table": "", "json": "[]\n", "ndjson": "",
            "csv": "id,type,start,end,value,unit,person,device,deviceName,source\r\n",
        ]
        for (format, expected) in empty {
            let outcome = try await home.run("query", "bodyMass", "--format", format)
            XCTAssertEqual(outcome.ending, .exited(0), format)
            XCTAssertEqual(outcome.output, expected, format)
            XCTAssertEqual(outcome.error, "pulsegate: no bodyMass samples found\n", format)
        }
    }

    func testUsageError_exitsWith64AndSuggestsACorrection() async throws {
        let home = try await filledHome()
        let cases: [(words: [String], expected: String)] = [
            (["hartRate"], "did you mean `heartRate`?"),
            (["heartRate", "--format", "jsn"], "did you mean `json`?"),
            (["heartRate", "--from", "soon"], "--from: expected a time such as"),
            (["heartRate", "--to", "2026-13-01"], "found `2026-13-01`"),
            (["heartRate", "--from", "last wek"], "did you mean `last-week`?"),
            (["heartRate", "--from", "last", "month"], "write last-month"),
            (["heartRate", "--period", "soon"], "--period: unknown period `soon`; known: today,"),
            (["heartRate", "--period", "this weak"], "did you mean `this-week`?"),
            (["heartRate", "--period", "today", "--from", "1h"], "remove --from and --to"),
            (["heartRate", "--from", "99999999999999999d"], "--from: "),
            (
                ["heartRate", "--unit", "kg"],
                "`kg` is not a unit of heartRate; expected a unit such as `count/min`"
            ),
            (
                ["heartRate", "--unit", "min"],
                "--unit: `min` is not a unit of heartRate; did you mean"
            ),
            (
                ["heartRate", "--columns", "start,valeu"],
                "--columns: unknown column `valeu`; did you mean `value`? known: time, start, end,"
            ),
            (
                ["heartRate", "--columns", "time", "--format", "csv"],
                "unknown column `time`; known: id, type, start, end"
            ),
            (
                ["heartRate", "--columns", "start", "--format", "json"],
                "--columns is valid only for --format table and csv"
            ),
            (["heartRate", "--columns", "end,END"], "--columns: `end` is given twice"),
            (
                ["heartRate", "--limit", "0"],
                "--limit: expected a number greater than 0, found `0`"
            ),
            (["heartRate", "--limit", "many"], "--limit: expected a number"),
            (["heartRate", "--from", "1h", "--to", "2h"], "--from must be before --to"),
        ]
        for (words, expected) in cases {
            let outcome = try await home.run(["query"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertEqual(outcome.output, "", "\(words)")
        }
    }

    func testMisspelledStore_isAnErrorInTheConfiguration() async throws {
        let home = try Home()
        try home.configure("{ sinks: { store: \"sqlit\" } }")
        for words in [["query", "heartRate"], ["statistics", "heartRate"], ["summary", "day"]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(78), outcome.error)
            let problem = "sinks.store.use: unknown plugin `sqlit`; did you mean `sqlite`?"
            XCTAssertTrue(outcome.error.contains(problem), outcome.error)
        }
    }

    func testWithoutAStore_endsWith1AndReportsWhere() async throws {
        let home = try Home()
        let outcome = try await home.run("query", "heartRate")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(
            outcome.error.contains("no store at \(home.dataDirectory)/health.sqlite"), outcome.error
        )
        XCTAssertEqual(outcome.error.split(separator: "\n").count, 1, outcome.error)
        XCTAssertEqual(outcome.output, "")
        XCTAssertNotEqual(access(home.dataDirectory, F_OK), 0, "a query must not make anything")
    }

    func testAReaderThatLeaves_endsTheCommandWithoutAWord() async throws {
        let home = try await filledHome(count: 20_000)
        for format in ["table", "csv", "json", "ndjson"] {
            let command = try home.start("query", "heartRate", "--format", format)
            try await command.waitForLines(with: "", on: .output)
            await command.closeOutput()
            let ending = try await command.waitForEnd(within: 10)
            XCTAssertEqual(ending, .exited(0), format)
            let noise = await command.text(of: .error)
            XCTAssertEqual(noise, "", format)
        }
    }

    func testOutputThatCannotBeWritten_isAFailure() async throws {
        let home = try await filledHome()
        let toFullDisk = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]
        let outcome = try await home.run("query", "heartRate", prefix: toFullDisk)
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(
            outcome.error,
            "pulsegate: cannot write to standard output: No space left on device\n")
    }

    func testASignal_endsItAsUsual() async throws {
        let home = try await filledHome(count: 20_000)
        // Nobody reads, so the command cannot come to its end.
        let command = try home.start("query", "heartRate", "--format", "ndjson")
        await command.send(SIGTERM)
        let ending = try await command.waitForEnd(within: 10)
        XCTAssertEqual(ending, .killed(bySignal: SIGTERM))
    }

    // MARK: -

    /// A home whose store has a heart rate a minute since the new year, Ada's and Bob's in turn.
    private func filledHome(count: Int = 10) async throws -> Home {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        _ = try await store.save(Self.samples(count: count).map { .sample($0) })
        return home
    }

    private static func samples(count: Int = 10) throws -> [QuantitySample] {
        try (0..<count).map { index in
            let time = newYear.adding(nanoseconds: Int64(index) * 60_000_000_000)
            let isAdas = index % 2 == 0
            return try QuantitySample(
                id: RecordID.make(start: time, device: "d", stream: "s", key: UInt64(index)),
                type: .heartRate, start: time, end: time,
                quantity: Quantity(Double(60 + index % 100), .countPerMinute),
                person: isAdas ? "ada" : "bob", device: isAdas ? strap : watch,
                source: SourceRevision(name: "test", version: "1"))
        }
    }
}
