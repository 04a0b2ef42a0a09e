import HealthModel
import XCTest

@testable import ArgumentValues
@testable import GatewayHost

final class PeriodArgumentTests: XCTestCase {
    /// A time zone one hour ahead of UTC, two from 2026-03-29 to 2026-10-25, 01:00 UTC.
    private static let berlin = LocalCalendar { instant in
        let isSummer =
            instant >= Instant(nanosecondsSince1970: 1_774_746_000_000_000_000)
            && instant < Instant(nanosecondsSince1970: 1_792_890_000_000_000_000)
        return isSummer ? 7_200 : 3_600
    }

    private func assertSpan(
        of text: String, at now: String, _ calendar: LocalCalendar = .utc, is expected: String?,
        line: UInt = #line
    ) throws {
        let now = try XCTUnwrap(Instant(iso8601: now), line: line)
        let span = PeriodArgument.span(text, now: now, calendar: calendar)
        let texts = span.map { [$0.lowerBound, $0.upperBound].map { "\($0)".prefix(16) } }
        XCTAssertEqual(texts?.joined(separator: " "), expected, text, line: line)
    }

    func testSpan_ofEachWord() throws {
        // A Wednesday.
        let spans = [
            "today": "2026-11-18T00:00 2026-11-19T00:00",
            "yesterday": "2026-11-17T00:00 2026-11-18T00:00",
            "this week": "2026-11-16T00:00 2026-11-23T00:00",
            "last week": "2026-11-09T00:00 2026-11-16T00:00",
            "this month": "2026-11-01T00:00 2026-12-01T00:00",
            "last month": "2026-10-01T00:00 2026-11-01T00:00",
            "this year": "2026-01-01T00:00 2027-01-01T00:00",
            "last year": "2025-01-01T00:00 2026-01-01T00:00",
            "2026-02-28": "2026-02-28T00:00 2026-03-01T00:00",
            "2028-02": "2028-02-01T00:00 2028-03-01T00:00",
        ]
        for (text, expected) in spans {
            try assertSpan(of: text, at: "2026-11-18T11:06:40Z", is: expected)
        }
        for word in PeriodArgument.words {
            let spaced = word.replacing("-", with: " ")
            try assertSpan(of: word, at: "2026-11-18T11:06:40Z", is: spans[spaced])
            try assertSpan(
                of: word.replacing("-", with: "_").uppercased(), at: "2026-11-18T11:06:40Z",
                is: spans[spaced])
        }
    }

    func testSpan_ofAWeekStartsOnTheFirstWeekdayOfTheCalendar() throws {
        let cases = [
            (7, "2026-11-21T23:59Z", "2026-11-15T00:00 2026-11-22T00:00"),
            (7, "2026-11-22T00:00Z", "2026-11-22T00:00 2026-11-29T00:00"),
            (6, "2026-11-21T00:00Z", "2026-11-21T00:00 2026-11-28T00:00"),
            (6, "2026-11-20T12:00Z", "2026-11-14T00:00 2026-11-21T00:00"),
        ]
        for (weekday, now, expected) in cases {
            let calendar = LocalCalendar(firstWeekday: weekday) { _ in 0 }
            try assertSpan(of: "this week", at: now, calendar, is: expected)
        }
    }

    func testSpan_ofAWeekStartsOnMonday_alsoOnAMondayAndASunday() throws {
        let week = "2026-11-16T00:00 2026-11-23T00:00"
        try assertSpan(of: "this week", at: "2026-11-16T00:00Z", is: week)
        try assertSpan(of: "this week", at: "2026-11-22T23:59:59.999Z", is: week)
        try assertSpan(of: "last week", at: "2026-11-23T00:00Z", is: week)
        try assertSpan(
            of: "this week", at: "2027-01-01T12:00Z", is: "2026-12-28T00:00 2027-01-04T00:00")
    }

    func testSpan_atTheEndOfAMonthAndAYear() throws {
        try assertSpan(
            of: "last month", at: "2026-03-31T12:00Z", is: "2026-02-01T00:00 2026-03-01T00:00")
        try assertSpan(
            of: "last month", at: "2026-01-31T12:00Z", is: "2025-12-01T00:00 2026-01-01T00:00")
        try assertSpan(
            of: "yesterday", at: "2026-01-01T00:00Z", is: "2025-12-31T00:00 2026-01-01T00:00")
    }

    func testSpan_isInTheTimeZone_withDaysOf23And25Hours() throws {
        // Half past midnight in Berlin is the day before in UTC.
        try assertSpan(
            of: "today", at: "2026-11-17T23:30Z", Self.berlin,
            is: "2026-11-17T23:00 2026-11-18T23:00")
        try assertSpan(
            of: "today", at: "2026-03-29T12:00Z", Self.berlin,
            is: "2026-03-28T23:00 2026-03-29T22:00")
        try assertSpan(
            of: "yesterday", at: "2026-10-26T12:00Z", Self.berlin,
            is: "2026-10-24T22:00 2026-10-25T23:00")
        try assertSpan(
            of: "this week", at: "2026-10-25T12:00Z", Self.berlin,
            is: "2026-10-18T22:00 2026-10-25T23:00")
    }

    func testSpan_ofNoPeriod_isNil() throws {
        let texts = [
            "", "-", "last", "this", "last-", "-week", "last-day", "next-week", "last--week",
            "last week ", "2026", "2026-13", "2026-02-30", "9999-12", "9999-12-31", "15m", "now",
        ]
        for text in texts { try assertSpan(of: text, at: "2026-11-18T11:06:40Z", is: nil) }
    }

    func testSpan_ofAnOption_suggestsAWord() throws {
        let messages = [
            "yesterdy": "--period: unknown period `yesterdy`; did you mean `yesterday`?",
            "Last Wek": "--period: unknown period `Last Wek`; did you mean `last-week`?",
            "5 fortnights": "--period: unknown period `5 fortnights`; known: today, yesterday, ",
        ]
        for (text, message) in messages {
            XCTAssertThrowsError(
                try PeriodArgument.span(
                    text, option: "--period", now: Instant(nanosecondsSince1970: 0),
                    calendar: .utc)
            ) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
                XCTAssertTrue("\(error)".hasPrefix(message), "\(error)")
            }
        }
    }
}
