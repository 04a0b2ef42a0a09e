import XCTest

@testable import StoreQueries

final class FoldedTextTests: XCTestCase {
    func testText_hasNeitherCaseNorDiacritics() {
        let cases = [
            ("Polar H10", "polar h10"), ("Zo\u{eb}", "zoe"), ("Zoe\u{308}", "zoe"),
            ("\u{d8}lgod \u{1ebf}", "olgod e"), ("Stra\u{df}e", "strasse"), ("STRASSE", "strasse"),
            ("\u{130}stanbul", "istanbul"), ("\u{141}\u{f3}d\u{17a}", "lodz"),
            (
                "\u{391}\u{3b8}\u{3ae}\u{3bd}\u{3b1}\u{3c2}",
                "\u{3b1}\u{3b8}\u{3b7}\u{3bd}\u{3b1}\u{3c3}"
            ),
            ("\u{fb01}t", "fit"), ("", ""), ("D0:11 \u{1F3C3}", "d0:11 \u{1F3C3}"),
        ]
        for (text, expected) in cases {
            XCTAssertEqual(text.withoutCaseAndDiacritics, expected, text)
        }
    }

    func testOtherScripts_keepTheirMarks_inBothNormalForms() {
        // KATAKANA GA and KA, CYRILLIC SHORT I and I, HANGUL.
        XCTAssertEqual(
            "\u{30ac}".withoutCaseAndDiacritics, "\u{30ab}\u{3099}".withoutCaseAndDiacritics)
        XCTAssertNotEqual(
            "\u{30ac}".withoutCaseAndDiacritics, "\u{30ab}".withoutCaseAndDiacritics)
        XCTAssertEqual(
            "\u{419}".withoutCaseAndDiacritics, "\u{438}\u{306}".withoutCaseAndDiacritics)
        XCTAssertEqual(
            "\u{d55c}".withoutCaseAndDiacritics,
            "\u{1112}\u{1161}\u{11ab}".withoutCaseAndDiacritics)
    }

    func testFoldedText_staysTheSame() {
        for value in UInt32(0x20)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = "e\(scalar)x".withoutCaseAndDiacritics
            XCTAssertEqual(once.withoutCaseAndDiacritics, once, String(value, radix: 16))
        }
    }
}
