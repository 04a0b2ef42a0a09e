import XCTest

@testable import Lines

final class DecimalNumberTests: XCTestCase {
    /// The number of a text and the rest of the text.
    private func scan(_ text: String) -> (number: DecimalNumber, rest: String)? {
        let bytes = Array(text.utf8)
        var cursor = 0
        return DecimalNumber(scanning: bytes.span, at: &cursor).map {
            ($0, String(decoding: bytes[cursor...], as: UTF8.self))
        }
    }

    func testScan_readsMillionths() {
        let cases: [(String, Int64)] = [
            ("0", 0), ("7", 7_000_000), ("007", 7_000_000), ("5.25", 5_250_000),
            ("5.60", 5_600_000), ("0.000001", 1), ("-3", -3_000_000), ("+3.5", 3_500_000),
            ("-0.5", -500_000), ("4294967295", 4_294_967_295_000_000),
            ("99999999999.9999", 99_999_999_999_999_900),
        ]
        for (text, millionths) in cases {
            XCTAssertEqual(scan(text)?.number.millionths, millionths, text)
            XCTAssertEqual(scan(text)?.rest, "", text)
        }
    }

    func testScan_roundsWhatIsFiner() {
        XCTAssertEqual(scan("1.2345674")?.number.millionths, 1_234_567)
        XCTAssertEqual(scan("1.2345675")?.number.millionths, 1_234_568)
        XCTAssertEqual(scan("-1.2345675")?.number.millionths, -1_234_568)
        XCTAssertEqual(scan("0.99999999999999")?.number.millionths, 1_000_000)
    }

    func testScan_ofWhatMicroPythonPrints() {
        XCTAssertEqual(scan("5.3500000000000005 m")?.number.millionths, 5_350_000)
        XCTAssertEqual(scan("5.3500000000000005 m")?.rest, " m")
    }

    func testScan_whenTooManyDigits_hasNoValueButAnEnd() {
        for text in ["1234567890123456", "12345678.12345678", "0000000000000000"] {
            XCTAssertNotNil(scan(text), text)
            XCTAssertNil(scan(text)?.number.millionths, text)
            XCTAssertEqual(scan(text + " m")?.rest, " m", text)
        }
    }

    func testScan_whenTooLarge_hasNoValue() {
        XCTAssertNil(scan("999999999999999")?.number.millionths)
        XCTAssertNil(scan("9223372036855")?.number.millionths)
        XCTAssertEqual(scan("9223372036854")?.number.millionths, 9_223_372_036_854_000_000)
    }

    func testScan_stopsBehindTheNumber() {
        XCTAssertEqual(scan("5.60 m")?.rest, " m")
        XCTAssertEqual(scan("7.")?.rest, ".")
        XCTAssertEqual(scan("7.x")?.rest, ".x")
        XCTAssertEqual(scan("1.2.3")?.rest, ".3")
        XCTAssertEqual(scan("7e3")?.rest, "e3")
        XCTAssertEqual(scan("7")?.number.whole, 7)
    }

    func testScan_whenNoNumber_isNil() {
        for text in ["", "-", "+", ".", ".5", "nan", "inf", "ovf", " 7", "--7", "٧"] {
            XCTAssertNil(scan(text), text)
        }
    }

    func testScan_whenCutAnywhere_neverReadsBeyond() {
        let text = "-12345.678901"
        for length in 0..<text.count {
            let cut = String(text.prefix(length))
            XCTAssertEqual(scan(cut) == nil, cut.count < 2, cut)
        }
    }

    func testWhole_isNilForFractions() {
        XCTAssertEqual(scan("7.000")?.number.whole, 7)
        XCTAssertNil(scan("7.001")?.number.whole)
        XCTAssertEqual(scan("-2")?.number.whole, -2)
    }
}
