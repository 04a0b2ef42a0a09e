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

    /// What is not permitted is filtered, whether or not the sink has a filter of types.
    func testAdd_withAPermission_countsTheOthersAsFiltered() throws {
        let records = try (0..<6).map { index in
            let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000 + Int64(index))
            let type = [QuantityType.heartRate, .bodyMass, .height][index % 3]
            return Record.sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: UInt64(index)),
                    type: type, start: now, end: now,
                    quantity: Quantity(Double(index), type.canonicalUnit)))
        }
        let lines = RecordBatch(records).lines
        let slice = JournalSlice(start: 0, end: 6, lines: lines)
        let permits = { (record: Record) in record.type != .quantity(.bodyMass) }
        let rows: [(TypeFilter?, ((Record) -> Bool)?, [Int])] = [
            (nil, permits, [0, 2, 3, 5]),
            (TypeFilter([.quantity(.heartRate), .quantity(.bodyMass)]), permits, [0, 3]),
            (TypeFilter([.quantity(.bodyMass)]), permits, []),
            (TypeFilter([.quantity(.bodyMass)]), nil, [1, 4]),
            (nil, { _ in false }, []),
        ]
        for (filter, permits, indices) in rows {
            var batch = SinkBatch(after: 0, limit: SinkOptions().batch)
            var decoder = RecordDecoder()
            XCTAssertTrue(batch.add(slice, filter, permits, with: &decoder))
            XCTAssertEqual(
                batch.lines.bytes, indices.flatMap { Array(lines[$0]) }, "\(indices)")
            XCTAssertEqual(batch.filtered, Int64(6 - indices.count))
            XCTAssertEqual((batch.end, batch.lost) == (6, 0), true)
        }
    }
}
