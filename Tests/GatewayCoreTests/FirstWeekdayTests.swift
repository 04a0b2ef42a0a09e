import XCTest

@testable import GatewayCore

final class FirstWeekdayTests: XCTestCase {
    func testNumber_countsFromTheDayOfTheWeekItem() {
        let (sunday, monday) = (19_971_130, 19_971_201)
        let cases = [
            (1, sunday, 7), (2, sunday, 1), (7, sunday, 6), (1, monday, 1), (7, monday, 7),
            (0, sunday, 1), (8, sunday, 1), (-1, monday, 1), (2, 0, 1),
        ]
        for (first, week, expected) in cases {
            XCTAssertEqual(
                FirstWeekday.number(first: first, week: week), expected, "\(first) \(week)")
        }
    }

    func testLocaleWithoutACountry_isNone() {
        for name in ["C", "POSIX", "C.UTF-8", "C.utf8", ""] {
            XCTAssertTrue(FirstWeekday.isNoLocale(name), name)
        }
        for name in ["en_US.UTF-8", "de_DE@euro", "Cs_CZ"] {
            XCTAssertFalse(FirstWeekday.isNoLocale(name), name)
        }
    }
}
