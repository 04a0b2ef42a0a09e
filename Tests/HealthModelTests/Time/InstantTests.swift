import HealthModel
import Platform
import XCTest

final class InstantTests: XCTestCase {
    func testInit_whenDateOnly_isMidnightUTC() {
        XCTAssertEqual(Instant(iso8601: "1970-01-01")?.nanosecondsSince1970, 0)
        XCTAssertEqual(Instant(iso8601: "1969-12-31")?.nanosecondsSince1970, -86_400_000_000_000)
        XCTAssertEqual(
            Instant(iso8601: "2026-11-21")?.nanosecondsSince1970, 1_795_219_200_000_000_000)
    }

    func testInit_whenTimeInAnyAcceptedForm_readsTheSameInstant() {
        let texts = [
            "2026-11-21T18:15Z", "2026-11-21 18:15Z", "2026-11-21T18:15:00Z",
            "2026-11-21T18:15:00.0Z", "2026-11-21T18:15:00.0000000009Z",
            "2026-11-21T19:15:00+01:00", "2026-11-21T12:45-05:30", "2026-11-22T00:14:00+05:59",
            "2026-11-21T19:15:00+0100", "2026-11-21T12:45-0530", "2026-11-21T19:15:00+01",
            "2026-11-21T13:15-05",
        ]
        for text in texts {
            XCTAssertEqual(
                Instant(iso8601: text)?.nanosecondsSince1970, 1_795_284_900_000_000_000, text)
        }
    }

    func testInit_whenFractionHasAnyLength_readsItAsNanoseconds() {
        let vectors: [(String, Int64)] = [
            ("1", 100_000_000), ("12", 120_000_000), ("123", 123_000_000),
            ("000000001", 1), ("123456789", 123_456_789), ("1234567899", 123_456_789),
        ]
        for (digits, nanoseconds) in vectors {
            let instant = Instant(iso8601: "1970-01-01T00:00:00.\(digits)Z")
            XCTAssertEqual(instant?.nanosecondsSince1970, nanoseconds, digits)
        }
    }

    func testInit_whenMalformed_isNil() {
        let texts = [
            "", "2026", "2026-11", "2026-11-21T", "2026-11-21T18", "2026-11-21T18:15",
            "2026-11-21T18:15:00", "2026-11-21t18:15Z", "2026-11-21T18:15z", "2026-11-21  18:15Z",
            "2026-11-21T18:15:Z", "2026-11-21T18:15:00.Z", "2026-11-21T18:15.5Z",
            "2026-11-21T18:15:00,5Z", "2026-11-21T18:15:00ZZ", "2026-11-21T18:15:00Z ",
            " 2026-11-21", "2026-11-21Z", "2026-1-21", "26-11-21", "20261121", "+2026-11-21",
            "-026-11-21", "2026-11-21T18:15:00+1:00", "2026-11-21T18:15:00+01:",
            "2026-11-21T18:15:00+01:0", "2026-11-21T18:15:00+010", "2026-11-21T18:15:00+1",
            "2026-11-21T18:15:00+01000", "2026-11-21T18:15:00−01:00", "２026-11-21",
            "2026-11-21T1815Z", "2026-11-21T18Z",
        ]
        for text in texts { XCTAssertNil(Instant(iso8601: text), text) }
    }

    func testInit_whenFieldIsOutOfItsRange_isNil() {
        let texts = [
            "2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "2026-04-31", "2026-02-29",
            "1900-02-29", "2100-02-29", "0000-01-01", "2026-11-21T24:00Z", "2026-11-21T23:60Z",
            "2026-11-21T23:59:60Z", "2026-11-21T18:15+24:00", "2026-11-21T18:15+01:60",
            "2026-11-21T18:15+24", "2026-11-21T18:15+0160",
        ]
        for text in texts { XCTAssertNil(Instant(iso8601: text), text) }
    }

    func testInit_whenLeapDay_isRead() {
        XCTAssertEqual(Instant(iso8601: "2000-02-29")?.description, "2000-02-29T00:00:00.000Z")
        XCTAssertEqual(Instant(iso8601: "2024-02-29")?.description, "2024-02-29T00:00:00.000Z")
        XCTAssertEqual(Instant(iso8601: "1696-02-29")?.description, "1696-02-29T00:00:00.000Z")
    }

    func testInit_whenAtTheBounds_isRead() {
        XCTAssertEqual(
            Instant(iso8601: "1677-09-21T00:12:43.145224192Z")?.nanosecondsSince1970, .min)
        XCTAssertEqual(
            Instant(iso8601: "2262-04-11T23:47:16.854775807Z")?.nanosecondsSince1970, .max)
    }

    func testInit_whenBeyondTheBounds_isNil() {
        let texts = [
            "1677-09-21T00:12:43.145224191Z", "1677-09-21T00:12:42Z", "1677-09-20", "0001-01-01",
            "2262-04-11T23:47:16.854775808Z", "2262-04-11T23:47:17Z", "2262-04-12", "9999-12-31",
        ]
        for text in texts { XCTAssertNil(Instant(iso8601: text), text) }
    }

    func testDescription_usesAsFewDigitsAsReadTheSameInstant() {
        let vectors: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_795_284_900_123_000_000, "2026-11-21T18:15:00.123Z"),
            (1_795_284_900_123_400_000, "2026-11-21T18:15:00.123400Z"),
            (1_795_284_900_123_456_000, "2026-11-21T18:15:00.123456Z"),
            (1_795_284_900_123_456_700, "2026-11-21T18:15:00.123456700Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (-1_000_000_000, "1969-12-31T23:59:59.000Z"),
            (-86_400_000_000_001, "1969-12-30T23:59:59.999999999Z"),
            (.min, "1677-09-21T00:12:43.145224192Z"),
            (.max, "2262-04-11T23:47:16.854775807Z"),
        ]
        for (nanoseconds, text) in vectors {
            XCTAssertEqual(Instant(nanosecondsSince1970: nanoseconds).description, text)
        }
    }

    func testDescription_readsBack() {
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let instant = Instant(
                nanosecondsSince1970: .random(in: .min ... .max, using: &generator))
            XCTAssertEqual(Instant(iso8601: instant.description), instant, "seed \(seed)")
        }
    }

    func testDescription_onEveryDayOfFourCenturies_readsBackInOrder() {
        var previous = ""
        for day in stride(from: -100_000, through: 100_000, by: 7) {
            let instant = Instant(nanosecondsSince1970: Int64(day) * 86_400_000_000_000)
            XCTAssertEqual(Instant(iso8601: instant.description.prefix(10)), instant)
            XCTAssertLessThan(previous, instant.description)
            previous = instant.description
        }
    }

    func testAdding_whenBeyondTheBounds_saturates() {
        let start = Instant(nanosecondsSince1970: 5)
        XCTAssertEqual(start.adding(nanoseconds: -7).nanosecondsSince1970, -2)
        XCTAssertEqual(start.adding(nanoseconds: .max).nanosecondsSince1970, .max)
        let early = Instant(nanosecondsSince1970: .min + 1)
        XCTAssertEqual(early.adding(nanoseconds: -2).nanosecondsSince1970, .min)
    }

    func testNanosecondsSince_whenBeyondTheBounds_saturates() {
        let (early, late) = (
            Instant(nanosecondsSince1970: .min), Instant(nanosecondsSince1970: .max)
        )
        XCTAssertEqual(late.nanoseconds(since: early), .max)
        XCTAssertEqual(early.nanoseconds(since: late), .min)
        XCTAssertEqual(late.nanoseconds(since: late.adding(nanoseconds: -3)), 3)
    }
}

final class CalendarDateTests: XCTestCase {
    func testInit_whenNoSuchDay_isNil() {
        XCTAssertNil(CalendarDate(year: 2026, month: 2, day: 29))
        XCTAssertNil(CalendarDate(year: 2026, month: 2, day: .max))
        XCTAssertNil(CalendarDate(year: 0, month: 1, day: 1))
        XCTAssertNil(CalendarDate(year: 10_000, month: 1, day: 1))
        XCTAssertNil(CalendarDate(year: 2026, month: .min, day: 1))
        XCTAssertNotNil(CalendarDate(year: 2024, month: 2, day: 29))
    }

    func testInit_whenISO8601_readsBack() {
        XCTAssertEqual(CalendarDate(iso8601: "1986-02-14")?.description, "1986-02-14")
        XCTAssertEqual(CalendarDate(iso8601: "0001-01-01")?.description, "0001-01-01")
        for text in ["", "1986-02-14T", "1986-02", "86-02-14", "1986-02-30", "1986/02/14"] {
            XCTAssertNil(CalendarDate(iso8601: text), text)
        }
    }

    func testOrder_isByTime() throws {
        let dates = ["1985-12-31", "1986-01-30", "1986-02-14", "1986-02-15"]
        let read = try dates.map { try XCTUnwrap(CalendarDate(iso8601: $0)) }
        XCTAssertEqual(read.reversed().sorted(), read)
    }
}
