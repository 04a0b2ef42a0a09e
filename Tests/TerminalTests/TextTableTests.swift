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
