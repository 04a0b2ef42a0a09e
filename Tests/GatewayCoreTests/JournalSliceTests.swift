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

    func testBatch_thatWouldExceedALimit_isLeftToTheNextSlice() {
        for limit in [JournalReadLimit(count: 8), JournalReadLimit(count: 100, bytes: 16)] {
            var builder = JournalSliceBuilder(after: 0, limit: limit)
            XCTAssertTrue(builder.add(first: 0, lines(5)))
            XCTAssertFalse(builder.add(first: 5, lines(5)))
            XCTAssertEqual(builder.slice, JournalSlice(start: 0, end: 5, lines: lines(5)))
            var large = JournalSliceBuilder(after: 0, limit: limit)
            XCTAssertFalse(large.add(first: 0, lines(20)), "alone it is taken")
            XCTAssertEqual(large.slice?.count, 20)
        }
    }

    func testPrefix_endsAtTheCursor() {
        let slice = JournalSlice(start: 5, end: 9, lines: lines(4))
        XCTAssertEqual(slice.prefix(to: 9), slice)
        XCTAssertEqual(slice.prefix(to: 7), JournalSlice(start: 5, end: 7, lines: lines(2)))
        let lost = JournalSlice(start: 5, end: 9, lines: lines(0))
        XCTAssertEqual(lost.prefix(to: 7), JournalSlice(start: 5, end: 7, lines: lines(0)))
    }
}
