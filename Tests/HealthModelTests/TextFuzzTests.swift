import GatewayTesting
import XCTest

@testable import HealthModel
@testable import Platform

/// Times, dates, ids, units and metadata of any text: read or refused, and what was read is written so
/// that it reads the same.
final class TextFuzzTests: XCTestCase {
    func testInstant() {
        check(
            "times",
            [
                "2026-11-21T18:15:00.123456+01:00", "1677-09-21T00:12:43.145224192Z",
                "2262-04-11T23:47:16.854775807Z", "2026-11-21", "1972-06-30T23:59:60Z",
            ],
            words: ["-00:00", "+23:59", "T24:00", ":60", ".999999999", "9999", "0000", "é", "Z"],
            { Instant(iso8601: $0) }, { $0.description })
    }

    func testCalendarDate() {
        check(
            "dates", ["2026-11-21", "2024-02-29", "0001-01-01", "9999-12-31"],
            words: ["-", "00", "13", "31", "-0", "+", "99999"],
            { CalendarDate(iso8601: $0) }, { $0.description })
    }

    func testRecordID() {
        check(
            "ids", ["0198f3c2-0123-8abc-9def-00ff10203040"], words: ["-", "G", "F", "{", "é"],
            { RecordID(uuidString: $0) }, { $0.description })
    }

    func testUnit() {
        check(
            "units",
            ["count/min", "kcal/(kg*hr)", "mL/(kg*min)", "mmol<180.1558>/L", "m/s^2", "%"],
            words: [
                "(", ")", "*", "/", "^", "-", "<", ">", "1e308", "µ", "·", "m", "lb", "10^", "0",
            ],
            { try? Unit(parsing: $0) }, { $0.string })
    }

    func testMetadata() {
        check(
            "metadata", [#"{"a":1,"b":"x","c":true,"d":-2.5e-3,"HKWasUserEntered":true}"#],
            words: ["{", "}", ":", ",", "\"", "\\ud800", "null", "1e999", "[", "0.1", "HK"],
            { try? Metadata(json: $0) }, { $0.json })
    }

    private func check<Value: Equatable>(
        _ name: String, _ texts: [String], words: [String], _ read: (String) -> Value?,
        _ write: (Value) -> String
    ) {
        let words = words.map { Array($0.utf8) }
        XCTAssertNotNil(read(texts[0]))
        var run = FuzzRun(name, inputs: 5_000)
        while var random = run.next() {
            var bytes = Array(random.pick(texts).utf8)
            for _ in 0...random.pick([0, 1, 5]) { random.mutate(&bytes, words: words) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let value = read(text) else { continue }
            run.expect(
                read(write(value)) == value, "\(text.debugDescription) reads as \(write(value))")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
