import HealthModel
import XCTest

/// Arithmetic with days.
final class CalendarDateArithmeticTests: XCTestCase {
    private func day(_ text: String) throws -> CalendarDate {
        try XCTUnwrap(CalendarDate(iso8601: text))
    }

    func testDays_roundTrip() throws {
        for days in stride(from: -719_162, through: 2_932_896, by: 37) {
            XCTAssertEqual(CalendarDate(daysSince1970: days)?.daysSince1970, days)
        }
        XCTAssertNil(CalendarDate(daysSince1970: -719_163))
        XCTAssertNil(CalendarDate(daysSince1970: 2_932_897))
        XCTAssertNil(CalendarDate(daysSince1970: .max))
        XCTAssertNil(CalendarDate(daysSince1970: .min))
    }

    func testMonths_fromALongMonthToAShortOne_endOnItsLastDay() throws {
        XCTAssertEqual(try day("2026-01-31").adding(months: 1), try day("2026-02-28"))
        XCTAssertEqual(try day("2024-01-31").adding(months: 1), try day("2024-02-29"))
        XCTAssertEqual(try day("2026-03-31").adding(months: -1), try day("2026-02-28"))
        XCTAssertEqual(try day("2026-11-22").adding(months: -11), try day("2025-12-22"))
        XCTAssertNil(try day("9999-12-31").adding(months: 1))
        XCTAssertNil(try day("0001-01-31").adding(months: -1))
        XCTAssertNil(try day("2026-01-31").adding(months: .max))
    }

    func testWeekday_isThatOfISO8601() throws {
        XCTAssertEqual(try day("2026-11-22").weekday, 7)
        XCTAssertEqual(try day("1970-01-01").weekday, 4)
        XCTAssertEqual(try day("1969-12-28").weekday, 7)
        XCTAssertEqual(try day("0001-01-01").weekday, 1)
    }

    func testAge_changesOnTheBirthday() throws {
        let birth = try day("1986-02-14")
        XCTAssertEqual(try day("2026-02-13").years(since: birth), 39)
        XCTAssertEqual(try day("2026-02-14").years(since: birth), 40)
        let leap = try day("2004-02-29")
        XCTAssertEqual(try day("2025-02-28").years(since: leap), 20)
        XCTAssertEqual(try day("2025-03-01").years(since: leap), 21)
    }

    func testAge_withoutABirthDateOrBeforeIt_isNil() throws {
        XCTAssertNil(try Person(name: "me").age(on: day("2026-11-22")))
        let person = try Person(name: "me", birthDate: day("2030-01-01"))
        XCTAssertNil(person.age(on: try day("2026-11-22")))
        XCTAssertEqual(person.age(on: try day("2030-01-01")), 0)
    }
}
