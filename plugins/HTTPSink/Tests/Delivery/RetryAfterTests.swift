import HealthModel
import XCTest

@testable import HTTPSink

final class RetryAfterTests: XCTestCase {
    private let now = Instant(nanosecondsSince1970: 784_111_777_000_000_000)

    private func seconds(_ header: String?, date: String? = nil) -> Double? {
        RetryAfter.seconds(header, date: date, now: now)
    }

    func testSeconds() {
        XCTAssertEqual(seconds("1"), 1)
        XCTAssertEqual(seconds("120"), 120)
        XCTAssertEqual(seconds("0120"), 120)
        XCTAssertEqual(seconds("3601"), 3_600)
        XCTAssertEqual(seconds(String(repeating: "9", count: 5_000)), 3_600)
    }

    func testDate_inEachOfTheThreeWays() {
        // 08:50:37 is a minute after `now`.
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 08:50:37 GMT"), 60)
        XCTAssertEqual(seconds("Sun Nov  6 08:50:37 1994"), 60)
        XCTAssertEqual(seconds("Sunday, 06-Nov-94 08:50:37 GMT"), 60)
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 18:50:37 GMT"), 3_600)
    }

    /// What libcurl understands beside them is a date too.
    func testDate_inAnotherWay() {
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 08:50:37"), 60)
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 09:50:37 CET"), 60)
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 8:50 GMT"), 23)
        XCTAssertEqual(seconds("Sun, 06 Nov 99999 08:49:37 GMT"), 3_600)
    }

    func testDate_isTakenByTheServersClock() {
        XCTAssertEqual(
            seconds("Fri, 01 Jan 2100 00:00:30 GMT", date: "Fri, 01 Jan 2100 00:00:00 GMT"), 30)
        XCTAssertEqual(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: "yesterday"), 60)
    }

    func testWhatMakesNoSense_isIgnored() {
        let senseless = [
            nil, "", " ", "0", "-1", "+5", "1.5", "5s", "soon", "NaN", "inf", "0x10", "١٢",
            "Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Foo 2094 08:49:37 GMT",
            "Sun, 06 Nov 2094 08:49:37 GMT\0", "a b c d e", "a b c d e f",
            String(repeating: "x ", count: 5_000),
            "Sun, 06 Nov 2094 08:49:37 GMT" + String(repeating: " ", count: 40),
        ]
        for header in senseless { XCTAssertNil(seconds(header), "\(header ?? "nil")") }
    }
}
