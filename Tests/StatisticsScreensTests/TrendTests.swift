import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import Reports
import XCTest

@testable import StatisticsScreens
@testable import Terminal
@testable import WorkoutScreens

final class TrendTests: XCTestCase {
    private func at(_ text: String) throws -> Instant { try XCTUnwrap(Instant(iso8601: text)) }

    private func workout(
        _ start: String, _ end: String, meters: Double? = nil
    ) throws -> Workout {
        try Workout(
            id: RecordID(high: 1, low: 1), activity: WorkoutActivity(.running), start: at(start),
            end: at(end),
            totals: meters.map {
                [try WorkoutTotal(.distanceWalkingRunning, sum: Quantity($0, .meter))]
            } ?? [])
    }

    private func weeks() throws -> [TrendWeek] {
        let spans = TrendReader.spans(3, until: try at("2026-11-18T12:00:00Z"), .utc)
        var weeks = spans.map { TrendWeek(span: $0) }
        weeks[0].restingHeartRate = 60
        weeks[2] = TrendWeek(
            span: spans[2], workouts: 2, seconds: 5_400, meters: 12_340, kilocalories: 800,
            zoneSeconds: [0, 600, 1_200], restingHeartRate: 54.4, variability: 48.6)
        return weeks
    }

    private func style(_ width: Int? = nil) -> ScreenStyle {
        ScreenStyle(
            painter: .plain, characters: .unicode,
            format: QuantityFormat(unit: nil, people: People(), decimalSign: "."), calendar: .utc,
            width: width.map { TerminalWidth(columns: $0, characters: .unicode) })
    }

    // MARK: Weeks

    func testSpans_areWholeWeeks_andTheCurrentOneUntilNow() throws {
        let now = try at("2026-11-18T12:00:00Z")
        let monday = TrendReader.spans(2, until: now, .utc)
        XCTAssertEqual(monday.map { "\($0.lowerBound)".prefix(10) }, ["2026-11-09", "2026-11-16"])
        XCTAssertEqual(monday.last?.upperBound, now.adding(nanoseconds: 1))
        let sunday = LocalCalendar(firstWeekday: 7) { _ in 0 }
        XCTAssertEqual(
            TrendReader.spans(2, until: now, sunday).map { "\($0.lowerBound)".prefix(10) },
            ["2026-11-08", "2026-11-15"])
        let midnight = try at("2026-11-16T00:00:00Z")
        XCTAssertEqual(TrendReader.spans(1, until: midnight, .utc).first?.lowerBound, midnight)
    }

    func testSums_divideAWorkoutBetweenTwoWeeks_andCountItOnce() throws {
        let spans = TrendReader.spans(2, until: try at("2026-11-18T12:00:00Z"), .utc)
        var sums = TrendSums(weeks: spans)
        sums.add(
            try workout("2026-11-15T23:30:00Z", "2026-11-16T00:30:00Z", meters: 1_000),
            zoneSeconds: [1_800, 600])
        sums.add(try workout("2026-11-17T10:00:00Z", "2026-11-17T10:10:00Z"), zoneSeconds: [])
        let weeks = sums.weeks
        XCTAssertEqual(weeks.map(\.workouts), [1, 1])
        XCTAssertEqual(weeks.map(\.seconds), [1_800, 2_400])
        XCTAssertEqual(weeks.map(\.meters), [500, 500])
        XCTAssertEqual(weeks.map(\.kilocalories), [nil, nil])
        XCTAssertEqual(weeks.map(\.zoneSeconds), [[900, 300], [900, 300]])
    }

    func testWeek_isEmptyWithoutWorkoutsAndValues() throws {
        XCTAssertEqual(try weeks().map(\.isEmpty), [false, true, false])
    }

    // MARK: Text

    func testTable_hasARowForEachWeek_alsoWithoutWorkouts() throws {
        XCTAssertEqual(
            TrendText(try weeks(), person: nil, style: style()).table,
            """
            WEEK OF     WORKOUTS     TIME  DISTANCE    ENERGY  RESTING    HRV  ZONE 0  ZONE 1  ZONE 2
            2026-11-02         0        -         -         -       60      -       -       -       -
            2026-11-09         0        -         -         -        -      -       -       -       -
            2026-11-16         2  1:30:00  12.34 km  800 kcal       54  49 ms    0:00   10:00   20:00

            """)
        let narrow = TrendText(try weeks(), person: nil, style: style(30)).table
        for line in narrow.split(separator: "\n") {
            XCTAssertLessThanOrEqual(TextWidth.columns(of: String(line)), 30)
        }
        let empty = [TrendWeek(span: try weeks()[0].span)]
        XCTAssertEqual(TrendText(empty, person: nil, style: style()).table, "")
    }

    func testReport_hasExactValues() throws {
        let report = TrendText(try weeks(), person: "ada", style: style()).report
        XCTAssertEqual(
            report.text(as: .ndjson) { "" }.split(separator: "\n").last,
            #"{"start":"2026-11-16T00:00:00.000Z","end":"2026-11-18T12:00:00.000000001Z","#
                + #""person":"ada","workouts":2,"activeSeconds":5400,"distanceMeters":12340,"#
                + #""energyKilocalories":800,"restingHeartRate":54.4,"#
                + #""heartRateVariabilityMilliseconds":48.6,"zoneSeconds":[0,600,1200]}"#)
        let csv = report.text(as: .csv) { "" }.split(separator: "\r\n")
        XCTAssertEqual(csv.count, 4)
        XCTAssertTrue(csv[3].hasSuffix(",ada,2,5400,12340,800,54.4,48.6,0; 600; 1200"), "\(csv)")
    }

    // MARK: Plots

    func testPlot_ofASum_hasBarsFromZero() throws {
        var weeks = try weeks()
        weeks[0].seconds = 2_700
        XCTAssertEqual(
            TrendPlot(weeks, .time, style: style(), columns: 41).text,
            """
            active time of workouts by week
            2026-11-02    45:00  ██████████
            2026-11-09        -
            2026-11-16  1:30:00  ████████████████████

            """)
        let zones = TrendPlot(weeks, .zones, style: style(), columns: 29).text
        XCTAssertTrue(zones.hasSuffix("2026-11-16  30:00  1111222222\n"), zones)
    }

    func testPlot_ofAnAverage_isALineWithItsExtremes() throws {
        let text = TrendPlot(try weeks(), .restingHeartRate, style: style(), columns: 40).text
        let lines = text.split(separator: "\n")
        XCTAssertEqual(lines.count, 10)
        XCTAssertTrue(lines.contains { $0.hasPrefix("60│") }, text)
        XCTAssertTrue(lines.contains { $0.hasPrefix("54│") }, text)
        XCTAssertTrue(lines.last?.hasSuffix("2026-11-16") ?? false, text)
    }

    func testPlot_neverIsWiderThanItsColumns_andIsEmptyWithoutValues() throws {
        for measure in TrendMeasure.allCases {
            for columns in 0..<60 {
                let plot = TrendPlot(try weeks(), measure, style: style(), columns: columns)
                for line in plot.text.split(separator: "\n") {
                    XCTAssertLessThanOrEqual(TextWidth.columns(of: String(line)), columns)
                }
            }
            let empty = [TrendWeek(span: try weeks()[0].span)]
            XCTAssertEqual(
                TrendPlot(empty, measure, style: style(), columns: 80).text, "", "\(measure)")
        }
    }

    func testMeasure_ofAnUnknownName_suggestsOne() {
        XCTAssertThrowsError(try TrendMeasure("zoned", option: "--plot")) { error in
            XCTAssertEqual((error as? HostError)?.status, .usage)
            XCTAssertTrue("\(error)".contains("zones"), "\(error)")
        }
        XCTAssertEqual(try TrendMeasure("time", option: "--plot"), .time)
    }
}
