import Platform
import Terminal
import XCTest

final class TerminalTextTests: XCTestCase {
    private func escaped(_ text: String) -> String {
        String(
            decoding:
                TerminalText.escaped(Array(text.utf8), keeping: Painter.sequences), as: UTF8.self)
    }

    func testText_withoutControlCharacters_staysAsItIs() {
        for text in ["", "a,b\r\nc\td\n", "größe 🏃 36.6 °C — e\u{301}", "\u{5D0}\u{5D1}"] {
            XCTAssertEqual(escaped(text), text)
        }
    }

    func testControlCharacters_areEscapedAsInJSON() {
        XCTAssertEqual(escaped("a\u{1B}[2Jb\u{7}"), "a\\u001b[2Jb\\u0007")
        XCTAssertEqual(escaped("\u{9B}31mü\u{7F}\u{0}"), "\\u009b31mü\\u007f\\u0000")
        XCTAssertEqual(escaped("true\rfake"), "true\\u000dfake")
    }

    func testInvisibleFormatCharacters_areEscaped() {
        for (scalar, text) in [
            ("\u{202E}", "\\u202e"), ("\u{2066}", "\\u2066"), ("\u{200F}", "\\u200f"),
            ("\u{2028}", "\\u2028"), ("\u{E0041}", "\\udb40\\udc41"),
        ] {
            XCTAssertEqual(escaped("a\(scalar)b"), "a\(text)b")
        }
    }

    func testStyles_areKept_butNoOtherSequences() {
        let painted = Painter(isOn: true).paint("ü", .alert)
        XCTAssertEqual(escaped(painted), painted)
        XCTAssertEqual(escaped("\u{1B}[8mhidden"), "\\u001b[8mhidden")
    }

    func testInvalidBytes_areReplaced() {
        XCTAssertEqual(
            String(decoding: TerminalText.escaped([0x61, 0xFF, 0x1B]), as: UTF8.self),
            "a\u{FFFD}\\u001b")
    }
}
