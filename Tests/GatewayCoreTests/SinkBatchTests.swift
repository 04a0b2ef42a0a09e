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

    /// A slice that does not fit is cut; a batch that is nearly full waits for no more records.
    func testBatch_isFull_whenLittleIsMissing() {
        for (count, limit, isFull) in [
            (0, 1, false), (1, 1, true), (9, 10, false), (10, 10, true), (21, 24, false),
            (22, 24, true), (2_749, 3_000, false), (2_750, 3_000, true),
        ] {
            var options = SinkOptions().batch
            options.count = limit
            var batch = SinkBatch(after: 0, limit: options)
            var decoder = RecordDecoder()
            let lines = RecordLines(Array(repeating: UInt8(ascii: "\n"), count: limit + 5))
            let first = JournalSlice(start: 0, end: Int64(count), lines: lines[0..<count])
            if count > 0 { XCTAssertTrue(batch.add(first, nil, with: &decoder)) }
            XCTAssertEqual(batch.isFull, isFull, "\(count) of \(limit)")
            let next = JournalSlice(
                start: Int64(count), end: Int64(limit + 5), lines: lines[count..<limit + 5])
            XCTAssertFalse(batch.add(next, nil, with: &decoder))
            XCTAssertEqual(batch.lines.count, limit)
            XCTAssertEqual(batch.end, Int64(limit))
            XCTAssertTrue(batch.isFull)
        }
    }

    // MARK: Deletions

    private let id = RecordID(high: 1, low: 2)

    private func deletion(_ type: String?) -> Record {
        .deletion(
            DeletedRecord(id: id, typeName: type, at: Instant(nanosecondsSince1970: 1_000)))
    }

    /// What a sink gets of a sample of heart rate, and of the deletions of three types.
    private func types(
        of filter: TypeFilter?, _ records: [Record]
    ) -> (lines: Int, filtered: Int64) {
        var batch = SinkBatch(after: 0, limit: SinkOptions().batch)
        var decoder = RecordDecoder(allowingUndeclared: true)
        let lines = RecordBatch(records).lines
        let slice = JournalSlice(start: 0, end: Int64(records.count), lines: lines)
        XCTAssertTrue(batch.add(slice, filter, with: &decoder))
        XCTAssertEqual(batch.lost, 0)
        XCTAssertEqual(batch.end, Int64(records.count))
        return (batch.lines.count, batch.filtered)
    }

    func testDeletions_reachASinkThatAcceptsThem_byTheirType() throws {
        let time = Instant(nanosecondsSince1970: 1_000)
        let sample = Record.sample(
            try QuantitySample(
                id: id, type: .heartRate, start: time, end: time,
                quantity: Quantity(70, .countPerMinute)))
        let records = [sample, deletion("heartRate"), deletion("stepCount"), deletion(nil)]
        for (types, accepts, lines) in [
            (nil, true, 4), (nil, false, 1), ([.quantity(.heartRate)], true, 2),
            ([.quantity(.heartRate)], false, 1), ([.quantity(.stepCount)], true, 1),
            ([.workout], true, 0),
        ] as [(Set<RecordType>?, Bool, Int)] {
            let filter = TypeFilter(types, acceptingDeletions: accepts)
            XCTAssertEqual(filter == nil, types == nil && accepts)
            let found = self.types(of: filter, records)
            XCTAssertEqual(found.lines, lines, "\(String(describing: types)) \(accepts)")
            XCTAssertEqual(found.filtered, Int64(4 - lines))
        }
        // Without a deletion nothing is left out, and nothing is looked at line by line.
        let filter = try XCTUnwrap(TypeFilter(nil, acceptingDeletions: false))
        XCTAssertTrue(filter.passes(RecordBatch([sample, sample]).lines))
        XCTAssertEqual(types(of: filter, [sample, sample]).lines, 2)
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
            (
                TypeFilter(
                    [.quantity(.heartRate), .quantity(.bodyMass)], acceptingDeletions: true),
                permits, [0, 3]
            ),
            (TypeFilter([.quantity(.bodyMass)], acceptingDeletions: true), permits, []),
            (TypeFilter([.quantity(.bodyMass)], acceptingDeletions: true), nil, [1, 4]),
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
