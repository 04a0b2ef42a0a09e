import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import HealthTransfer

final class RecordLinesFileTests: XCTestCase {
    private func read(_ text: String) throws -> (records: [Record], omissions: [String]) {
        var reader = try RecordFiles.reader(.recordLines, Array(text.utf8), isLast: true)
        return (try RecordFiles.records(of: &reader), reader.omissions)
    }

    func testInvalidLines_areCountedByTheirReason() throws {
        let valid = """
            {"id":"0198f3c2-0000-8000-8000-000000000001","type":"heartRate",\
            "start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:00:00Z","value":60,\
            "unit":"count/min"}
            """
        let text = """
            \(valid)

            {"type":"heartRate"
            nonsense
            \(valid.replacing("heartRate", with: "mood"))
            \(valid.replacing("2026", with: "2099"))
            \(valid.replacing("0001\"", with: "0002\""))
            """
        let found = try read(text)
        XCTAssertEqual(found.records.count, 2)
        XCTAssertEqual(found.records.map(\.person), ["ada", "ada"])
        XCTAssertEqual(
            Set(found.omissions),
            [
                "left out: 1 line, the line is not valid JSON: expected , (in line 3)",
                "left out: 1 line, the line is not valid JSON: expected { (in line 4)",
                "left out: 1 line, unknown type (in line 5)",
                "left out: 1 line, ends more than a day in the future; check time and clock "
                    + "(in line 6)",
            ])
    }

    /// What `add`, CSV and the export of Apple Health refuse is refused here too.
    func testImplausibleValues_areLeftOutWithTheirReason() throws {
        func line(_ type: String, _ value: String, _ unit: String, end: String = "08:01") -> String
        {
            "{\"type\":\"\(type)\",\"start\":\"2026-01-01T08:00:00Z\","
                + "\"end\":\"2026-01-01T\(end):00Z\",\"value\":\(value),\"unit\":\"\(unit)\"}\n"
        }
        let found = try read(
            line("heartRate", "72", "count/min") + line("heartRate", "-50", "count/min")
                + line("oxygenSaturation", "97", "%") + line("heartRate", "1e308", "count/s")
                + line("bodyTemperature", "-400", "degC") + line("stepCount", "-5", "count")
                + line("stepCount", "1.79e308", "count"))
        XCTAssertEqual(found.records.count, 1)
        XCTAssertEqual(
            Set(found.omissions),
            [
                "left out: 2 lines, a value is out of range for heartRate (first in line 2)",
                "left out: 1 line, a value is out of range for oxygenSaturation (in line 3)",
                "left out: 1 line, a value is out of range for bodyTemperature (in line 5)",
                "left out: 2 lines, a value is out of range for stepCount (first in line 6)",
            ])
    }

    /// `add` and `ingest` refuse them too.
    func testControlCharacters_inTexts_areLeftOutWithTheirReason() throws {
        let time = "\"2026-01-01T08:00:00Z\""
        let start = #"{"type":"heartRate","start":\#(time),"end":\#(time)"#
        let texts = [
            ##""device":{"name":"a\u001b[2J"}"##, ##""source":{"name":"a\nb"}"##,
            ##""metadata":{"note":"a\u0007"}"##, ##""metadata":{"note":"two\nlines"}"##,
        ]
        let found = try read(
            texts.map { #"\#(start),"value":72,"unit":"count/min",\#($0)}"# }
                .joined(separator: "\n"))
        XCTAssertEqual(found.records.count, 1)
        XCTAssertEqual(
            Set(found.omissions),
            [
                "left out: 1 line, has a control character in device.name; remove it (in line 1)",
                "left out: 1 line, has a control character in source.name; remove it (in line 2)",
                "left out: 1 line, has a control character in metadata; remove it (in line 3)",
            ])
    }

    func testWorkouts_withImplausibleTotals_areLeftOutWithTheirReason() throws {
        func line(_ total: String) -> String {
            "{\"kind\":\"workout\",\"activity\":\"running\",\"start\":\"2026-01-01T08:00:00Z\","
                + "\"end\":\"2026-01-01T08:30:00Z\",\"totals\":[\(total)]}\n"
        }
        func energy(_ sum: String) -> String {
            line("{\"type\":\"activeEnergyBurned\",\"sum\":\(sum),\"unit\":\"kcal\"}")
        }
        func heart(_ average: Int, _ maximum: Int) -> String {
            line(
                "{\"type\":\"heartRate\",\"average\":\(average),\"minimum\":60,"
                    + "\"maximum\":\(maximum),\"unit\":\"count/min\"}")
        }
        let found = try read(
            energy("300") + heart(140, 180) + energy("-66") + energy("1e300") + heart(9_000, 180)
                + heart(140, 99_999))
        XCTAssertEqual(found.records.count, 2)
        XCTAssertEqual(
            Set(found.omissions),
            [
                "left out: 2 lines, a value is out of range for activeEnergyBurned (first in line 3)",
                "left out: 2 lines, a value is out of range for heartRate (first in line 5)",
            ])
    }

    func testACorrelation_withASampleOfAnotherPerson_isLeftOut() throws {
        let time = #""start":"2026-01-01T08:00:00Z","end":"2026-01-01T08:00:00Z""#
        func line(_ person: String) -> String {
            #"{"kind":"correlation","type":"bloodPressure",\#(time),"person":"bob","samples":["#
                + #"{"type":"bloodPressureSystolic",\#(time),"value":120,"unit":"mmHg"},"#
                + #"{"type":"bloodPressureDiastolic",\#(time),"value":80,"unit":"mmHg","#
                + "\"person\":\"\(person)\"}]}\n"
        }
        let found = try read(line("ada") + line("bob"))
        XCTAssertEqual(found.records.count, 1)
        XCTAssertEqual(
            found.omissions,
            [
                "left out: 1 line, a sample of the correlation is of another person; give it that of the "
                    + "correlation, or none (in line 1)"
            ])
    }

    func testSamplesOfACorrelation_getAnIDAndAPerson_andAreChecked() throws {
        func line(_ systolic: Int) -> String {
            func member(_ type: String, _ value: Int) -> String {
                "{\"type\":\"\(type)\",\"start\":\"2026-01-01T08:00:00Z\","
                    + "\"end\":\"2026-01-01T08:00:00Z\",\"value\":\(value),\"unit\":\"mmHg\"}"
            }
            return "{\"kind\":\"correlation\",\"type\":\"bloodPressure\","
                + "\"start\":\"2026-01-01T08:00:00Z\",\"end\":\"2026-01-01T08:00:00Z\",\"person\":\"bob\","
                + "\"samples\":[\(member("bloodPressureSystolic", systolic)),"
                + "\(member("bloodPressureDiastolic", 80))]}\n"
        }
        let found = try read(line(120) + line(1_200))
        XCTAssertEqual(
            found.omissions,
            ["left out: 1 line, a value is out of range for bloodPressureSystolic (in line 2)"])
        guard case .correlation(let group) = try XCTUnwrap(found.records.first) else {
            return XCTFail("no correlation")
        }
        XCTAssertEqual(group.samples.map(\.record.person), ["bob", "bob"])
        XCTAssertEqual(Set(group.samples.map(\.id) + [group.id]).count, 3)
        XCTAssertEqual(found.records, try read(line(120)).records)
    }

    func testALineWithoutID_hasTheSameOneAgain_andAnotherLineAnother() throws {
        func line(_ value: Int) -> String {
            "{\"type\":\"heartRate\",\"start\":\"2026-01-01T00:00:00Z\","
                + "\"end\":\"2026-01-01T00:00:00Z\",\"value\":\(value),\"unit\":\"count/min\"}\n"
        }
        let first = try read(line(60) + line(61)).records.map(\.id)
        XCTAssertEqual(first, try read(line(60) + line(61)).records.map(\.id))
        XCTAssertEqual(Set(first).count, 2)
    }

    func testAPersonOfTheFile_isKept() throws {
        let text = """
            {"kind":"event","id":"0198f3c2-0000-8000-8000-000000000001","event":"device",\
            "at":"2026-01-01T00:00:00Z","device":{"name":"Strap"},"state":{"contact":true},\
            "person":"bob"}
            """
        XCTAssertEqual(try read(text).records.map(\.person), ["bob"])
        XCTAssertEqual(
            try read(text.replacing(",\"person\":\"bob\"", with: "")).records.map(\.person), ["ada"]
        )
    }

    /// A workout, and a sample of one, are found in every spelling of JSON.
    func testReaderOfWorkouts_skipsNoneOfThem_inAnySpelling() throws {
        let time = #""start":"2026-01-01T08:00:00Z","end":"2026-01-01T08:30:00Z""#
        let sample = #"{"type":"stepCount",\#(time),"value":1,"unit":"count""#
        let kinds = [
            #""kind":"workout""#, "\"kind\" \t:  \"workout\"", ##""kind":"work\u006fut""##,
            ##""\u006bind":"workout""##,
        ]
        let names = [
            #""metadata":{"PulsegateWorkout":"w"}"#, #""metadata" : { "PulsegateWorkout" : "w" }"#,
            ##""metadata":{"Pulsegate\u0057orkout":"w"}"##,
        ]
        let workouts = kinds.map { #"{\#($0),"activity":"running",\#(time)}"# }
        let lines = workouts + names.map { "\(sample),\($0)}" } + ["\(sample)}", "{\"a\":1}"]
        var reader: any RecordFileReader = RecordLinesFile(
            person: "ada", check: RecordCheck(RecordTimeBounds(at: RecordFiles.now)),
            types: .standard, isOfWorkoutsOnly: true)
        reader.append(Array(lines.joined(separator: "\n").utf8), isLast: true)
        let found = try RecordFiles.records(of: &reader)
        XCTAssertEqual(found, try read(lines.joined(separator: "\n")).records.dropLast())
        XCTAssertEqual(found.count, kinds.count + names.count)
        XCTAssertEqual(reader.problemCount, 0, "the last lines are skipped")
    }

    func testAnyBytes_areRecordsOrCounted() throws {
        let template = RecordFiles.bytes(
            .recordLines, try RecordFiles.samples().map { .sample($0) })
        var run = FuzzRun("lines of records", inputs: 300)
        while var random = run.next() {
            var bytes = template
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.pick(
                    [0, 10, 34, 44, 58, 123, 125, 255, UInt8.random(in: 0...255, using: &random)])
            }
            var reader = try RecordFiles.reader(.recordLines, bytes, isLast: true)
            let records = try RecordFiles.records(of: &reader)
            let lines = bytes.split(separator: 10).filter { line in
                line.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            }
            run.expect(records.count + reader.problemCount >= lines.count - 1, "\(lines.count)")
            run.expect(records.count + reader.problemCount <= lines.count + 20, "\(lines.count)")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
