import GatewayCore
import Platform
import XCTest

@testable import GatewayHost
@testable import StatusScreens
@testable import Terminal

final class TopTextTests: XCTestCase {
    private func report(
        uptime: Double, process: Int64 = 7, records: [Int64] = [10, 100], delivered: Int64 = 50,
        hasCounts: Bool = true
    ) -> StatusReport {
        var report = StatusReport()
        (report.version, report.processID, report.uptimeSeconds) = ("1.2.3", process, uptime)
        for (index, count) in records.enumerated() {
            var device = StatusReport.Device()
            (device.identifier, device.source) = ("D\(index)", "straps")
            (device.link, device.battery) = ("live", 0.5)
            (device.records, device.silentSeconds) = (count, Double(10 - index))
            report.devices.append(device)
        }
        var sink = StatusReport.Sink()
        sink.part.name = "store"
        (sink.outcome.delivered, sink.pending) = (delivered, 3)
        report.sinks = [sink]
        report.ledger.ingest.published = records.reduce(0, +)
        report.usage = .init(cpuSeconds: uptime / 100, residentBytes: 3 << 20, openDescriptors: 9)
        report.clock.state = "set"
        return hasCounts ? report : report.withoutCounts
    }

    private func lines(
        _ report: StatusReport, since previous: StatusReport?, _ order: TopText.Order = .device,
        columns: Int = 100, rows: Int = 12, scroll: Int = 0, notice: String? = nil
    ) -> [String] {
        TopText(
            report, rates: StatusRates(report, since: previous), order: order, notice: notice,
            painter: Painter(isOn: false), characters: .unicode
        ).lines(columns: columns, rows: rows, scroll: scroll)
    }

    func testRates_areThoseSinceTheLastReport() {
        let lines = lines(
            report(uptime: 62, records: [10, 125], delivered: 51), since: report(uptime: 60))
        XCTAssertEqual(
            lines,
            [
                "pulsegate 1.2.3, running for 1 min 2 s  13 records/s  processor 1 %  memory 3 MiB",
                "journal: 0 not committed yet, 0 B", "",
                "DEVICE  NAME  PERSON  LINK  CONTACT  BATTERY  RECORDS/S  LAST SEEN",
                "D0      -     -       live  -        50 %             0  10 s ago",
                "D1      -     -       live  -        50 %            13  9 s ago", "",
                "SINK   STATE    RECORDS/S  PENDING  LAG",
                "store  healthy        0.5        3  0 B", "", "",
                "q quit  s sort (device)  j down  k up",
            ])
    }

    func testFirstReport_anotherProcess_andCountsThatAreLeftOut_haveNoRates() {
        let other = report(uptime: 60, process: 8)
        for (newest, previous) in [
            (report(uptime: 62), nil), (report(uptime: 62), other),
            (report(uptime: 62, hasCounts: false), report(uptime: 60)),
            // The counts of a device that was forgotten and seen again start anew.
            (report(uptime: 62, records: [1, 2], delivered: 1), report(uptime: 60)),
        ] {
            let lines = lines(newest, since: previous)
            XCTAssertTrue(lines[4].contains(/50 % +-  10 s ago/), lines[4])
            XCTAssertFalse(lines[0].contains("records/s"), lines[0])
        }
    }

    func testOrder_isThatOfTheKey() {
        let (newest, previous) = (report(uptime: 62, records: [10, 125]), report(uptime: 60))
        let first = { (order: TopText.Order) in
            self.lines(newest, since: previous, order)[4].prefix(2)
        }
        XCTAssertEqual(first(.rate), "D1")
        XCTAssertEqual(first(.silence), "D0")
        XCTAssertEqual(TopText.Order.device.next.next.next, .device)
    }

    func testSmallScreen_isNeverExceeded_andScrolls() {
        let many = report(uptime: 62, records: Array(repeating: 1, count: 30))
        for rows in 1...40 {
            for columns in [1, 20, 80] {
                let lines = lines(many, since: nil, columns: columns, rows: rows)
                XCTAssertEqual(lines.count, max(rows, 5))
                for line in lines { XCTAssertLessThanOrEqual(TextWidth.columns(of: line), columns) }
            }
        }
        let text = lines(many, since: nil, rows: 10, scroll: 2)
        XCTAssertTrue(text[3].hasPrefix("D1 "), text[3])
        XCTAssertTrue(text[9].contains("26 more lines"), text[9])
        let end = lines(many, since: nil, rows: 10, scroll: 1_000)
        XCTAssertTrue(end[8].hasPrefix("store"), end[8])
    }

    /// What tells whether data comes in and goes out is in a narrow terminal, too, with each problem and its remedy.
    func testNarrowScreen_hasWhatMatters() {
        var busy = report(uptime: 62, records: [10, 125], delivered: 51)
        for index in 0..<2 {
            busy.devices[index].identifier = "D0:11:22:33:44:5\(index)"
            busy.devices[index].name = "Polar H10 of the second boat"
            (busy.devices[index].person, busy.devices[index].contact) = ("ada", false)
        }
        busy.sinks[0].lagBytes = 27_000
        busy.sinks[0].lagSeconds = 4_000
        busy.sinks[0].part.failure =
            "cannot write: http://127.0.0.1:9: Failed to connect to 127.0.0.1 port 9: Couldn't connect "
            + "to server; check that the server is running and reachable from this machine"
        busy.sources = [
            .init(
                name: "foot",
                failure: "/dev/ttyUSB0: no such port; plug in the device, or look for it in "
                    + "/dev/serial/by-id")
        ]
        for columns in [60, 80, 120] {
            let lines = lines(
                busy, since: report(uptime: 60), columns: columns, rows: 40)
            XCTAssertEqual(lines.count, 40)
            for line in lines { XCTAssertLessThanOrEqual(TextWidth.columns(of: line), columns) }
            let text = lines.joined(separator: "\n")
            XCTAssertFalse(text.contains("…"), text)
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for value in [
                "13 records/s", "1 %", "3 MiB", "D0:11:22:33:44:50", "Polar H10 of the second boat",
                "ada", "live", "50 %", "10 s ago", "failing", "26.4 KiB, 1 h 6 min",
                "reachable from this machine", "in /dev/serial/by-id", "q quit",
            ] {
                XCTAssertTrue(words.contains(value), "\(columns): \(value)\n\(text)")
            }
        }
    }

    /// A long name is cut, so that what is beside it remains.
    func testLongNames_leaveTheStateAndTheRates() {
        let name = String(repeating: "長", count: 40)
        var wide = report(uptime: 62, records: [10, 125], delivered: 51)
        wide.devices[0].identifier = name
        (wide.devices[0].name, wide.devices[0].person) = (name, name)
        wide.devices[0].reason = "no \(name) found"
        (wide.sinks[0].part.name, wide.sinks[0].part.failure) = (name, name)
        wide.sources = [.init(name: name, failure: name)]
        let previous = report(uptime: 60)
        for columns in [40, 60] {
            let lines = lines(wide, since: previous, columns: columns, rows: 40)
            for line in lines { XCTAssertLessThanOrEqual(TextWidth.columns(of: line), columns) }
            let rows = lines.filter { $0.contains("長") }
            XCTAssertEqual(rows.count, 8)
            for row in rows { XCTAssertTrue(row.contains("…"), "\(columns): \(row)") }
            XCTAssertTrue(lines[4].contains(/… +live +-/), lines[4])
            XCTAssertEqual(lines.count { $0.contains(/… +failing/) }, 2, "\(lines)")
        }
    }

    func testProblems_areShownWithTheirReason_andWithoutControlCharacters() {
        var bad = report(uptime: 62)
        bad.devices[0].link = "backOff"
        bad.devices[0].reason = "no\u{1b}[31m answer"
        bad.sinks[0].part.failure = "full"
        bad.sources = [.init(name: "straps", failure: "bluetoothd is not running")]
        let text = lines(bad, since: nil, rows: 20, notice: "away").joined(separator: "\n")
        XCTAssertTrue(text.contains("\n  no\\u{1b}[31m answer\n"), text)
        XCTAssertTrue(text.contains("failing"), text)
        XCTAssertTrue(text.contains("\n  bluetoothd is not running"), text)
        XCTAssertTrue(text.contains("\naway\n"), text)
    }
}
