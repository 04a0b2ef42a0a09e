import Glibc
import HealthModel
import XCTest

@testable import ArgumentValues

final class TimeArgumentTests: XCTestCase {
    private let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)

    override func setUp() {
        setenv("TZ", "Europe/Berlin", 1)
        tzset()
    }

    override func tearDown() {
        unsetenv("TZ")
        tzset()
    }

    private func instant(_ text: String) -> String? {
        TimeArgument.instant(text, now: now)?.description
    }

    func testInstant_spansBackFromNow() {
        for (text, seconds) in [("90s", 90), ("15m", 900), ("24h", 86_400), ("7d", 604_800)] {
            XCTAssertEqual(
                TimeArgument.instant(text, now: now)?.nanoseconds(since: now),
                Int64(seconds) * -1_000_000_000)
        }
    }

    func testInstant_withAnOffsetIsExact() {
        XCTAssertEqual(instant("2026-11-21T18:15:00.5Z"), "2026-11-21T18:15:00.500Z")
        XCTAssertEqual(instant("2026-11-21T18:15+02:00"), "2026-11-21T16:15:00.000Z")
    }

    func testInstant_withoutAnOffsetIsLocal_inWinterAndSummer() {
        XCTAssertEqual(instant("2026-11-21T18:15"), "2026-11-21T17:15:00.000Z")
        XCTAssertEqual(instant("2026-07-01 12:00"), "2026-07-01T10:00:00.000Z")
        XCTAssertEqual(instant("2026-07-01"), "2026-06-30T22:00:00.000Z")
    }

    func testInstant_ofAWord_isNowOrTheStartOfALocalPeriod() {
        XCTAssertEqual(instant("now"), now.description)
        XCTAssertEqual(now.description, "2026-11-18T11:06:40.000Z")
        XCTAssertEqual(instant("today"), "2026-11-17T23:00:00.000Z")
        XCTAssertEqual(instant("yesterday"), "2026-11-16T23:00:00.000Z")
        XCTAssertEqual(instant("last week"), "2026-11-08T23:00:00.000Z")
        XCTAssertEqual(instant("last-year"), "2024-12-31T23:00:00.000Z")
        XCTAssertEqual(instant("2026-07"), "2026-06-30T22:00:00.000Z")
    }

    func testInstant_whatIsNoTime() {
        let texts = [
            "", "5", "m", "-5m", "5x", "99999999999999999d", "tomorrow", "2026-13-01",
            "2026-02-30", "2026-11-21T25:00", "1.5h",
        ]
        for text in texts { XCTAssertNil(instant(text), text) }
    }
}
