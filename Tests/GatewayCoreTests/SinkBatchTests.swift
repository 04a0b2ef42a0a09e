import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import HealthModel

final class SinkBatchTests: XCTestCase {
    /// Records that the journal has lost are counted from where the batch ends, not from their first one.
    func testAdd_countsLostRecordsOnce() {
        var batch = SinkBatch(after: 2, limit: SinkOptions().batch)
        var decoder = RecordDecoder()
        let lines = RecordLines(Array("a\nb\n".utf8))
        let slices = [
            JournalSlice(start: 2, end: 7, lines: RecordLines([])),
            JournalSlice(start: 7, end: 9, lines: lines),
            JournalSlice(start: 8, end: 12, lines: RecordLines([])),
        ]
        for slice in slices { XCTAssertTrue(batch.add(slice, nil, with: &decoder)) }
        XCTAssertEqual(batch.lines, lines)
        XCTAssertEqual(batch.lost, 8)
        XCTAssertEqual(batch.end, 12)
        XCTAssertEqual(batch.filtered, 0)
    }
}
