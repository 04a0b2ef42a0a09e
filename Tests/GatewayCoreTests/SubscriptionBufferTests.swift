import HealthModel
import XCTest

@testable import GatewayCore

/// Tests of the live lane's queue of all records.
final class SubscriptionBufferTests: XCTestCase {
    private func records(_ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { number in
            let time = Instant(nanosecondsSince1970: Int64(number))
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 1), type: .heartRate, start: time,
                    end: time, quantity: Quantity(60, .countPerMinute)))
        }
    }

    private func batch(_ numbers: Range<Int>) throws -> RecordBatch {
        RecordBatch(try records(numbers))
    }

    func testNext_givesEachBatchInOrder() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered()
        for first in [0, 3, 6] { lane.offer(try batch(first..<first + 3)) }
        for first in [0, 3, 6] {
            let next = await queue.next()
            XCTAssertEqual(next, .records(try records(first..<first + 3)))
        }
    }

    func testNext_waitsForWhatComes() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered()
        async let next = queue.next()
        lane.offer(try batch(0..<2))
        let delivery = await next
        XCTAssertEqual(delivery, .records(try records(0..<2)))
    }

    func testNext_whenTheReaderIsLate_reportsOnceHowManyAreMissing_andContinues() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered(limit: 4)
        for first in stride(from: 0, to: 20, by: 2) { lane.offer(try batch(first..<first + 2)) }
        var deliveries: [SubscriptionBuffer.Delivery?] = []
        for _ in 0..<3 { deliveries.append(await queue.next()) }
        lane.offer(try batch(20..<22))
        deliveries.append(await queue.next())
        XCTAssertEqual(
            deliveries,
            [
                .gap(missed: 16), .records(try records(16..<18)), .records(try records(18..<20)),
                .records(try records(20..<22)),
            ])
    }

    func testNext_whenABatchIsLargerThanTheQueue_givesItAllTheSame() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered(limit: 4)
        lane.offer(try batch(0..<3))
        lane.offer(try batch(3..<13))
        let (first, second) = (await queue.next(), await queue.next())
        XCTAssertEqual(first, .gap(missed: 3))
        XCTAssertEqual(second, .records(try records(3..<13)))
    }

    func testNext_afterTheCancellation_isNil_andNothingComesAnyMore() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered()
        lane.offer(try batch(0..<1))
        lane.cancel(queue)
        lane.offer(try batch(1..<2))
        for _ in 0..<2 {
            let next = await queue.next()
            XCTAssertNil(next)
        }
    }

    func testCancel_ofAQueueThatIsWaitedFor_endsTheWait() async {
        let lane = LiveLane()
        for _ in 0..<200 {
            let queue = lane.subscribeBuffered()
            async let next = queue.next()
            lane.cancel(queue)
            let delivery = await next
            XCTAssertNil(delivery)
        }
    }

    func testNext_whenItsTaskIsCancelled_isNil_andTheQueueContinues() async throws {
        let lane = LiveLane()
        for _ in 0..<200 {
            let queue = lane.subscribeBuffered()
            let reader = Task { await queue.next() }
            reader.cancel()
            let delivery = await reader.value
            XCTAssertNil(delivery)
            lane.offer(try batch(0..<1))
            let next = await queue.next()
            XCTAssertEqual(next, .records(try records(0..<1)))
            lane.cancel(queue)
        }
    }

    func testWait_withAWakeCount_endsWithThatManyRecords_orWithASmallerCount() async throws {
        for isLowered in [false, true] {
            let lane = LiveLane()
            let queue = lane.subscribeBuffered()
            queue.wakeReader(with: 4)
            lane.offer(try batch(0..<3))
            async let isReady = queue.wait()
            while !lane.isDrained { await Task.yield() }
            if isLowered { queue.wakeReader(with: 1) } else { lane.offer(try batch(3..<4)) }
            let isWoken = await isReady
            XCTAssertTrue(isWoken)
            XCTAssertEqual(queue.take(), .records(try records(0..<3)))
            XCTAssertEqual(queue.take(), isLowered ? nil : .records(try records(3..<4)))
            XCTAssertNil(queue.take())
        }
    }

    func testWait_withAWakeCount_endsWithAGapAndWithTheCancellation() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered()
        queue.wakeReader(with: 4)
        lane.drop(7)
        let isWoken = await queue.wait()
        XCTAssertTrue(isWoken)
        XCTAssertEqual(queue.take(), .gap(missed: 7))
        async let isReady = queue.wait()
        lane.cancel(queue)
        let isStillReady = await isReady
        XCTAssertFalse(isStillReady)
    }

    func testNext_whileOthersPublish_accountsForEveryRecordInOrder() async throws {
        let lane = LiveLane()
        let queue = lane.subscribeBuffered(limit: 50)
        let count = 5_000
        let batches = try (0..<count).map { try batch($0 * 2..<$0 * 2 + 2) }
        async let published: Void = {
            for batch in batches { lane.offer(batch) }
        }()
        var seen = 0
        var last: UInt64 = 0
        while seen < count * 2, let delivery = await queue.next() {
            switch delivery {
            case .gap(let missed): seen += missed
            case .records(let records):
                // A gap was reported before: the numbers have no other gap.
                XCTAssertEqual(records.map(\.id.high), [UInt64(seen), UInt64(seen) + 1])
                seen += records.count
                last = records.last?.id.high ?? last
            }
        }
        await published
        XCTAssertEqual(seen, count * 2)
        XCTAssertEqual(last, UInt64(count * 2 - 1))
    }
}
