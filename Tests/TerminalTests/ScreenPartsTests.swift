import XCTest

@testable import Platform
@testable import Terminal

/// The parts of screens: lines, digits and bars.
final class ScreenPartsTests: XCTestCase {
    // MARK: Lines

    func testCut_addsAnEllipsisAndKeepsStyles() {
        var line = StyledLine("zone 4", .good)
        line.append(" of 5")
        XCTAssertEqual(line.width, 11)
        XCTAssertEqual(line.cut(to: 11), line)
        XCTAssertEqual(
            line.cut(to: 8).text(Painter(isOn: true), .unicode), "\u{1b}[32mzone 4\u{1b}[0m …")
        XCTAssertEqual(line.cut(to: 1).text(.plain, .ascii), "~")
        XCTAssertEqual(line.cut(to: 0).text(.plain, .unicode), "")
    }

    func testCut_neverDividesAWideCharacter() {
        XCTAssertEqual(StyledLine("心拍計").cut(to: 4).text(.plain, .unicode), "心…")
        XCTAssertEqual(StyledLine("心拍計").cut(to: 6).text(.plain, .unicode), "心拍計")
        XCTAssertEqual(StyledLine("e\u{301}a❤️").width, 4)
    }

    // MARK: Tables

    func testTable_isCutToTheWidthOfTheTerminal_andItsNotesAreNot() {
        var table = TextTable(["NAME", "VALUE", "UNIT"], right: 1..<2)
        table.add([.init("心拍", .good), .init(12), .init("count/min")], note: "a long explanation")
        XCTAssertEqual(
            table.text(.plain),
            "NAME  VALUE  UNIT\n心拍     12  count/min\n  a long explanation\n")
        let narrow = TerminalWidth(columns: 14, characters: .unicode)
        XCTAssertEqual(
            table.text(.plain, within: narrow),
            "NAME  VALUE  …\n心拍     12  …\n  a long explanation\n")
        XCTAssertEqual(
            table.text(
                Painter(isOn: true), within: TerminalWidth(columns: 9, characters: .ascii)),
            "\u{1b}[1mNAME\u{1b}[0m  \u{1b}[1mVA~\u{1b}[0m\n"
                + "\u{1b}[32m? ? \u{1b}[0m    ~\n  a long explanation\n")
    }

    func testJustified_truncatesTheLeftLine() {
        let line = StyledLine("left side").justified(StyledLine("12"), columns: 8)
        XCTAssertEqual(line.text(.plain, .unicode), "left… 12")
        XCTAssertEqual(
            StyledLine("a").justified(StyledLine("b"), columns: 4).text(.plain, .unicode), "a  b")
        XCTAssertEqual(StyledLine("abc").justified(StyledLine("12345"), columns: 3).width, 3)
    }

    func testWrapped_breaksBetweenWords() {
        XCTAssertEqual(
            TextWidth.wrapped("come nearer or check", columns: 11), ["come nearer", "or check"])
        XCTAssertEqual(TextWidth.wrapped("incomprehensible", columns: 4), ["inc…"])
        XCTAssertEqual(TextWidth.wrapped("", columns: 4), [])
    }

    func testCharacters_areThoseOfTheLocale() {
        func characters(_ variables: [String: String]) -> TerminalCharacters {
            TerminalCharacters(Environment(variables: variables))
        }
        XCTAssertEqual(characters(["LANG": "de_DE.UTF-8"]), .unicode)
        XCTAssertEqual(characters(["LANG": "C.utf8"]), .unicode)
        XCTAssertEqual(characters(["LANG": "de_DE.UTF-8", "LC_CTYPE": "C"]), .ascii)
        XCTAssertEqual(characters(["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"]), .ascii)
        XCTAssertEqual(characters(["LC_ALL": "", "LC_CTYPE": "C.UTF-8"]), .unicode)
        XCTAssertEqual(characters([:]), .ascii)
    }

    // MARK: Digits and bars

    func testDigits_areAsWideAndHighAsTheySay() {
        let dots: [BlockDigits.Dot] = [.blocks(rows: 1), .blocks(rows: 3), .halves, .narrow]
        for face in [BlockDigits.Face.sturdy, .fine] {
            for dot in dots {
                let digits = BlockDigits(face: face, dot: dot)
                for text in ["0123456789", "1:20", "---"] {
                    let lines = digits.lines(of: text)
                    XCTAssertEqual(lines.count, digits.rows)
                    XCTAssertEqual(Set(lines.map(\.count)), [digits.columns(of: text)])
                }
                XCTAssertEqual(digits.lines(of: "x"), [])
                XCTAssertNil(digits.columns(of: ""))
            }
        }
        XCTAssertEqual(
            BlockDigits(face: .sturdy, dot: .blocks(rows: 1)).lines(of: "17"),
            [
                "  ██    ██████", "████        ██", "  ██        ██", "  ██        ██",
                "██████      ██",
            ])
    }

    func testBar_isFinerThanAColumn() {
        XCTAssertEqual(ShareBar.text(0.5, columns: 3), "█▌")
        XCTAssertEqual(ShareBar.text(1, columns: 2), "██")
        XCTAssertEqual(ShareBar.text(7, columns: 2), "██")
        XCTAssertEqual(ShareBar.text(-1, columns: 2), "")
        XCTAssertEqual(ShareBar.text(.nan, columns: 2), "")
        XCTAssertEqual(ShareBar.text(1, columns: -2), "")
    }

    func testColumns_areDividedWithoutLoss() {
        XCTAssertEqual(ShareBar.columns([1, 1, 1], among: 10), [4, 3, 3])
        XCTAssertEqual(ShareBar.columns([1_000, 1, 0], among: 10), [9, 1, 0])
        XCTAssertEqual(ShareBar.columns([0, 0], among: 10), [0, 0])
        XCTAssertEqual(ShareBar.columns([1, .infinity, .nan], among: 10), [10, 0, 0])
        XCTAssertEqual(ShareBar.columns([5, 5, 5], among: 2).reduce(0, +), 2)
    }
}
