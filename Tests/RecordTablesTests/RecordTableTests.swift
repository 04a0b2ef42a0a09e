import ArgumentValues
import GatewayCore
import HealthModel
import Terminal
import WorkoutScreens
import XCTest

@testable import RecordTables

final class RecordTableTests: XCTestCase {
    private let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
    private let format = QuantityFormat(unit: nil, people: People(), decimalSign: ".")

    override func setUp() {
        setenv("TZ", "UTC", 1)
        tzset()
    }

    override func tearDown() {
        unsetenv("TZ")
        tzset()
    }

    private func sample(
        _ type: QuantityType, _ value: Double, minute: Int64, seconds: Int64 = 0,
        person: String = "ada", device: String = "Strap"
    ) throws -> Record {
        let start = start.adding(nanoseconds: minute * 60_000_000_000)
        return .sample(
            try QuantitySample(
                id: RecordID.make(start: start, device: "d", stream: "s", key: 1), type: type,
                start: start, end: start.adding(nanoseconds: seconds * 1_000_000_000),
                quantity: Quantity(value, type.canonicalUnit), person: person,
                device: Device(name: device, localIdentifier: "d")))
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }

    /// A store may have what an earlier version has imported.
    func testAValueThatIsNoNumberInTheUnit_staysInItsOwn() throws {
        let far = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .heartRate, start: start, end: start,
            quantity: Quantity(1e308, Unit(parsing: "count/s")))
        var bytes: [UInt8] = []
        var printer = RecordPrinter(
            .quantity(.heartRate), format: .csv, unit: .countPerMinute, columns: ["value", "unit"]
        ) {
            bytes += $0
            return true
        }
        try printer.print([try sample(.heartRate, 72, minute: 0), .sample(far)])
        try printer.finish()
        XCTAssertEqual(
            String(decoding: bytes, as: UTF8.self),
            "value,unit\r\n72,count/min\r\n1e+308,count/s\r\n")
    }

    func testCounts_haveStartAndEnd() throws {
        var table = RecordTable(.quantity(.stepCount), format: format)
        let text = table.text(of: [try sample(.stepCount, 13, minute: 0, seconds: 60)])
        XCTAssertEqual(
            lines(text),
            [
                "START                    END                      VALUE UNIT   PERSON  DEVICE",
                "2026-11-18 11:06:40.000  2026-11-18 11:07:40.000     13 count  ada     Strap",
            ])
    }

    func testInstants_haveATime_untilARecordTakesTime() throws {
        var table = RecordTable(.quantity(.heartRate), format: format)
        let first = table.text(of: [try sample(.heartRate, 60, minute: 0)])
        XCTAssertEqual(
            lines(first),
            [
                "TIME                     VALUE UNIT       PERSON  DEVICE",
                "2026-11-18 11:06:40.000     60 count/min  ada     Strap",
            ])
        XCTAssertEqual(lines(table.text(of: [try sample(.heartRate, 61, minute: 1)])).count, 1)
        let later = table.text(
            of: [
                try sample(.heartRate, 62, minute: 2),
                try sample(.heartRate, 63, minute: 3, seconds: 5),
            ])
        XCTAssertEqual(
            lines(later),
            [
                "START                    END                      VALUE UNIT       PERSON  DEVICE",
                "2026-11-18 11:08:40.000  2026-11-18 11:08:40.000     62 count/min  ada     Strap",
                "2026-11-18 11:09:40.000  2026-11-18 11:09:45.000     63 count/min  ada     Strap",
            ])
        XCTAssertEqual(lines(table.text(of: [try sample(.heartRate, 64, minute: 4)])).count, 1)
    }

    func testColumns_areAsWideAsTheirWidestCell_inTerminalColumns() throws {
        var table = RecordTable(
            .quantity(.heartRate), columns: [.person, .value, .device, .unit], format: format)
        let text = table.text(
            of: [
                try sample(.heartRate, 60, minute: 0, person: "李雷", device: "A long name"),
                try sample(.heartRate, 160, minute: 1, person: "maximilian"),
            ])
        XCTAssertEqual(
            lines(text),
            [
                "PERSON      VALUE  DEVICE       UNIT",
                "李雷           60  A long name  count/min",
                "maximilian    160  Strap        count/min",
            ])
        XCTAssertEqual(
            table.text(of: [try sample(.heartRate, 60, minute: 2)]),
            "ada            60  Strap        count/min\n")
    }

    func testTerminal_cutsLines_andAPipeDoesNot() throws {
        let records = [try sample(.heartRate, 60, minute: 0)]
        let width = TerminalWidth(columns: 31, characters: .unicode)
        var cut = RecordTable(.quantity(.heartRate), format: format, width: width)
        XCTAssertEqual(
            lines(cut.text(of: records)),
            ["TIME                     VALUE…", "2026-11-18 11:06:40.000     60…"])
        var whole = RecordTable(.quantity(.heartRate), format: format)
        XCTAssertTrue(whole.text(of: records).hasSuffix("Strap\n"))
    }

    func testEveryColumn_ofEveryType_hasACell() throws {
        let workout = try Workout(
            id: RecordID.make(start: start, device: "d", stream: "s", key: 1),
            activity: WorkoutActivity(.running), start: start,
            end: start.adding(nanoseconds: 60_000_000_000))
        var table = RecordTable(.workout, columns: TableColumn.all(of: .workout), format: format)
        let cells = lines(table.text(of: [.workout(workout)]))
            .map { $0.split(separator: "  ").map { $0.trimmingPrefix(" ") } }
        XCTAssertEqual(
            cells[0].map { $0.lowercased() }, TableColumn.all(of: .workout).map(\.rawValue))
        XCTAssertEqual(
            cells[1].dropFirst(3),
            ["running", "unknown", "-", "-", "1 min", "-", "workout", "\(workout.id)"])
    }

    func testNoRecords_areNoText() {
        var table = RecordTable(.quantity(.heartRate), format: format)
        XCTAssertEqual(table.text(of: []), "")
    }
}
