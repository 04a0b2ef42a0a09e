import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import SQLiteStore
import XCTest

@testable import Reports
@testable import Terminal

final class SearchTextTests: XCTestCase {
    private func workout(_ number: UInt64) -> SearchResult.Hit {
        SearchResult.Hit(
            scope: .workouts, name: "running",
            id: RecordID(high: number << 48, low: 1).description, person: "ada",
            start: Instant(iso8601: "2026-11-21T18:15:00Z"),
            matches: [
                SearchField("HKWorkoutBrandName", "Zo\u{eb}"), SearchField("label", "one"),
                SearchField("label", "two"),
            ].compactMap { $0 })
    }

    /// A device and two of three workouts.
    private func result() -> SearchResult {
        let strap = SearchResult.Hit(
            scope: .devices, name: "Polar\u{1b}[2J H10", id: "D0:11:22:33:44:55", person: nil,
            matches: [SearchField("manufacturer", "Polar Electro Oy")].compactMap { $0 })
        var result = SearchResult()
        result.add(.devices, [strap], of: 1, limit: 2)
        result.add(.people, [], of: 1, limit: 2)
        result.add(.workouts, [workout(0x0199), workout(0x0198), workout(0x0197)], of: 9, limit: 2)
        return result
    }

    func testTable_hasTheFields_andSaysHowManyOfAll() {
        let text = SearchText(result(), calendar: .utc, width: nil)
        XCTAssertEqual(
            text.table,
            """
            KIND     NAME                      PERSON  ID                 FOUND IN
            device   Polar\\u{1b}[2J H10        -       D0:11:22:33:44:55  manufacturer Polar Electro Oy
            workout  running 2026-11-21 18:15  ada     01990000           HKWorkoutBrandName Zoë, label one, label two
            workout  running 2026-11-21 18:15  ada     01980000           HKWorkoutBrandName Zoë, label one, label two
            1 of 1 device, 0 of 1 person, 3 of 9 workouts (2 shown)

            """)
    }

    func testTable_atATerminal_isCutToItsWidth() {
        let width = TerminalWidth(columns: 40, characters: .unicode)
        let lines = SearchText(result(), calendar: .utc, width: width).table
            .split(separator: "\n")
        XCTAssertEqual(
            lines.dropFirst(4), ["1 of 1 device, 0 of 1 person, 3 of 9", "workouts (2 shown)"])
        for line in lines { XCTAssertLessThanOrEqual(TextWidth.columns(of: String(line)), 40) }
    }

    func testReport_hasEachHitAndTheCounts() {
        let report = SearchText(result(), calendar: .utc, width: nil).report
        let lines = report.text(as: .ndjson) { "" }.split(separator: "\n")
        XCTAssertEqual(lines.count, 3)
        XCTAssertEqual(
            lines[1],
            #"{"kind":"workout","id":"01990000-0000-0000-0000-000000000001","name":"running","#
                + #""person":"ada","start":"2026-11-21T18:15:00.000Z","#
                + #""matches":{"HKWorkoutBrandName":"Zoë","label":"one; two"}}"#)
        let json = report.text(as: .json) { "" }
        XCTAssertTrue(json.hasPrefix(#"{"hits":[{"kind":"device","#), json)
        XCTAssertTrue(
            json.contains(#"{"kind":"workout","shown":2,"found":3,"total":9}]}"#), json)
        XCTAssertTrue(
            report.text(as: .csv) { "" }.contains(
                "device,D0:11:22:33:44:55,Polar\u{1b}[2J H10,,,manufacturer: Polar Electro Oy\r\n"
                    .replacing("Polar\u{1b}[2J H10", with: "\"Polar\u{1b}[2J H10\"")))
    }

    func testEmptyResult_hasNoTable() {
        var result = SearchResult()
        result.add(.workouts, [], of: 0, limit: nil)
        let text = SearchText(result, calendar: .utc, width: nil)
        XCTAssertEqual(text.table, "")
        XCTAssertEqual(text.report.text(as: .ndjson) { "" }, "")
    }

    // MARK: Devices

    func testCatalogue_joinsDevicesByTheirIdentifier_newestLast() {
        let old = Device(
            name: "Strap", manufacturer: "Polar", firmwareVersion: "1",
            localIdentifier: "d0:11:22:33:44:55")
        let new = Device(name: "Strap", firmwareVersion: "2", localIdentifier: "D0:11:22:33:44:55")
        let watch = Device(name: "Ada's Watch", model: "Watch6,1")
        let catalogue = DeviceCatalogue(known: [], stored: [old, watch, new])
        XCTAssertEqual(catalogue.entries.map(\.id), ["D0:11:22:33:44:55", "Ada's Watch"])
        XCTAssertEqual(catalogue.entries.first?.reported?.firmwareVersion, "2")
        XCTAssertEqual(catalogue.entries.first?.reported?.manufacturer, "Polar")
    }

    // MARK: Scopes

    func testScopes_areAList_allByDefault() throws {
        XCTAssertEqual(
            try SearchScope.scopes(nil, option: "--in"), [.devices, .people, .workouts])
        XCTAssertEqual(
            try SearchScope.scopes("People,workouts", option: "--in"), [.people, .workouts])
        for (text, hint) in [
            ("", "known:"), ("device", "did you mean `devices`?"), ("a,", "found"),
        ] {
            XCTAssertThrowsError(try SearchScope.scopes(text, option: "--in")) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
                XCTAssertTrue((error as? HostError)?.text.contains(hint) ?? false, "\(error)")
            }
        }
    }
}
