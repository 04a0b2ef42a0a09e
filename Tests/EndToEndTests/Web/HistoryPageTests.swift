import HTTPTesting
import XCTest

/// The page of the history in a real browser.
final class HistoryPageTests: XCTestCase {
    func testDaysAndWeeks_haveColumnsForWhatIsThere() async throws {
        let visit = try await PageVisit("/history?person=ada", Self.scene)
        try await visit.browser.wait(for: "#days tbody tr:first-child", text: "10,500")
        let head = try await visit.browser.text("#days thead")
        XCTAssertEqual(head, "DayStepsDistance (km)")
        try await visit.browser.wait(for: "#weeks tbody tr:first-child", text: "48")
        let weeks = try await visit.browser.text("#weeks thead")
        XCTAssertEqual(weeks, "Week fromHRV SDNN (ms)")
        let bars: [String]? = try await visit.browser.evaluate(
            "[...document.querySelectorAll('#days .bar')].slice(0, 3).map((bar) => bar.style.width)"
        )
        XCTAssertEqual(bars, ["100%", "100%", "50%"])
        try await assertFitsTheWidth(visit)
    }

    func testPerson_isChosenAmongThePeople_andIsInTheAddress() async throws {
        let visit = try await PageVisit("/history", Self.scene)
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
        let visit = try await PageVisit("/history?person=ada", Self.scene)
        try await visit.browser.wait(for: "#workouts summary", text: "Running")
        let line = try await visit.browser.text("#workouts summary")
        XCTAssertTrue(line?.contains("30:00") ?? false, "\(line ?? "")")
        XCTAssertTrue(line?.contains("5.20 km") ?? false, "\(line ?? "")")
        try await visit.browser.run("document.querySelector('#workouts summary').click()")
        try await visit.browser.wait(for: "#workouts .zone-table", text: "Zone 2 of 5, light")
        try await visit.browser.wait(for: "#workouts dl", text: "130 beats/min")
        let label: String? = try await visit.browser.evaluate(
            "document.querySelector('#workouts svg').ariaLabel")
        XCTAssertEqual(label, "Heart rate of the workout, from 120 to 140")
        try await visit.browser.run("document.querySelector('#workouts .downloads button').click()")
        try await visit.wait(forGet: "/v1/workouts/\(Self.id)/file?format=fit")
        try await assertFitsTheWidth(visit)
        for isDark in [true, false] {
            try await visit.browser.show(width: 360, height: 640, isDark: isDark)
            let violations = try await visit.browser.violations()
            XCTAssertEqual(violations, [], isDark ? "dark" : "light")
        }
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

    private static let id = "0198f3c2-0000-8000-8000-000000000001"

    private static let scene = ScriptedPages.Scene(stored: [
        ("/v1/people", #"{"people":[{"name":"ada"},{"name":"bob"}],"default":"ada"}"#),
        ("/v1/statistics?person=ada&type=stepCount&bucket=day", rows("sum", [5_250, 10_500])),
        (
            "/v1/statistics?person=ada&type=distanceWalkingRunning&bucket=day",
            rows("sum", [4_000, 8_000])
        ),
        (
            "/v1/statistics?person=ada&type=heartRateVariabilitySDNN&bucket=week",
            rows("average", [48])
        ),
        ("/v1/statistics", #"{"rows":[]}"#),
        (
            "/v1/workouts/\(id)/file",
            #"{"records":[]}"#
        ),
        ("/v1/workouts/\(id)", detail), ("/v1/workouts", #"{"records":[\#(workout)]}"#),
    ])

    /// Rows of days, of which the last one has the last value.
    private static func rows(_ key: String, _ values: [Int]) -> String {
        let rows = values.enumerated().map { index, value in
            #"{"start":"2026-11-2\#(index)T00:00:00.000Z","end":"2026-11-2\#(index + 1)T00:00:00.000Z","#
                + #""count":1,"\#(key)":\#(value)}"#
        }
        return #"{"rows":[\#(rows.joined(separator: ","))]}"#
    }

    private static let workout = """
        {"kind":"workout","id":"\(id)","activity":"running","start":"2026-11-22T18:00:00.000Z",\
        "end":"2026-11-22T18:30:00.000Z","seconds":1800,"totals":[\
        {"type":"distanceWalkingRunning","sum":5200,"unit":"m"},\
        {"type":"heartRate","average":130,"minimum":120,"maximum":140,"unit":"count/min"}],\
        "person":"ada"}
        """

    private static let detail = """
        {"workout":{"id":"\(id)","activity":"running","start":"2026-11-22T18:00:00.000Z",\
        "end":"2026-11-22T18:30:00.000Z","seconds":1800,"measures":{"elapsedSeconds":1800,\
        "activeSeconds":1800,"heartRate":{"average":130,"minimum":120,"maximum":140},\
        "zoneSeconds":[0,60,900,600,240,0],"distanceMeters":5200,"energyMethods":[]},"laps":[],\
        "zones":[96,115,134,152,170],"plot":{"seconds":[0,3,6,900,903],\
        "rate":[120,125,131,138,140]}}}
        """
}
