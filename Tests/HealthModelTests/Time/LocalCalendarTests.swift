import Foundation
import HealthModel
import Platform
import XCTest

/// Tests for days and steps in time zones with clock changes.
final class LocalCalendarTests: XCTestCase {
    private func calendar(_ zone: String) throws -> LocalCalendar {
        let zone = try XCTUnwrap(TimeZone(identifier: zone))
        return LocalCalendar { instant in
            // Whole seconds: a Date is less precise than an Instant.
            let (seconds, rest) = instant.nanosecondsSince1970
                .quotientAndRemainder(dividingBy: 1_000_000_000)
            let date = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds))
            return zone.secondsFromGMT(for: date)
        }
    }

    private func at(_ text: String) throws -> Instant { try XCTUnwrap(Instant(iso8601: text)) }

    private func day(_ text: String) throws -> CalendarDate {
        try XCTUnwrap(CalendarDate(iso8601: text))
    }

    private func hours(_ span: Range<Instant>) -> Double {
        Double(span.upperBound.nanoseconds(since: span.lowerBound)) / 3.6e12
    }

    // MARK: Days

    func testDay_ofTheMarchChangeInBerlin_has23Hours() throws {
        let berlin = try calendar("Europe/Berlin")
        let span = berlin.span(from: try day("2026-03-29"), until: try day("2026-03-30"))
        XCTAssertEqual(span.lowerBound, try at("2026-03-28T23:00:00Z"))
        XCTAssertEqual(span.upperBound, try at("2026-03-29T22:00:00Z"))
    }

    func testDay_ofTheOctoberChangeInBerlin_has25Hours() throws {
        let berlin = try calendar("Europe/Berlin")
        let span = berlin.span(from: try day("2026-10-25"), until: try day("2026-10-26"))
        XCTAssertEqual(hours(span), 25)
    }

    func testDay_whoseMidnightIsSkipped_startsWithTheChange() throws {
        // São Paulo set its clocks forward at midnight until 2018.
        let calendar = try calendar("America/Sao_Paulo")
        let start = calendar.start(of: try day("2018-11-04"))
        XCTAssertEqual(start, try at("2018-11-04T03:00:00Z"))
        XCTAssertEqual(calendar.date(at: start), try day("2018-11-04"))
        XCTAssertEqual(calendar.date(at: start.adding(nanoseconds: -1)), try day("2018-11-03"))
    }

    func testDay_thatIsSkipped_isEmpty() throws {
        // Samoa crossed the date line: there was no December 30th.
        let calendar = try calendar("Pacific/Apia")
        XCTAssertTrue(
            calendar.span(from: try day("2011-12-30"), until: try day("2011-12-31")).isEmpty)
    }

    func testTime_thatIsShownTwice_isTheFirst() throws {
        let berlin = try calendar("Europe/Berlin")
        let instant = berlin.instant(try day("2026-10-25"), secondsSinceMidnight: 9_000)
        XCTAssertEqual(instant, try at("2026-10-25T00:30:00Z"))
    }

    func testTime_thatIsSkipped_isTheChange() throws {
        let berlin = try calendar("Europe/Berlin")
        let instant = berlin.instant(try day("2026-03-29"), secondsSinceMidnight: 9_000)
        XCTAssertEqual(instant, try at("2026-03-29T01:00:00Z"))
    }

    func testInstants_areNoneOneOrTwo() throws {
        let berlin = try calendar("Europe/Berlin")
        XCTAssertEqual(berlin.instants(try day("2026-03-29"), secondsSinceMidnight: 9_000), [])
        XCTAssertEqual(
            berlin.instants(try day("2026-10-25"), secondsSinceMidnight: 9_000),
            [try at("2026-10-25T00:30:00Z"), try at("2026-10-25T01:30:00Z")])
        XCTAssertEqual(
            berlin.instants(try day("2026-11-21"), secondsSinceMidnight: 9_000),
            [try at("2026-11-21T01:30:00Z")])
        // Half an hour, on the southern half of the globe.
        let howe = try calendar("Australia/Lord_Howe")
        XCTAssertEqual(howe.instants(try day("2026-10-04"), secondsSinceMidnight: 7_800), [])
        XCTAssertEqual(
            howe.instants(try day("2026-04-05"), secondsSinceMidnight: 6_300).count, 2)
        XCTAssertEqual(
            LocalCalendar.utc.instants(try day("2026-03-29"), secondsSinceMidnight: .max).count, 1)
    }

    func testDays_ofManyZones_areThoseOfFoundation() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for zone in [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
            "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "UTC",
        ] {
            let ours = try calendar(zone)
            var theirs = Calendar(identifier: .gregorian)
            theirs.timeZone = try XCTUnwrap(TimeZone(identifier: zone))
            for _ in 0..<200 {
                let seconds = Int64.random(in: 0..<2_000_000_000, using: &generator)
                let date = ours.date(
                    at: Instant(nanosecondsSince1970: seconds * 1_000_000_000))
                let moment = Date(timeIntervalSince1970: Double(seconds))
                let parts = theirs.dateComponents([.year, .month, .day], from: moment)
                XCTAssertEqual(date.year, parts.year, "seed \(seed) \(zone) \(seconds)")
                XCTAssertEqual(date.day, parts.day, "seed \(seed) \(zone) \(seconds)")
                let start = theirs.startOfDay(for: moment).timeIntervalSince1970
                XCTAssertEqual(
                    Double(ours.start(of: date).nanosecondsSince1970) / 1e9, start,
                    "seed \(seed) \(zone) \(seconds)")
            }
        }
    }

    // MARK: Steps

    func testSteps_ofADayInMarch_are23HoursWithoutAGap() throws {
        let berlin = try calendar("Europe/Berlin")
        let span = berlin.span(from: try day("2026-03-29"), until: try day("2026-03-30"))
        let steps = try XCTUnwrap(
            berlin.steps(of: span, by: XCTUnwrap(CalendarStep(1, .hour))))
        XCTAssertEqual(steps.count, 23)
        assertCover(steps, span)
    }

    func testSteps_ofDaysAcrossTheChange_startAtMidnight() throws {
        let berlin = try calendar("Europe/Berlin")
        let span = berlin.span(from: try day("2026-03-27"), until: try day("2026-04-01"))
        let steps = try XCTUnwrap(berlin.steps(of: span, by: XCTUnwrap(CalendarStep(1, .day))))
        XCTAssertEqual(steps.map(hours), [24, 24, 23, 24, 24])
        assertCover(steps, span)
    }

    func testSteps_ofASpanThatStartsInAStep_areCutToTheSpan() throws {
        let span = try at("2026-11-21T10:30:00Z")..<at("2026-11-21T13:15:00Z")
        let steps = try XCTUnwrap(
            LocalCalendar.utc.steps(of: span, by: XCTUnwrap(CalendarStep(1, .hour))))
        XCTAssertEqual(steps.map(hours), [0.5, 1, 1, 0.25])
        assertCover(steps, span)
    }

    func testSteps_ofSevenHours_restartEachDay() throws {
        let span = try at("2026-11-21T00:00:00Z")..<at("2026-11-23T00:00:00Z")
        let steps = try XCTUnwrap(
            LocalCalendar.utc.steps(of: span, by: XCTUnwrap(CalendarStep(7, .hour))))
        XCTAssertEqual(steps.map(hours), [7, 7, 7, 3, 7, 7, 7, 3])
    }

    func testSteps_ofWeeksAndMonths_startOnMondaysAndFirsts() throws {
        let span = try at("2026-11-19T00:00:00Z")..<at("2027-01-03T00:00:00Z")
        let weeks = try XCTUnwrap(
            LocalCalendar.utc.steps(of: span, by: XCTUnwrap(CalendarStep(1, .week))))
        XCTAssertEqual(
            weeks.dropFirst().map { LocalCalendar.utc.date(at: $0.lowerBound).weekday },
            [1, 1, 1, 1, 1, 1])
        let sundays = try XCTUnwrap(
            LocalCalendar(firstWeekday: 7) { _ in 0 }
                .steps(of: span, by: XCTUnwrap(CalendarStep(2, .week))))
        XCTAssertEqual(sundays.map { hours($0) / 24 }, [10, 14, 14, 7])
        let months = try XCTUnwrap(
            LocalCalendar.utc.steps(of: span, by: XCTUnwrap(CalendarStep(1, .month))))
        XCTAssertEqual(months.map { hours($0) / 24 }, [12, 31, 2])
        let several = try XCTUnwrap(
            LocalCalendar.utc.steps(of: span, by: XCTUnwrap(CalendarStep(2, .month))))
        XCTAssertEqual(several.map { hours($0) / 24 }, [43, 2])
    }

    func testSteps_moreThanTheLimit_areRefused() throws {
        let span = try at("2026-01-01T00:00:00Z")..<at("2027-01-01T00:00:00Z")
        let minute = try XCTUnwrap(CalendarStep(1, .minute))
        XCTAssertNil(LocalCalendar.utc.steps(of: span, by: minute))
        XCTAssertNil(CalendarStep(0, .day))
    }

    func testSteps_ofAllTime_endAndNeverTrap() throws {
        let all = Instant(nanosecondsSince1970: .min)..<Instant(nanosecondsSince1970: .max)
        for component in CalendarStep.Component.allCases {
            for offset in [0, -86_400, 86_400, .max, .min] {
                let calendar = LocalCalendar { _ in offset }
                let step = try XCTUnwrap(CalendarStep(CalendarStep.maximumCount, component))
                if let steps = calendar.steps(of: all, by: step) { assertCover(steps, all) }
            }
        }
    }

    private func assertCover(_ steps: [Range<Instant>], _ span: Range<Instant>) {
        XCTAssertEqual(steps.first?.lowerBound, span.lowerBound)
        XCTAssertEqual(steps.last?.upperBound, span.upperBound)
        for (one, next) in zip(steps, steps.dropFirst()) {
            XCTAssertEqual(one.upperBound, next.lowerBound)
        }
    }

    func testSteps_whereClocksGoBackOverMidnight_areNotTooShort() throws {
        // Newfoundland changed its clocks a minute after midnight until 2011: to 23:01 of the day before.
        let calendar = try calendar("America/St_Johns")
        let change = try at("2010-11-07T02:31:00Z")
        let span = change..<change.adding(nanoseconds: 2 * 3_600_000_000_000)
        for (count, component) in [(1, CalendarStep.Component.minute), (1, .hour), (1, .day)] {
            let step = try XCTUnwrap(CalendarStep(count, component))
            let steps = try XCTUnwrap(calendar.steps(of: span, by: step), "\(component)")
            XCTAssertLessThanOrEqual(steps.count, 121, "\(component)")
            XCTAssertEqual(steps.first?.lowerBound, span.lowerBound)
            XCTAssertEqual(steps.last?.upperBound, span.upperBound)
        }
    }

    func testTime_outOfRange_isClamped() throws {
        let day = try day("2026-11-21")
        XCTAssertEqual(
            LocalCalendar.utc.instant(day, secondsSinceMidnight: .max).nanosecondsSince1970, .max)
        XCTAssertEqual(
            LocalCalendar.utc.instant(day, secondsSinceMidnight: .min).nanosecondsSince1970, .min)
    }
}
