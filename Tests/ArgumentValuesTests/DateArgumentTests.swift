import HealthModel
import XCTest

@testable import ArgumentValues
@testable import GatewayHost

final class DateArgumentTests: XCTestCase {
    private func date(_ text: String) throws -> String {
        let today = try XCTUnwrap(CalendarDate(iso8601: "2026-03-01"))
        return try DateArgument.date(text, option: "--date", today: today).description
    }

    func testDate_isADayUntilToday() throws {
        XCTAssertEqual(try date("today"), "2026-03-01")
        XCTAssertEqual(try date("Yesterday"), "2026-02-28")
        XCTAssertEqual(try date("2024-02-29"), "2024-02-29")
    }

    func testDate_ofOtherTexts_isAnErrorWithASuggestion() {
        let messages = [
            "yesterdya": "unknown date `yesterdya`; did you mean `yesterday`?",
            "2026-03-02": "expected a date not in the future", "last-week": "expected a date",
            "": "expected a date",
        ]
        for (text, message) in messages {
            XCTAssertThrowsError(try date(text)) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
                XCTAssertTrue("\(error)".hasPrefix("--date: \(message)"), "\(error)")
            }
        }
    }
}
