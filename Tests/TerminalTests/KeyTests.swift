import XCTest

@testable import Platform
@testable import Terminal

/// The parser of key presses.
final class KeyTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 1_000_000_000)

    private func key(_ text: String) -> Character? {
        var parser = KeyParser()
        return parser.key(of: text.utf8, at: start)
    }

    func testKey_isWhatWasPressed() {
        for key in "plsq PL?\n" { XCTAssertEqual(self.key(String(key)), key) }
        XCTAssertEqual(key("sss"), "s")
    }

    func testKey_ofAnEscapeSequence_isNone() {
        let sequences = [
            "\u{1b}[A", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}[[A", "\u{1b}[15~",
            "\u{1b}[200~ps\u{1b}[201~",
            "\u{1b}l", "\u{1b}", "\u{1b}\u{1b}[D", "\u{1b}[<0;33;5M", "\u{1b}[A\u{1b}[A\u{1b}[B",
            "\u{1}\u{4}\u{7f}", "é", "",
        ]
        for sequence in sequences { XCTAssertNil(key(sequence), sequence.debugDescription) }
        XCTAssertEqual(key("\u{1b}[Ap"), "p")
        XCTAssertEqual(key("\u{1b}[200~pause\u{1b}[201~l"), "l")
        XCTAssertEqual(key("\u{1b}OPq"), "q")
    }

    func testKey_ofATextAtOnce_isNone() {
        XCTAssertNil(key("stop"))
        XCTAssertNil(key("ls"))
    }

    func testKey_ofASequenceInPieces_isNone() {
        for sequence in ["\u{1b}[1;5Ss", "\u{1b}OQs", "\u{1b}[200~plplpl\u{1b}[201~s"] {
            var parser = KeyParser()
            var keys: [Character] = []
            for (index, byte) in sequence.utf8.enumerated() {
                let time = start.adding(seconds: Double(index) / 100)
                if let key = parser.key(of: [byte], at: time) { keys.append(key) }
            }
            XCTAssertEqual(keys, ["s"], sequence.debugDescription)
        }
    }

    func testKey_longAfterTheEscapeKey_counts() {
        var parser = KeyParser()
        XCTAssertNil(parser.key(of: [0x1B], at: start))
        XCTAssertEqual(parser.key(of: "q".utf8, at: start.adding(seconds: 1)), "q")
    }

    func testKey_afterAnEndlessSequence_isReadAgain() {
        var parser = KeyParser()
        let endless = "\u{1b}[" + String(repeating: "1;", count: 100)
        XCTAssertNil(parser.key(of: endless.utf8, at: start))
        XCTAssertEqual(parser.key(of: "q".utf8, at: start), "q")
    }
}
