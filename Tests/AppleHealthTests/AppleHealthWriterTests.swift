import Foundation
import HealthModel
import XCTest

@testable import AppleHealth

/// Records as an export, and read back.
final class AppleHealthWriterTests: XCTestCase {
    private static let start = Instant(nanosecondsSince1970: 1_706_700_896_250_000_000)
    private static let device = Device(
        name: "Strap, <left> & \"own\"", manufacturer: "Apple Inc.", model: "Watch6,2",
        hardwareVersion: "1", firmwareVersion: "2", softwareVersion: "3",
        localIdentifier: "D0:11:22:33:44:55", serial: "S1")
    private static let source = SourceRevision(name: "Ada’s\nWatch", version: "9.1")

    /// Indian time: an offset of hours and minutes.
    private static let calendar = LocalCalendar { _ in 19_800 }

    private func id(_ number: UInt64) -> RecordID {
        RecordID.make(start: Self.start, device: "test", stream: "test", key: number)
    }

    private func sample(
        _ type: QuantityType, _ value: Double, _ unit: HealthModel.Unit, id number: UInt64,
        seconds: Double = 0, metadata: Metadata = Metadata()
    ) throws -> QuantitySample {
        try QuantitySample(
            id: id(number), type: type, start: Self.start,
            end: Self.start.adding(nanoseconds: Int64(seconds * 1e9)),
            quantity: Quantity(value, unit), person: "ada", device: Self.device,
            source: Self.source, metadata: metadata)
    }

    private func metadata() throws -> Metadata {
        var metadata = Metadata()
        try metadata.set(2, for: .heartRateMotionContext)
        try metadata.set(true, for: .wasUserEntered)
        try metadata.set("Asia/Kolkata", for: .timeZone)
        try metadata.set(.string("a <b> \"c\""), for: "Note")
        // What is no text, though no key says so.
        try metadata.set(.number(0.1), for: "Own \"number\"")
        try metadata.set(.boolean(true), for: "Own boolean")
        try metadata.set(.string("1"), for: "Own text")
        try metadata.set(.quantity(Quantity(80, .kilogram)), for: "Own quantity")
        try metadata.set(.date(Self.start), for: "Own date")
        try metadata.setSync(identifier: "x", version: 3)
        return metadata
    }

    fileprivate func records() throws -> [Record] {
        let pressures = [
            try sample(.bloodPressureSystolic, 121, .millimeterOfMercury, id: 4),
            try sample(.bloodPressureDiastolic, 79.5, .millimeterOfMercury, id: 5),
        ]
        let glucose = try HealthModel.Unit(parsing: "mmol<180.1558800000541>/L")
        return [
            .sample(try sample(.heartRate, 72.125, .countPerMinute, id: 1, metadata: metadata())),
            .sample(try sample(.stepCount, 3, .count, id: 2, seconds: 0.25)),
            .sample(try sample(.bloodGlucose, 5.1, glucose, id: 3)),
            .category(
                try CategorySample(
                    id: id(6), type: .sleepAnalysis, start: Self.start,
                    end: Self.start.adding(nanoseconds: 1), value: 5, person: "ada")),
            .category(
                try CategorySample(
                    id: id(7), type: .mindfulSession, start: Self.start, end: Self.start,
                    value: 0, person: "ada")),
            .correlation(
                try Correlation(
                    id: id(8), type: .bloodPressure, start: Self.start, end: Self.start,
                    samples: pressures.map { .quantity($0) }, person: "ada",
                    source: Self.source)),
            .workout(try workout(WorkoutActivity(.running), id: 9)),
            .workout(try workout(XCTUnwrap(WorkoutActivity(customName: "prancercise")), id: 10)),
        ]
    }

    private func workout(_ activity: WorkoutActivity, id number: UInt64) throws -> Workout {
        let later = { (seconds: Int64) in Self.start.adding(nanoseconds: seconds * 1_000_000_000) }
        var metadata = Metadata()
        try metadata.set(Quantity(9.8, HealthModel.Unit(parsing: "kcal/hr·kg")), for: .averageMETs)
        return try Workout(
            id: id(number), activity: activity, location: .indoor, start: Self.start,
            end: later(1_800),
            events: [
                WorkoutEvent(.lap, from: Self.start, to: later(7)),
                WorkoutEvent(.pause, at: later(7)), WorkoutEvent(.resume, at: later(11)),
            ],
            totals: [
                WorkoutTotal(.activeEnergyBurned, sum: Quantity(312.5, .kilocalorie)),
                WorkoutTotal(
                    .heartRate, average: Quantity(148.2, .countPerMinute),
                    minimum: Quantity(92, .countPerMinute),
                    maximum: Quantity(171, .countPerMinute)),
            ],
            person: "ada", device: Self.device, source: Self.source, metadata: metadata)
    }

    fileprivate func export(_ records: [Record], person: Person? = nil) -> [UInt8] {
        var writer = AppleHealthWriter(at: Self.start, person: person, calendar: Self.calendar)
        var bytes: [UInt8] = []
        for record in records {
            writer.add(record)
            bytes += writer.takeBytes()
        }
        writer.finish()
        return bytes + writer.takeBytes()
    }

    func testRecords_areReadBackEqual() throws {
        let records = try records()
        let (read, counts) = try AppleHealthReader.all(export(records))
        for (record, expected) in zip(read, records) { XCTAssertEqual(record, expected) }
        XCTAssertEqual(read.count, records.count)
        XCTAssertEqual(counts.invalid, [:])
        XCTAssertEqual(counts.unknown, ["Me": 1])
    }

    /// A mark combines with the delimiter before it.
    func testDeviceWhoseFieldsBeginWithAMark_isReadBackEqual() throws {
        let device = Device(
            name: "\u{301}name", manufacturer: "a,\u{301}b, \u{301}c", model: "\u{301}",
            localIdentifier: "end>\u{301}")
        let records = [
            Record.sample(
                try QuantitySample(
                    id: id(1), type: .heartRate, start: Self.start, end: Self.start,
                    quantity: Quantity(72, .countPerMinute), person: "ada", device: device))
        ]
        XCTAssertEqual(try AppleHealthReader.all(export(records)).records, records)
    }

    func testRecordOfAppleHealth_isReadBackEqual() throws {
        let first = try AppleHealthReader.all(AppleHealthExample.whole).records
        XCTAssertEqual(first.count, 7)
        XCTAssertEqual(try AppleHealthReader.all(export(first)).records, first)
    }

    func testEveryType_isReadBackEqual() throws {
        var records: [Record] = []
        for type in QuantityType.all where type.healthKitIdentifier != nil {
            let range = type.plausibleRange ?? 0...1
            let value = (range.lowerBound + range.upperBound) / 3
            records.append(
                .sample(
                    try sample(
                        type, max(value, range.lowerBound), type.canonicalUnit,
                        id: UInt64(records.count), seconds: 60)))
        }
        for type in CategoryType.all {
            for value in type.values {
                records.append(
                    .category(
                        try CategorySample(
                            id: id(UInt64(records.count)), type: type, start: Self.start,
                            end: Self.start, value: value.number, person: "ada")))
            }
        }
        XCTAssertEqual(try AppleHealthReader.all(export(records)).records, records)
    }

    func testTypesWithoutAName_areCounted() throws {
        var writer = AppleHealthWriter(at: Self.start, person: nil, calendar: .utc)
        writer.add(.sample(try sample(.rrInterval, 800, .millisecond, id: 1)))
        XCTAssertEqual(writer.counts.unknown, ["rrInterval": 1])
        XCTAssertEqual(writer.counts.records, [:])
    }

    func testTimesAndCharacteristics_areThoseOfAppleHealth() throws {
        let person = try Person(
            name: "ada", birthDate: CalendarDate(iso8601: "1986-02-14"), sex: .female)
        let text = String(
            decoding: export(
                [.workout(try workout(WorkoutActivity(.running), id: 1))], person: person),
            as: UTF8.self)
        for part in [
            "<ExportDate value=\"2024-01-31 17:04:56 +0530\">",
            "DateOfBirth=\"1986-02-14\"", "BiologicalSex=\"HKBiologicalSexFemale\"",
            "BloodType=\"HKBloodTypeNotSet\"",
            "workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"29.933333333333334\"",
            "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-01-31 17:05:03 +0530\">",
            "<MetadataEntry key=\"HKIndoorWorkout\" value=\"1\">",
        ] {
            XCTAssertTrue(text.contains(part), part)
        }
    }
}

extension AppleHealthWriterTests {
    /// Prints `valid`, or why the document on its input does not have the document type that it declares.
    private static let validator = """
        import sys
        try:
            from lxml import etree
        except ImportError:
            sys.exit(3)
        try:
            etree.fromstring(sys.stdin.buffer.read(), etree.XMLParser(dtd_validation=True))
            print("valid")
        except etree.XMLSyntaxError as error:
            print(error)
        """

    /// What a validating parser says.
    private func validity(of document: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(document.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.validator]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard ![3, 127].contains(process.terminationStatus) else {
            throw XCTSkip("lxml is missing; pip install --break-system-packages lxml")
        }
        return String(decoding: text, as: UTF8.self)
    }

    func testExport_isValidByItsDocumentType() throws {
        let document = String(decoding: export(try records()), as: UTF8.self)
        XCTAssertEqual(try validity(of: document), "valid\n")
        for (part, other) in [(" endDate=", " theEnd="), ("<WorkoutEvent ", "<Event ")] {
            let invalid = document.replacingOccurrences(of: part, with: other)
            XCTAssertNotEqual(invalid, document)
            XCTAssertNotEqual(try validity(of: invalid), "valid\n", part)
        }
    }
}
