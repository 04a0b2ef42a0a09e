import XCTest

@testable import Platform

final class LogTests: XCTestCase {
    private func record(
        _ level: Logger.Level, _ message: String, _ fields: [(String, String)] = []
    ) -> Logger.Record {
        Logger.Record(
            level: level, component: "foot", message: message,
            fields: fields.map { (key: $0.0, value: $0.1) })
    }

    func testPlain_levelsAndFields() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "connected", [("device", "/dev/ttyUSB0")])),
            "foot: connected device=/dev/ttyUSB0\n")
        XCTAssertEqual(LogFormat.plain(record(.warning, "gone")), "warning: foot: gone\n")
    }

    func testJournal_levelsAsSystemdReadsThem() {
        let lines = Logger.Level.allCases.map { LogFormat.journal(record($0, "x")) }
        XCTAssertEqual(
            lines, ["<7>foot: x\n", "<6>foot: x\n", "<4>foot: x\n", "<3>foot: x\n"])
    }

    func testFields_valuesWithSpacesAreQuoted() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "x", [("a", "b c"), ("d", "e\"f"), ("g", "")])),
            "foot: x a=\"b c\" d=\"e\\\"f\" g=\"\"\n")
    }

    func testEscaped_escapesControlCharacters() {
        XCTAssertEqual(LogFormat.escaped("a\u{1b}[2J\nb\u{202e}"), "a\\u{1b}[2J\\u{a}b\\u{202e}")
    }

    /// Emoji families, flags and Persian words are written with joiners.
    func testEscaped_keepsJoinersBetweenLettersAndEmoji_andNoOthers() {
        for text in [
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
            "\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}\u{0647}\u{0645}",
            "\u{0915}\u{094D}\u{200D}\u{0937}",
        ] {
            XCTAssertEqual(LogFormat.escaped(text), text)
        }
        for (text, expected) in [
            ("\u{200D}a", "\\u{200d}a"), ("a\u{200D}", "a\\u{200d}"),
            ("a\u{200D}\u{200D}b", "a\\u{200d}\\u{200d}b"), ("1\u{200D}2", "1\\u{200d}2"),
            ("a\u{200C} b", "a\\u{200c} b"), ("a\u{200D}\u{202E}b", "a\\u{200d}\\u{202e}b"),
            ("\u{1F468}\u{200B}\u{1F469}", "\u{1F468}\\u{200b}\u{1F469}"),
            ("a\u{2066}b", "a\\u{2066}b"),
        ] {
            XCTAssertEqual(LogFormat.escaped(text), expected)
        }
    }
}
