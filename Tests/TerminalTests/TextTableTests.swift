import Platform
import XCTest

@testable import Terminal

final class TextTableTests: XCTestCase {
    private func table(_ rows: [[TextTable.Cell]], right: Range<Int> = 0..<0) -> TextTable {
        var table = TextTable(["A", "LONG", ""], right: right)
        for row in rows { table.add(row) }
        return table
    }

    func testLines_neverEndInSpaces() {
        let table = table([
            [.init("1"), .init("x"), .init("")], [.init("2"), .init(""), .init("  ")],
            [.init(""), .init("", .good), .init("", .bad)], [.init("3"), .init("y"), .init("z ")],
        ])
        XCTAssertEqual(table.text(.plain), "A  LONG\n1  x\n2\n\n3  y     z\n")
        XCTAssertEqual(
            table.text(Painter(isOn: true)).split(separator: "\n").count { $0.hasSuffix(" ") }, 0)
    }

    /// Joined emoji, those with a skin tone and flags are one picture; the joiner of Persian has no column.
    func testCharactersOfSeveralParts_areAlignedAsATerminalShowsThem() {
        let names = [
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "\u{1F44D}\u{1F3FD}", "\u{1F1E9}\u{1F1EA}", "\u{0645}\u{06CC}\u{200C}\u{062E}",
        ]
        let columns = [2, 2, 2, 2, 3]
        var table = TextTable(["NAME", "VALUE"])
        for name in names { table.add([.init(name), .init(1)]) }
        let text = table.text(.plain, within: TerminalWidth(columns: 20, characters: .unicode))
        let rows = zip(names, columns).map { name, columns in
            name + String(repeating: " ", count: 6 - columns) + "1\n"
        }
        XCTAssertEqual(text, "NAME  VALUE\n" + rows.joined())
        XCTAssertEqual(TerminalText.escaped(Array(text.utf8)), Array(text.utf8))
    }

    /// What goes below a row is measured as it is shown, with control characters escaped.
    func testLowerLines_areNoWiderThanTheTerminal() {
        var table = TextTable(["A LONGER HEADING", "B", "C"], lower: ["C", "B"])
        table.add([.init("a"), .init("b"), .init("\u{1b}\u{1b}")])
        XCTAssertEqual(
            table.text(.plain, within: TerminalWidth(columns: 18, characters: .unicode)),
            "A LONGER HEADING\na\n  b: b\n  c: \\u{1b}\\u{1b}\n")
    }

    func testRightAlignedColumn_atTheEnd_staysAligned() {
        var table = TextTable(["A", "LONG"], right: 1..<2)
        table.add([.init("1"), .init("2")])
        XCTAssertEqual(table.text(.plain), "A  LONG\n1     2\n")
    }

    func testStyledLine_hasNoSpacesAtItsEnd_exceptThoseThatAreVisible() {
        var line = StyledLine("zone", .dim)
        line.pad(to: 8)
        XCTAssertEqual(line.text(.plain, .unicode), "zone")
        XCTAssertEqual(line.text(Painter(isOn: true), .unicode), "\u{1b}[2mzone\u{1b}[0m")
        let alert = StyledLine(" LOST ", .alert)
        XCTAssertEqual(alert.text(.plain, .unicode), " LOST")
        XCTAssertEqual(
            alert.text(Painter(isOn: true), .unicode), "\u{1b}[1;7m LOST \u{1b}[0m")
    }
}
