import Foundation
import GatewayTesting
import HealthModel
import SQLiteStore
import XCTest

/// `query` of what is no quantity: categories, correlations, workouts and device events.
final class QueryRecordsTests: XCTestCase {
    /// The beginning of 2026, UTC.
    private static let newYear = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
    private static let device = Device(name: "Ring, \"left\"", localIdentifier: "ring")
    private static let types = ["sleepAnalysis", "bloodPressure", "workout", "deviceEvent"]

    func testJSONLines_areThoseOfTheRecords() async throws {
        let home = try await filledHome()
        for (type, records) in zip(Self.types, try Self.allRecords()) {
            var lines: [UInt8] = []
            for record in records {
                RecordEncoder.append(record, to: &lines)
                lines.append(UInt8(ascii: "\n"))
            }
            let outcome = try await home.run("query", type, "--format", "ndjson")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(outcome.output, String(decoding: lines, as: UTF8.self), type)
            XCTAssertEqual(outcome.error, "", type)
            let list = try await home.run("query", type, "--format", "json")
            let parsed = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
            XCTAssertEqual((parsed as? [Any])?.count, records.count, type)
        }
    }

    func testConditions_chooseRecordsOfEveryKind() async throws {
        let home = try await filledHome()
        // One record starts at each minute and takes half of it; those of device events have no length.
        let cases: [(words: [String], minutes: [Int])] = [
            (["--from", "2026-01-01T00:07Z"], [7, 8, 9]),
            (["--to", "2026-01-01T00:02Z"], [0, 1]),
            (["--from", "2026-01-01T00:03", "--to", "2026-01-01T00:05"], [3, 4]),
            (["--from", "2026-01-02"], []),
            (["--to", "5m", "--limit", "2"], [8, 9]),
            (["--person", "bob"], [1, 3, 5, 7, 9]),
            (["--device", "RING", "--limit", "1"], [8]),
            (["--device", "unknown"], []),
            (["--latest"], [9]),
            (["--latest", "--person", "ada"], [8]),
        ]
        for (type, records) in zip(Self.types, try Self.allRecords()) {
            for (words, minutes) in cases {
                let outcome = try await home.run(
                    ["query", type, "--format", "ndjson"] + words)
                XCTAssertEqual(outcome.ending, .exited(0), "\(type) \(words): \(outcome.error)")
                var decoder = RecordDecoder()
                let found = try outcome.output.utf8.split(separator: UInt8(ascii: "\n")).map {
                    try decoder.decode(Array($0))
                }
                XCTAssertEqual(found, minutes.map { records[$0] }, "\(type) \(words)")
            }
        }
    }

    func testFrom_findsWhatContinuesThen() async throws {
        let home = try await filledHome()
        for type in Self.types.dropLast() {
            let outcome = try await home.run(
                "query", type, "--from", "2026-01-01T00:09:20Z", "--format", "ndjson")
            XCTAssertEqual(outcome.output.split(separator: "\n").count, 1, type)
        }
    }

    func testTable_hasColumnsOfTheKind() async throws {
        let home = try await filledHome()
        let expected = [
            ("START END VALUE PERSON DEVICE", "asleepDeep"),
            ("START END PERSON DEVICE SAMPLES", "bloodPressureSystolic 129 mmHg"),
            ("START END ACTIVITY PERSON DEVICE TOTALS", "running"),
            ("TIME STATE VALUE PERSON DEVICE REASON", "battery"),
        ]
        for (type, (header, cell)) in zip(Self.types, expected) {
            let outcome = try await home.run("query", type)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            let lines = outcome.output.split(separator: "\n")
            XCTAssertEqual(lines.count, 11, type)
            XCTAssertEqual(lines[0].split(separator: " ").joined(separator: " "), header)
            XCTAssertTrue(lines[10].hasPrefix("2026-01-01 00:09:"), "\(lines[10])")
            XCTAssertTrue(lines[10].contains(cell), "\(lines[10])")
        }
    }

    func testCSV_hasFieldsOfTheKind() async throws {
        let home = try await filledHome()
        let origin = "person,device,deviceName,source"
        let time = "2026-01-01T00:00:00.000Z"
        let times = "\(time),2026-01-01T00:00:30.000Z"
        let expected = [
            ("id,type,start,end,value,valueName", 11, "sleepAnalysis,\(times),4,asleepDeep"),
            (
                "id,type,start,end,sample,sampleType,value,unit", 21,
                "bloodPressureSystolic,120,mmHg"
            ),
            (
                "id,activity,location,start,end,seconds,distanceMeters,activeEnergyKilocalories,"
                    + "averageHeartRate", 11, "running,outdoor,\(times),30,1000,,"
            ),
            ("id,at,connection,contact,battery,reason", 11, "\(time),,,0.5,\"a, b\""),
        ]
        for (type, (header, count, ending)) in zip(Self.types, expected) {
            let outcome = try await home.run("query", type, "--format", "csv")
            let lines = outcome.output.split(separator: "\r\n")
            XCTAssertEqual(lines.first.map(String.init), "\(header),\(origin)")
            XCTAssertEqual(lines.count, count, type)
            let line = #",\#(ending),ada,ring,"Ring, ""left""","#
            XCTAssertTrue(lines.contains { $0.hasSuffix(line) }, outcome.output)
        }
    }

    func testManyRecords_areReadPageByPage() async throws {
        let home = try await filledHome(count: 2_500)
        for (type, records) in zip(Self.types, try Self.allRecords(count: 2_500)) {
            let outcome = try await home.run("query", type, "--format", "ndjson")
            var decoder = RecordDecoder()
            let found = try outcome.output.utf8.split(separator: UInt8(ascii: "\n")).map {
                try decoder.decode(Array($0))
            }
            XCTAssertTrue(found == records, "\(type): \(found.count) records")
        }
    }

    func testTypesWithoutRecords_areAnEmptyResultAndANote() async throws {
        let home = try await filledHome(count: 0)
        let notes = [
            "mindfulSession": "no mindfulSession samples found", "food": "no food samples found",
            "workout": "no workouts found", "deviceEvent": "no device events found",
        ]
        for (type, note) in notes {
            for (format, output) in ["table": "", "json": "[]\n", "ndjson": ""] {
                let outcome = try await home.run("query", type, "--format", format)
                XCTAssertEqual(outcome.ending, .exited(0), type)
                XCTAssertEqual(outcome.output, output, type)
                XCTAssertEqual(outcome.error, "pulsegate: \(note)\n", type)
            }
        }
    }

    func testWrongWords_endWith64AndSayWhatIsMeant() async throws {
        let home = try await filledHome(count: 0)
        let cases = [
            (["sleepAnalysys"], "did you mean `sleepAnalysis`?"),
            (["bloodPresure"], "did you mean `bloodPressure`?"),
            (["workouts"], "did you mean `workout`?"),
            (["deviceEvents"], "did you mean `deviceEvent`?"),
        ]
        let units = Self.types.map {
            ([$0, "--unit", "kg"], "--unit: \($0) is not a quantity type; remove --unit")
        }
        for (words, expected) in cases + units {
            let outcome = try await home.run(["query"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertEqual(outcome.output, "", "\(words)")
        }
    }

    // MARK: -

    private func filledHome(count: Int = 10) async throws -> Home {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        _ = try await store.save(Self.allRecords(count: count).flatMap { $0 })
        return home
    }

    /// Records of each of the types: one of each a minute, Ada's and Bob's in turn.
    private static func allRecords(count: Int = 10) throws -> [[Record]] {
        let indexes = 0..<count
        return [
            try indexes.map(sleep), try indexes.map(pressure), try indexes.map(workout),
            indexes.map(event),
        ]
    }

    private static func time(_ index: Int) -> (start: Instant, end: Instant) {
        let start = newYear.adding(nanoseconds: Int64(index) * 60_000_000_000)
        return (start, start.adding(nanoseconds: 30_000_000_000))
    }

    private static func id(_ index: Int, _ stream: String) -> RecordID {
        RecordID.make(start: time(index).start, device: "d", stream: stream, key: UInt64(index))
    }

    private static func person(_ index: Int) -> String { index % 2 == 0 ? "ada" : "bob" }

    private static func device(_ index: Int) -> Device? { index % 2 == 0 ? device : nil }

    private static func sleep(_ index: Int) throws -> Record {
        let (start, end) = time(index)
        return .category(
            try CategorySample(
                id: id(index, "sleep"), type: .sleepAnalysis, start: start, end: end, value: 4,
                person: person(index), device: device(index)))
    }

    private static func pressure(_ index: Int) throws -> Record {
        let (start, end) = time(index)
        let values = [(QuantityType.bloodPressureSystolic, 120), (.bloodPressureDiastolic, 80)]
        let samples = try values.map { type, value in
            Correlation.Member.quantity(
                try QuantitySample(
                    id: id(index, type.name), type: type, start: start, end: end,
                    quantity: Quantity(Double(value + index % 50), .millimeterOfMercury),
                    person: person(index), device: device(index)))
        }
        return .correlation(
            try Correlation(
                id: id(index, "pressure"), type: .bloodPressure, start: start, end: end,
                samples: samples, person: person(index), device: device(index)))
    }

    private static func workout(_ index: Int) throws -> Record {
        let (start, end) = time(index)
        return .workout(
            try Workout(
                id: id(index, "workout"), activity: WorkoutActivity(.running), location: .outdoor,
                start: start, end: end,
                totals: [
                    try WorkoutTotal(
                        .distanceWalkingRunning,
                        sum: Quantity(1, HealthModel.Unit(parsing: "km")))
                ], person: person(index), device: device(index)))
    }

    private static func event(_ index: Int) -> Record {
        .event(
            DeviceEvent(
                id: id(index, "event"), at: time(index).start,
                device: index % 2 == 0 ? device : Device(name: "other"), person: person(index),
                state: DeviceState(battery: 0.5), reason: "a, b"))
    }
}
