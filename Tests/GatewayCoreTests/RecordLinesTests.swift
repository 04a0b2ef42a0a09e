import XCTest

@testable import GatewayCore
@testable import GatewayJournal

final class RecordLinesTests: XCTestCase {
    private func text(_ lines: RecordLines) -> [String] {
        (0..<lines.count).map { String(decoding: lines[$0], as: UTF8.self) }
    }

    func testInit_findsTheLines() {
        XCTAssertEqual(text(RecordLines(Array("a\nbc\n\nd\n".utf8))), ["a\n", "bc\n", "\n", "d\n"])
        XCTAssertEqual(text(RecordLines(Array("a\nbc".utf8))), ["a\n", "bc"])
        XCTAssertTrue(RecordLines([]).isEmpty)
    }

    func testSubscript_ofSome_areLinesOfTheirOwn() {
        let lines = RecordLines(Array("a\nbc\nd\n".utf8))
        XCTAssertEqual(lines[1..<3], RecordLines(Array("bc\nd\n".utf8)))
        XCTAssertEqual(lines[0..<3], lines)
        XCTAssertEqual(lines[2..<2], RecordLines([]))
    }

    func testFilter_keepsTheLinesAtThosePlaces() {
        let lines = RecordLines(Array("a\nbc\nd\n".utf8))
        XCTAssertEqual(lines.filter { $0 != 1 }, RecordLines(Array("a\nd\n".utf8)))
    }
}
