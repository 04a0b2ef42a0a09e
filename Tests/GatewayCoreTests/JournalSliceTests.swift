import XCTest

@testable import GatewayCore
@testable import GatewayJournal

final class JournalSliceTests: XCTestCase {
    private func lines(_ count: Int) -> RecordLines {
        RecordLines(Array(String(repeating: "x\n", count: count).utf8))
    }

    func testBatches_thatOverlap_areTakenOnce() {
        var builder = JournalSliceBuilder(after: 10, limit: JournalReadLimit(count: 100))
        XCTAssertTrue(builder.add(first: 8, lines(10)))
        XCTAssertTrue(builder.add(first: 10, lines(5)), "it lies within the one before")
        XCTAssertTrue(builder.add(first: 16, lines(2)), "it ends where the first one ends")
        XCTAssertTrue(builder.add(first: 17, lines(3)), "it begins within the first one")
        XCTAssertEqual(builder.slice, JournalSlice(start: 10, end: 20, lines: lines(10)))
    }

    func testPrefix_endsAtTheCursor() {
        let slice = JournalSlice(start: 5, end: 9, lines: lines(4))
        XCTAssertEqual(slice.prefix(to: 9), slice)
        XCTAssertEqual(slice.prefix(to: 7), JournalSlice(start: 5, end: 7, lines: lines(2)))
        let lost = JournalSlice(start: 5, end: 9, lines: lines(0))
        XCTAssertEqual(lost.prefix(to: 7), JournalSlice(start: 5, end: 7, lines: lines(0)))
    }
}
