import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import AppleHealth
@testable import HealthTransfer

/// Files of each format with the same ten heart rates, and readers of them.
enum RecordFiles {
    static let formats: [ImportFormat] = [.appleHealth, .recordLines, .samples]
    static let now = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)

    static func samples(_ count: Int = 10) throws -> [QuantitySample] {
        try (0..<count).map { index in
            let start = Instant(nanosecondsSince1970: Int64(1_780_000_000 + index) * 1_000_000_000)
            return try QuantitySample(
                id: .make(start: start, device: "strap", stream: "heartRate", key: UInt64(index)),
                type: .heartRate, start: start, end: start,
                quantity: Quantity(Double(60 + index), .countPerMinute), person: "ada",
                device: Device(name: "Strap, \"old\"", localIdentifier: "D0"),
                source: SourceRevision(name: "straps"))
        }
    }

    /// The bytes of a file.
    static func bytes(_ format: ImportFormat, _ records: [Record]) -> [UInt8] {
        var writer: any RecordFileWriter =
            switch format {
            case .recordLines: RecordLinesWriter()
            case .samples: SampleTableWriter()
            case .appleHealth, .workout: AppleHealthWriter(at: now, person: nil, calendar: .utc)
            }
        for record in records { writer.add(record) }
        writer.finish()
        return writer.takeBytes()
    }

    static func reader(
        _ format: ImportFormat, _ start: [UInt8], isLast: Bool, person: String = "ada",
        calendar: LocalCalendar = .utc
    ) throws -> any RecordFileReader {
        let check = RecordCheck(RecordTimeBounds(at: now))
        var reader: any RecordFileReader
        switch format {
        case .recordLines:
            reader = RecordLinesFile(person: person, check: check, types: .standard)
        case .samples:
            reader = SampleTableFile(
                person: person, check: check, types: .standard, calendar: calendar)
        case .appleHealth, .workout:
            return AppleHealthFile(
                try AppleHealthReader(start, isLast: isLast, person: person, now: now))
        }
        reader.append(start, isLast: isLast)
        return reader
    }

    /// All records of a file, in batches of a size.
    static func records(of reader: inout any RecordFileReader, limit: Int = 3) throws -> [Record] {
        var all: [Record] = []
        while true {
            let batch = try reader.records(limit: limit)
            guard !batch.isEmpty else { return all }
            all += batch
        }
    }
}

/// What a file in each format gives back, from any place.
final class RecordFilesTests: XCTestCase {
    func testExport_isReadBackEqual() throws {
        let records = try RecordFiles.samples().map { Record.sample($0) }
        for format in RecordFiles.formats {
            let bytes = RecordFiles.bytes(format, records)
            XCTAssertEqual(ImportFormat(start: bytes), format)
            var reader = try RecordFiles.reader(format, bytes, isLast: true)
            XCTAssertEqual(try RecordFiles.records(of: &reader), records, "\(format)")
            // The characteristics of the person are not imported.
            let omissions =
                format == .appleHealth ? ["left out, as not supported: 1 Me"] : []
            XCTAssertEqual(reader.omissions, omissions, "\(format)")
        }
    }

    func testRest_isReadFromThePlaceBehindEachRecord() throws {
        let records = try RecordFiles.samples().map { Record.sample($0) }
        for format in RecordFiles.formats {
            let bytes = RecordFiles.bytes(format, records)
            var first = try RecordFiles.reader(format, bytes, isLast: true)
            for count in 1..<records.count {
                XCTAssertEqual(try first.records(limit: 1).count, 1, "\(format)")
                let place = try XCTUnwrap(first.place, "\(format) \(count)")
                let head = Array(bytes[..<place.headCount])
                var second = try RecordFiles.reader(format, head, isLast: false)
                XCTAssertEqual(try second.records(limit: 1), [], "\(format)")
                second.skip(to: place)
                var rest: [Record] = []
                for start in stride(from: place.offset, to: bytes.count, by: 100) {
                    let end = min(start + 100, bytes.count)
                    second.append(Array(bytes[start..<end]), isLast: end == bytes.count)
                    rest += try RecordFiles.records(of: &second)
                    if rest.count == 1 {
                        // A place of a part of the file is a place of the whole file.
                        XCTAssertGreaterThan(second.place?.offset ?? 0, place.offset, "\(format)")
                    }
                }
                XCTAssertEqual(rest, Array(records[count...]), "\(format) \(count)")
                XCTAssertEqual(second.place?.headCount, place.headCount, "\(format)")
            }
        }
    }

    /// The line of an error behind a place is that of the file.
    func testError_behindAPlace_namesTheLineOfTheFile() throws {
        let records = try RecordFiles.samples().map { Record.sample($0) }
        var bytes = RecordFiles.bytes(.appleHealth, records)
        bytes.removeLast(20)
        bytes += Array("<".utf8)
        func message(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        var whole = try RecordFiles.reader(.appleHealth, bytes, isLast: true)
        let first = try whole.records(limit: 5)
        XCTAssertEqual(first.count, 5)
        let place = try XCTUnwrap(whole.place)
        let expected = message { _ = try RecordFiles.records(of: &whole) }
        var rest = try RecordFiles.reader(
            .appleHealth, Array(bytes[..<place.headCount]), isLast: false)
        XCTAssertEqual(try rest.records(limit: 1), [])
        rest.skip(to: place)
        rest.append(Array(bytes[place.offset...]), isLast: true)
        XCTAssertEqual(message { _ = try RecordFiles.records(of: &rest) }, expected)
        XCTAssertTrue(expected.contains("line "), expected)
    }

    func testFormats_areRecognisedByTheContent() {
        func format(_ text: String) -> ImportFormat? { ImportFormat(start: Array(text.utf8)) }
        XCTAssertEqual(format("  \n{\"type\":\"heartRate\"}"), .recordLines)
        XCTAssertEqual(format("\u{FEFF}value,type,start\r\n"), .samples)
        XCTAssertEqual(format("\"start\",\"type\",\"value\"\n"), .samples)
        XCTAssertEqual(format("<?xml version=\"1.0\"?>\n<TrainingCenterDatabase>"), .workout)
        XCTAssertEqual(format("\u{E}\u{10}12345\u{0}.FIT"), .workout)
        XCTAssertEqual(format("<?xml?><!DOCTYPE HealthData ["), .appleHealth)
        for text in [
            "", "PK\u{3}\u{4}", "<gpx/>", "time,heart\n", "[1]", "<html>", "{", "{\n\"type\":1}",
        ] {
            XCTAssertEqual(format(text), nil, text)
        }
        XCTAssertEqual(format("<!-- TrainingCenterDatabase --><gpx/>"), nil)
        XCTAssertEqual(format("<!-- a long comment --><a:HealthData>"), .appleHealth)
    }

    /// Programs on Windows write TCX in UTF-16.
    func testWorkouts_inUTF16_areRecognised_withAndWithoutAMark() {
        let text = "\n<?xml version='1.0' encoding='utf-16'?><TrainingCenterDatabase xmlns='é'>"
        for mark in ["", "\u{FEFF}"] {
            let units = Array("\(mark)\(text)".utf16)
            let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            XCTAssertEqual(ImportFormat(start: little), .workout, mark)
            XCTAssertEqual(ImportFormat(start: big), .workout, mark)
        }
    }
}
