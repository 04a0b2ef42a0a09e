import GatewayTesting
import HealthModel
import XCTest

@testable import HealthTransfer

final class SampleTableTests: XCTestCase {
    private func read(_ text: String) throws -> (records: [Record], omissions: [String]) {
        var reader = try RecordFiles.reader(.samples, Array(text.utf8), isLast: true)
        return (try RecordFiles.records(of: &reader), reader.omissions)
    }

    private func sample(_ row: String, columns: String) throws -> QuantitySample {
        guard case .sample(let sample) = try XCTUnwrap(read("\(columns)\n\(row)\n").records.first)
        else { throw XCTSkip("no quantity sample") }
        return sample
    }

    func testColumns_inAnyOrder_withUnknownOnes() throws {
        let found = try sample(
            "x,82.5,2026-01-01T08:00:00+01:00,bodyMass,lb,bob,\"Scale, new\"",
            columns: "note,value,start,type,unit,person,deviceName")
        XCTAssertEqual(found.type, .bodyMass)
        XCTAssertEqual(found.quantity, try Quantity(82.5, Unit(parsing: "lb")))
        XCTAssertEqual(found.start, Instant(iso8601: "2026-01-01T07:00:00Z"))
        XCTAssertEqual(found.end, found.start)
        XCTAssertEqual(found.person, "bob")
        XCTAssertEqual(found.device?.name, "Scale, new")
    }

    func testDate_isTheLocalMidnight_asIsThatOfTheEnd() throws {
        let text = """
            type,start,end,value
            stepCount,2026-03-29,2026-03-30,800
            bodyMass,2026-03-29,,72
            bodyMass,2026-03-29 08:00,,72

            """
        // Summer time starts on that day.
        let change = try XCTUnwrap(Instant(iso8601: "2026-03-29T01:00Z"))
        let berlin = LocalCalendar { $0 < change ? 3_600 : 7_200 }
        var reader = try RecordFiles.reader(
            .samples, Array(text.utf8), isLast: true, calendar: berlin)
        let samples = try RecordFiles.records(of: &reader).compactMap { record in
            if case .sample(let sample) = record { sample } else { nil }
        }
        XCTAssertEqual(
            samples.map { [$0.start, $0.end] },
            [
                [Instant(iso8601: "2026-03-28T23:00Z"), Instant(iso8601: "2026-03-29T22:00Z")],
                [Instant(iso8601: "2026-03-28T23:00Z"), Instant(iso8601: "2026-03-28T23:00Z")],
            ])
        XCTAssertEqual(
            reader.omissions,
            ["left out: 1 row, a start that is no ISO 8601 time with a time zone (in line 4)"])
    }

    func testMissingUnit_isTheCanonicalOne_andMissingPersonTheGivenOne() throws {
        let found = try sample(
            "72,2026-01-01T08:00:00Z,HKQuantityTypeIdentifierHeartRate", columns: "value,start,type"
        )
        XCTAssertEqual(found.quantity.unit, QuantityType.heartRate.canonicalUnit)
        XCTAssertEqual(found.person, "ada")
    }

    func testCategories_byTheNameOrTheNumberOfTheirValue() throws {
        let text = """
            type,start,end,value,valueName
            sleepAnalysis,2026-01-01T01:00:00Z,2026-01-01T02:00:00Z,4,asleepDeep
            sleepAnalysis,2026-01-01T02:00:00Z,2026-01-01T03:00:00Z,asleepREM,
            sleepAnalysis,2026-01-01T03:00:00Z,2026-01-01T04:00:00Z,3,
            sleepAnalysis,2026-01-01T03:00:00Z,2026-01-01T04:00:00Z,dreaming,
            """
        let found = try read(text)
        let names = found.records.compactMap { record -> String? in
            if case .category(let sample) = record { sample.valueName } else { nil }
        }
        XCTAssertEqual(names, ["asleepDeep", "asleepREM", "asleepCore"])
        XCTAssertEqual(
            found.omissions, ["left out: 1 row, unknown value of a category (in line 5)"])
    }

    func testRows_withMoreFieldsThanColumns_areLeftOut() throws {
        let time = "2026-01-01T08:00:00Z"
        for (columns, row) in [
            ("type,start,value", "bodyMass,\(time),72,5"),
            ("type,start,unit,value", "bodyMass,\(time),kg,72,5"),
            ("type,start,value,device", "bodyMass,\(time),72,5,scale"),
            ("type\tstart\tvalue", "bodyMass\t\(time)\t72\tnote"),
        ] {
            let found = try read("\(columns)\n\(row)\n")
            XCTAssertEqual(found.records, [], row)
            XCTAssertEqual(
                found.omissions, ["left out: 1 row, more fields than columns (in line 2)"], row)
        }
        // Spreadsheets write empty fields at the end of rows.
        let found = try sample("bodyMass,\(time),72,,", columns: "type,start,value")
        XCTAssertEqual(found.quantity.value, 72)
    }

    func testNumbers_areDecimal() throws {
        for value in ["0x50", "inf", "nan", " 80", "80 ", "1_000"] {
            let found = try read("type,start,value\nheartRate,2026-01-01T08:00:00Z,\(value)\n")
            XCTAssertEqual(found.records, [], value)
        }
        let found = try sample("heartRate,2026-01-01T08:00:00Z,7.2e+1", columns: "type,start,value")
        XCTAssertEqual(found.quantity.value, 72)
    }

    func testSemicolons_haveADecimalComma_andTabsHaveNot() throws {
        let time = "2026-01-01T08:00:00Z"
        for (separator, value, expected) in [
            (";", "72,5", 72.5), (";", "72.5", 72.5), (";", "\"72,5\"", 72.5),
            ("\t", "72.5", 72.5), (",", "72.5", 72.5),
        ] {
            let columns = ["value", "start", "type", "note"].joined(separator: separator)
            let row = [value, time, "heartRate", "a"].joined(separator: separator)
            XCTAssertEqual(try sample(row, columns: columns).quantity.value, expected, row)
            XCTAssertEqual(ImportFormat(start: Array(columns.utf8)), .samples)
        }
        for (separator, value) in [
            ("\t", "1,234"), (",", "\"1,234\""), (";", "1.234,5"), (";", "1,234,5"), (";", ","),
        ] {
            let columns = ["value", "start", "type"].joined(separator: separator)
            let row = [value, time, "stepCount"].joined(separator: separator)
            let found = try read("\(columns)\n\(row)\n")
            XCTAssertEqual(found.records, [], row)
            XCTAssertEqual(
                found.omissions,
                ["left out: 1 row, a value or a unit that does not fit its type (in line 2)"])
        }
    }

    func testNames_withQuotesSeparatorsAndBlanks_areReadBackEqual_andThoseWithControlsCounted()
        throws
    {
        let names = [
            "a \"b\"", "two\nlines", "two\r\nlines", "a,b;c", " blanks ", "\"", "é", "\r", "a\tb",
            "\u{1B}[2J", "last",
        ]
        let time = Instant(nanosecondsSince1970: 1_780_000_000_000_000_000)
        let records = try names.enumerated().map { index, name in
            Record.sample(
                try QuantitySample(
                    id: .make(start: time, device: "a", stream: "b", key: UInt64(index)),
                    type: .heartRate, start: time, end: time,
                    quantity: Quantity(60, .countPerMinute), person: "ada",
                    device: Device(name: name), source: SourceRevision(name: name)))
        }
        var reader = try RecordFiles.reader(
            .samples, RecordFiles.bytes(.samples, records), isLast: true)
        let valid = [0, 3, 4, 5, 6, 10].map { records[$0] }
        XCTAssertEqual(try RecordFiles.records(of: &reader), valid)
        XCTAssertEqual(
            reader.omissions,
            [
                "left out: 5 rows, has a control character in device.name; remove it "
                    + "(first in line 3)"
            ])
    }

    func testInvalidRows_areCountedByTheirReason() throws {
        let text = """
            id,type,start,end,value,unit,person
            ,heartRate,2026-01-01T08:00:00Z,,72,count/min,
            x,heartRate,2026-01-01T08:00:00Z,,72,count/min,
            ,heartRate,2026-01-01 08:00,,72,count/min,
            ,heartRate,2026-01-01T08:00:00Z,tomorrow,72,count/min,
            ,heartRate,2026-01-01T08:00:00Z,,fast,count/min,
            ,heartRate,2026-01-01T08:00:00Z,,72,kg,
            ,heartRate,2026-01-01T08:00:00Z,,72,furlong,
            ,heartRate,2026-01-01T08:00:00Z,,7200,count/min,
            ,heartRate,2026-01-01T08:00:00Z,2026-01-01T07:00:00Z,72,count/min,
            ,mood,2026-01-01T08:00:00Z,,72,count/min,
            ,stepCount,2026-01-01T08:00:00Z,,72,count,
            ,heartRate,2026-01-01T08:00:00Z,,72,count/min,"a
            """
        let found = try read(text)
        XCTAssertEqual(found.records.count, 1)
        let reasons = [
            "an id that is no UUID", "a start that is no ISO 8601 time with a time zone",
            "an end that is no ISO 8601 time with a time zone",
            "a value or a unit that does not fit its type", "unknown unit",
            "a value is out of range for heartRate",
            "a sample of heartRate ends before it starts", "unknown type",
            "a sample of stepCount is cumulative, so its end must be later than its start",
            "quotation marks or characters that are not valid",
        ]
        for reason in reasons {
            XCTAssertTrue(
                found.omissions.contains { $0.contains(reason) }, "\(reason): \(found.omissions)")
        }
        XCTAssertEqual(found.omissions.count, reasons.count)
    }

    func testAColumnTwice_isRefused() throws {
        for names in ["type,start,value,value", "type,start,Value,VALUE", "type,start,type,value"] {
            XCTAssertThrowsError(try read("\(names)\nheartRate,2026-01-01T08:00:00Z,72,73\n")) {
                XCTAssertTrue(
                    "\($0)".hasPrefix(
                        "several columns have the name \(names.contains("type,v") ? "type" : "value"), "
                    ),
                    "\($0)")
            }
        }
        // One spelling is the known one, and other columns do not count.
        let found = try sample(
            "1,72,heartRate,2026-01-01T08:00:00Z,a,b", columns: "Value,value,type,start,note,note")
        XCTAssertEqual(found.quantity.value, 72)
    }

    func testARowWithoutID_hasTheSameOneAgain() throws {
        let row = "72,2026-01-01T08:00:00Z,heartRate"
        let first = try sample(row, columns: "value,start,type")
        XCTAssertEqual(first.id, try sample(row, columns: "value,start,type").id)
        let other = try sample("73,2026-01-01T08:00:00Z,heartRate", columns: "value,start,type")
        XCTAssertNotEqual(first.id, other.id)
    }

    func testLineEnds_ofEachSystem_areTheSame() throws {
        let rows = ["type,start,value", "heartRate,2026-01-01T08:00:00Z,72", "heartRate,,72"]
        for ending in ["\n", "\r\n", "\r"] {
            let text = rows.joined(separator: ending) + ending
            XCTAssertEqual(ImportFormat(start: Array(text.utf8)), .samples)
            let found = try read(text)
            XCTAssertEqual(found.records.count, 1)
            XCTAssertEqual(
                found.omissions,
                ["left out: 1 row, a start that is no ISO 8601 time with a time zone (in line 3)"])
        }
    }

    func testColumns_whoseSpellingDiffers_areRecognised() throws {
        let row = "bodyMass,2026-01-01T08:00:00Z,82.5,Scale"
        for header in [
            "Type,START,Value,DeviceName", " type , start,value ,\u{A0}devicename",
            "\u{FEFF}type,start,value,deviceName", "\u{FEFF}\"Type\",\"Start\",Value,deviceName",
            "\u{FEFF}\n \nType,Start,Value,deviceName",
        ] {
            XCTAssertEqual(ImportFormat(start: Array("\(header)\n\(row)".utf8)), .samples, header)
            let found = try sample(row, columns: header)
            XCTAssertEqual(found.quantity.value, 82.5, header)
            XCTAssertEqual(found.device?.name, "Scale", header)
        }
    }

    func testColumns_inTheirOwnSpelling_arePreferred() throws {
        let found = try sample(
            "1,heartRate,2026-01-01T08:00:00Z,72", columns: "Value,type,start,value")
        XCTAssertEqual(found.quantity.value, 72)
    }

    func testFields_haveBlanksAroundThem_onlyIfTheNamesDo() throws {
        let row = " heartRate , 2026-01-01T08:00:00Z, 72 , ada "
        let found = try sample(row, columns: "type, start, value, person")
        XCTAssertEqual(found.quantity.value, 72)
        XCTAssertEqual(found.person, "ada")
        XCTAssertEqual(try read("type,start,value,person\n\(row)\n").records, [])
    }

    func testSeparatorLine_isThatOfTheTable() throws {
        for (line, separator) in [
            ("sep=;", ";"), ("SEP=,", ","), ("\"sep=;\"", ";"), ("\u{FEFF}sep=\t", "\t"),
            ("sep=;\r", ";"),
        ] {
            let header = ["Type", "start", "value"].joined(separator: separator)
            let row = ["heartRate", "2026-01-01T08:00:00Z", "72"].joined(separator: separator)
            let text = "\(line)\n\(header)\n\(row)\n"
            XCTAssertEqual(ImportFormat(start: Array(text.utf8)), .samples, line)
            XCTAssertEqual(try read(text).records.count, 1, line)
        }
        // The line wins over the names.
        XCTAssertThrowsError(try read("sep=;\ntype,start,value\n"))
        XCTAssertThrowsError(try read("sep=|\ntype|start|value\n"))
        XCTAssertThrowsError(try read("sep=;\nsep=;\ntype;start;value\n"))
        XCTAssertNil(ImportFormat(start: Array("sep=;\n".utf8)))
    }

    /// An import that was interrupted reads the line again.
    func testRest_behindASeparatorLine_isReadFromItsPlace() throws {
        let row = "heartRate;2026-01-01T08:00:00Z;72,5\r\n"
        let text = Array("sep=;\r\nTYPE;Start;value\r\n\(row)\(row)".utf8)
        var first = try RecordFiles.reader(.samples, text, isLast: true)
        XCTAssertEqual(try first.records(limit: 1).count, 1)
        let place = try XCTUnwrap(first.place)
        var second = try RecordFiles.reader(
            .samples, Array(text[..<place.headCount]), isLast: false)
        XCTAssertEqual(try second.records(limit: 1), [])
        second.skip(to: place)
        second.append(Array(text[place.offset...]), isLast: true)
        XCTAssertEqual(try RecordFiles.records(of: &second).count, 1)
    }

    func testAForeignTable_isRefused() {
        for header in ["type,start", "id,type,start,end,sample,sampleType,value,unit", "a;b", "x"] {
            XCTAssertThrowsError(try read("\(header)\n1,2,3\n"), header) {
                XCTAssertTrue("\($0)".contains("the first row must name the columns"), "\($0)")
            }
        }
    }

    func testAnyBytes_areSamplesOrCountedOrRefused() throws {
        let template = RecordFiles.bytes(.samples, try RecordFiles.samples().map { .sample($0) })
        var run = FuzzRun("tables of samples", inputs: 300)
        while var random = run.next() {
            var bytes = template
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.pick(
                    [0, 10, 13, 34, 44, 45, 255, UInt8.random(in: 0...255, using: &random)])
            }
            do {
                var reader = try RecordFiles.reader(.samples, bytes, isLast: true)
                let records = try RecordFiles.records(of: &reader)
                run.expect(records.count <= 10, "\(records.count) records")
            } catch {
                let isRefused =
                    error is SampleTableFile.Foreign || error is SampleTableFile.RepeatedColumn
                run.expect(isRefused, "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
