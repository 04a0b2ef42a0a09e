import HTTPTesting
import XCTest

/// The page of the history in a real browser.
final class HistoryPageTests: PageTestCase {
    func testDaysAndWeeks_haveColumnsForWhatIsThere() async throws {
        let visit = try await PageVisit("/history?person=ada", HistoryScene.scene)
        try await visit.browser.wait(for: "#days tbody tr:first-child", text: "10,500")
        let head = try await visit.browser.text("#days thead")
        XCTAssertEqual(head, "DayStepsDistance km")
        try await visit.browser.wait(for: "#weeks tbody tr:first-child", text: "48")
        let weeks = try await visit.browser.text("#weeks thead")
        XCTAssertEqual(weeks, "Week fromHRV (SDNN) ms")
        // The table ends with the first day that has a value.
        let days: Int? = try await visit.browser.evaluate(
            "document.querySelectorAll('#days tbody tr').length")
        XCTAssertEqual(days, 2)
        let bars: [String]? = try await visit.browser.evaluate(
            "[...document.querySelectorAll('#days .bar')].slice(0, 3).map((bar) => bar.style.width)"
        )
        XCTAssertEqual(bars, ["100%", "100%", "50%"])
        // An average has a mark between the lowest and the highest one.
        let marks: [String]? = try await visit.browser.evaluate(
            "[...document.querySelectorAll('#weeks .track i')].map((mark) => mark.style.left)")
        XCTAssertEqual(marks, ["100%", "25%", "0%"])
        try await assertFitsTheWidth(visit)
    }

    func testPerson_isChosenAmongThePeople_andIsInTheAddress() async throws {
        let visit = try await PageVisit("/history", HistoryScene.scene)
        try await visit.browser.wait(for: "#days tbody tr:first-child", text: "10,500")
        try await visit.browser.run(
            "person.value = 'bob'; person.dispatchEvent(new Event('change'))")
        try await visit.wait(forGet: "/v1/workouts?person=bob")
        let address: String? = try await visit.browser.evaluate("location.search")
        XCTAssertEqual(address, "?person=bob")
        let first = visit.pages.gets.first { $0.hasPrefix("/v1/statistics") }
        XCTAssertTrue(first?.contains("person=ada") ?? false, "\(first ?? "")")
    }

    func testWorkout_opensWithPlotZonesAndDownloads() async throws {
        let visit = try await PageVisit("/history?person=ada", HistoryScene.scene)
        try await visit.browser.wait(for: "#workouts summary", text: "Running")
        let line = try await visit.browser.text("#workouts summary")
        XCTAssertTrue(line?.contains("30:00") ?? false, "\(line ?? "")")
        XCTAssertTrue(line?.contains("5.20 km") ?? false, "\(line ?? "")")
        try await visit.browser.run("document.querySelector('#workouts summary').click()")
        try await visit.browser.wait(for: "#workouts .zone-table", text: "Zone 2, light")
        try await visit.browser.wait(for: "#workouts dl", text: "130 beats/min")
        let label: String? = try await visit.browser.evaluate(
            "document.querySelector('#workouts svg').ariaLabel")
        XCTAssertEqual(label, "Heart rate of the workout, from 120 to 140")
        try await visit.browser.run("document.querySelector('#workouts .downloads button').click()")
        try await visit.wait(forGet: "/v1/workouts/\(HistoryScene.id)/file?format=fit")
        try await assertFitsTheWidth(visit)
    }

    func testNothingStored_isSaid() async throws {
        let empty = ScriptedPages.Scene(stored: [
            ("/v1/people", #"{"people":[{"name":"me"}]}"#), ("/v1/statistics", #"{"rows":[]}"#),
            ("/v1/workouts", #"{"records":[]}"#),
        ])
        let visit = try await PageVisit("/history", empty)
        try await visit.browser.wait(for: "#none", text: "No workouts yet.")
        try await visit.browser.wait(for: "#days", text: "No values in this time.")
        let isHidden: Bool? = try await visit.browser.evaluate("person.hidden && more.hidden")
        XCTAssertEqual(isHidden, true)
    }

    /// The page is longer than the screen, but not wider.
    private func assertFitsTheWidth(
        _ visit: PageVisit, file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        let excess: Int? = try await visit.browser.evaluate(
            "document.documentElement.scrollWidth - innerWidth")
        XCTAssertEqual(excess, 0, file: file, line: line)
        let complaints = await visit.browser.complaints
        XCTAssertEqual(complaints, [], file: file, line: line)
    }
}
