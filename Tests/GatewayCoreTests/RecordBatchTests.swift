import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

final class RecordBatchTests: XCTestCase {
    private func samples(_ types: [QuantityType]) throws -> [Record] {
        try types.enumerated().map { index, type in
            let now = Instant(nanosecondsSince1970: Int64(index))
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: UInt64(index)),
                    type: type, start: now, end: now,
                    quantity: Quantity(60, type.canonicalUnit)))
        }
    }

    private func types(of lines: RecordLines) throws -> [String?] {
        var decoder = RecordDecoder()
        return try (0..<lines.count).map { index in
            try decoder.decode(lines[index]).typeName
        }
    }

    func testLines_ofThoseThatAreWanted() throws {
        let batch = RecordBatch(try samples([.heartRate, .runningSpeed, .heartRate]))
        XCTAssertEqual(
            try types(of: batch.lines), ["heartRate", "runningSpeed", "heartRate"])
        XCTAssertEqual(
            try types(of: batch.lines { $0.typeName == "runningSpeed" }), ["runningSpeed"])
        XCTAssertEqual(
            try types(of: batch.lines { $0.typeName == "heartRate" }), ["heartRate", "heartRate"])
        XCTAssertEqual(batch.lines { _ in true }, batch.lines)
        XCTAssertEqual(batch.lines { _ in false }, RecordLines([]))
    }

    func testSubscribe_toEvery_isHandedEachBatchUntilItIsCancelled() throws {
        let lane = LiveLane()
        let records = try samples([.heartRate, .heartRate])
        let taken = Mutex<[[Record]]>([])
        let subscription = lane.subscribe { batch in taken.withLock { $0.append(batch.records) } }
        lane.offer(RecordBatch([records[0]]))
        lane.offer(RecordBatch(records))
        lane.cancel(subscription)
        lane.offer(RecordBatch(records))
        XCTAssertEqual(taken.withLock { $0 }, [[records[0]], records])
    }
}
