import ArgumentValues
import Foundation
import GatewayTesting
import Glibc
import HealthModel
import XCTest

@testable import PulsegateCommand
@testable import RecordTables
@testable import Terminal

final class RecordPrinterTests: XCTestCase {
    private func sample(_ value: Double, name: String? = "Foot") throws -> QuantitySample {
        let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        return try QuantitySample(
            id: RecordID.make(start: start, device: "d", stream: "s", key: 1), type: .stepCount,
            start: start, end: start.adding(nanoseconds: 1_000_000_000),
            quantity: Quantity(value, .count), person: "ada",
            device: Device(name: name, localIdentifier: "/dev/ttyUSB0"))
    }

    /// The output, read through a pipe.
    private func printed(
        _ format: OutputFormat, unit: HealthModel.Unit? = nil, _ samples: [QuantitySample]
    ) throws -> String {
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        defer { close(ends[0]) }
        var writer = RecordPrinter(
            .quantity(.stepCount), format: format, unit: unit,
            write: StandardStream(descriptor: ends[1]).writePart)
        try writer.print(samples.map { .sample($0) })
        try writer.finish()
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(ends[0], &bytes, bytes.count)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    func testTerminal_getsNoControlCharacters() throws {
        let name = "A\u{1B}[2J\u{202E}B"
        for (format, expected) in [
            (OutputFormat.csv, "A\\u001b[2J\\u202eB"), (.json, "A\\u001b[2J\\u202eB"),
            (.ndjson, "A\\u001b[2J\\u202eB"), (.table, "A\\u{1b}[2J\\u{202e}B"),
        ] {
            let terminal = try Descriptor.makeTerminal()
            var printer = RecordPrinter(
                .quantity(.stepCount), format: format,
                write: StandardStream(descriptor: terminal.write.number).writePart)
            try printer.print([.sample(try sample(1, name: name))])
            try printer.finish()

            let text = String(decoding: terminal.read.read() ?? [], as: UTF8.self)

            XCTAssertTrue(text.contains(expected), "\(format): \(text)")
            XCTAssertFalse(text.contains("\u{1B}") || text.contains("\u{202E}"), "\(format)")
        }
        XCTAssertTrue(try printed(.csv, [sample(1, name: name)]).contains(name), "a file has it")
    }

    func testJSON_isAList() throws {
        let text = try printed(.json, [sample(1), sample(2)])
        let lines = text.split(separator: "\n")
        XCTAssertEqual(lines.first, "[")
        XCTAssertEqual(lines.last, "]")
        XCTAssertTrue(lines[1].hasSuffix("},"))
        XCTAssertTrue(lines[2].hasSuffix("}"))
        XCTAssertEqual(try printed(.json, []), "[]\n")
    }

    func testNDJSON_isALineForEach() throws {
        XCTAssertEqual(try printed(.ndjson, []), "")
        XCTAssertEqual(
            try printed(.ndjson, [sample(1), sample(2)]).split(separator: "\n").count, 2)
    }

    func testCSV_quotesWhatNeedsIt() throws {
        let text = try printed(.csv, [sample(2, name: "Ada's \"best\", foot")])
        let lines = text.components("\r\n")
        XCTAssertEqual(lines[0], "id,type,start,end,value,unit,person,device,deviceName,source")
        XCTAssertTrue(
            lines[1].hasSuffix(",2,count,ada,/dev/ttyUSB0,\"Ada's \"\"best\"\", foot\","),
            String(lines[1]))
        XCTAssertEqual(try printed(.csv, []).components("\r\n").count, 2)
    }

    func testTable_ofMoreRowsThanAreWrittenAtOnce_hasEachOnce_andOneHeading() throws {
        let count = RecordPrinter.rowsAtOnce + 1
        let folder = try TemporaryFolder()
        let file = folder.path("table")
        let descriptor = open(file, O_CREAT | O_RDWR, 0o600)
        defer { close(descriptor) }
        var printer = RecordPrinter(
            .quantity(.stepCount), format: .table, columns: ["value"],
            write: StandardStream(descriptor: descriptor).writePart)
        try printer.print((1...count).map { .sample(try sample(Double($0))) })
        try printer.finish()
        XCTAssertEqual(printer.count, count)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let values = text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        XCTAssertEqual(values, ["VALUE"] + (1...count).map { "\($0)" })
    }

    func testTable_nothingDrivesTheTerminal() throws {
        let text = try printed(.table, [sample(2, name: "\u{1b}[2Jfoot")])
        XCTAssertFalse(text.contains("\u{1b}"))
        XCTAssertTrue(text.hasPrefix("START"))
        XCTAssertEqual(try printed(.table, []), "")
    }

    /// Parts of samples, as of a workout that began within one, have a fraction.
    func testSteps_areWholeForPeople_andExactForPrograms() throws {
        let table = try printed(.table, [sample(13.98)])
        XCTAssertTrue(table.contains(" 14 count "), table)
        XCTAssertTrue(try printed(.ndjson, [sample(13.98)]).contains("\"value\":13.98"))
        XCTAssertTrue(try printed(.csv, [sample(13.98)]).contains(",13.98,count,"))

        let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let workout = try Workout(
            id: RecordID.make(start: start, device: "d", stream: "s", key: 1),
            activity: WorkoutActivity(.running), start: start,
            end: start.adding(nanoseconds: 60_000_000_000),
            totals: [
                WorkoutTotal(.stepCount, sum: Quantity(13.98, .count)),
                WorkoutTotal(.distanceWalkingRunning, sum: Quantity(13.98, .meter)),
            ])
        XCTAssertEqual(
            RecordText.summary(of: workout),
            "1 min, distanceWalkingRunning 13.98 m, stepCount 14 count")
    }

    func testWrite_convertsToTheUnit() throws {
        let percent = try HealthModel.Unit(parsing: "%")
        XCTAssertTrue(try printed(.ndjson, unit: percent, [sample(2)]).contains("\"unit\":\"%\""))
    }

    func testWrite_whenTheOutputIsClosed_throws() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        close(ends[0])
        defer { close(ends[1]) }
        var writer = RecordPrinter(
            .quantity(.stepCount), format: .ndjson,
            write: StandardStream(descriptor: ends[1]).writePart)
        try writer.print([.sample(sample(1))])
        XCTAssertThrowsError(try writer.finish()) { error in
            XCTAssertTrue(error is RecordPrinter.OutputClosed)
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
