import HealthModel
import XCTest

@testable import GatewayCore

/// Batches that follow each other, and such as only a strange file has.
final class JournalSliceTests: XCTestCase {
    private func lines(_ numbers: Range<Int>) -> RecordLines {
        RecordLines(Array(numbers.map { "\($0)\n" }.joined().utf8))
    }

    private func slice(_ batches: [Range<Int>], after cursor: Int64 = 0) -> JournalSlice? {
        var builder = JournalSliceBuilder(after: cursor, limit: JournalReadLimit(count: 1_000))
        for batch in batches {
            guard builder.add(first: Int64(batch.lowerBound), lines(batch)) else { break }
        }
        return builder.slice
    }

    func testBatches_thatOverlap_giveEachRecordOnce() {
        XCTAssertEqual(slice([0..<10, 5..<8, 10..<12])?.lines, lines(0..<12))
        XCTAssertEqual(slice([0..<10, 5..<8, 7..<12])?.lines, lines(0..<12))
        XCTAssertEqual(slice([0..<10, 3..<10, 10..<12], after: 4)?.lines, lines(4..<12))
    }

    func testBatches_withAGap_endBeforeIt() {
        XCTAssertEqual(slice([0..<10, 11..<12])?.lines, lines(0..<10))
        XCTAssertEqual(slice([5..<10])?.isLost, true)
    }
}
