import GatewayCore
import XCTest

@testable import HTTPSink

/// Tests the order of pieces without a server.
final class BatchDeliveryTests: XCTestCase {
    private func lines(_ range: Range<Int>) -> RecordLines {
        Examples.lines(range.map { "line \($0)" })
    }

    /// Lets a server that refuses these deal with all; how many pieces it was sent.
    private func run(
        _ delivery: inout BatchDelivery, count: Int, refusing refused: Set<Int>,
        accepted: inout [Int], limit: Int = .max
    ) -> Int {
        var pieces = 0
        while pieces < limit, let piece = delivery.next(ofFirst: count) {
            pieces += 1
            if refused.isDisjoint(with: piece) {
                delivery.settle(invalid: [])
                accepted += piece
            } else {
                _ = delivery.reject(status: 422, response: "")
            }
        }
        return pieces
    }

    func testOneRejected_atEveryPlaceOfEveryCount_costsFewRequests() {
        for count in 1...33 {
            for place in 0..<count {
                var delivery = BatchDelivery(lines(0..<count))
                var accepted: [Int] = []
                let pieces = run(
                    &delivery, count: count, refusing: [place], accepted: &accepted)
                XCTAssertEqual(delivery.rejections.map(\.index), [place])
                XCTAssertEqual(accepted, (0..<count).filter { $0 != place })
                let depth = Int.bitWidth - (count - 1).leadingZeroBitCount
                XCTAssertLessThanOrEqual(pieces, 1 + 2 * (count == 1 ? 0 : depth))
            }
        }
    }

    func testEverySetRejected_ofASmallBatch_isFoundExactly() {
        for bits in 0..<(1 << 8) {
            let refused = Set((0..<8).filter { bits >> $0 & 1 == 1 })
            var delivery = BatchDelivery(lines(0..<8))
            var accepted: [Int] = []
            let pieces = run(&delivery, count: 8, refusing: refused, accepted: &accepted)
            XCTAssertEqual(delivery.rejections.map(\.index), refused.sorted())
            XCTAssertEqual(accepted, (0..<8).filter { !refused.contains($0) })
            XCTAssertLessThanOrEqual(pieces, 15)
        }
    }

    /// A batch of 8 stops after some pieces; then its beginning comes, and then all the rest and more.
    func testInterrupted_andThenTheBeginningOrMore_sendsNothingTwice() {
        let refused: Set = [2, 6]
        for pause in 0...16 {
            for part in 1...8 {
                var delivery = BatchDelivery(lines(0..<8))
                var accepted: [Int] = []
                _ = run(
                    &delivery, count: 8, refusing: refused, accepted: &accepted, limit: pause)
                XCTAssertTrue(delivery.resume(with: lines(0..<part)))
                _ = run(&delivery, count: part, refusing: refused, accepted: &accepted)
                let first = delivery.rejections.map(\.index).filter { $0 < part }
                var rest = delivery.withoutFirst(part) ?? BatchDelivery(lines(part..<12))
                XCTAssertTrue(rest.resume(with: lines(part..<12)))
                var later: [Int] = []
                _ = run(
                    &rest, count: 12 - part, refusing: Set(refused.map { $0 - part }),
                    accepted: &later)

                let note = "after \(pause) pieces, \(part) records"
                XCTAssertEqual(
                    accepted + later.map { $0 + part }, [0, 1, 3, 4, 5, 7, 8, 9, 10, 11], note)
                XCTAssertEqual(first + rest.rejections.map { $0.index + part }, [2, 6], note)
            }
        }
    }

    func testAnotherBatch_isAnotherDelivery() {
        var delivery = BatchDelivery(lines(0..<4))
        XCTAssertFalse(delivery.resume(with: lines(1..<5)))
        XCTAssertFalse(delivery.resume(with: lines(1..<2)))
        XCTAssertFalse(delivery.resume(with: RecordLines([])))
        XCTAssertFalse(delivery.resume(with: RecordLines(Array("line 0\nli".utf8))))
        XCTAssertTrue(delivery.resume(with: lines(0..<4)))
        XCTAssertEqual(delivery.next(ofFirst: 4), 0..<4)
    }

    func testReopen_triesTheFirstOfThemAgainAlone() {
        var delivery = BatchDelivery(lines(0..<6))
        var accepted: [Int] = []
        // 0 is taken, 1 to 3 are refused one by one.
        _ = delivery.reject(status: 400, response: "")
        _ = delivery.reject(status: 400, response: "")
        delivery.settle(invalid: [])
        _ = delivery.reject(status: 400, response: "")
        XCTAssertTrue(delivery.reject(status: 400, response: ""))
        XCTAssertTrue(delivery.reject(status: 400, response: ""))

        delivery.requeue(last: 2)

        XCTAssertEqual(delivery.rejections, [])
        XCTAssertEqual(delivery.next(ofFirst: 6), 1..<2)
        _ = run(&delivery, count: 6, refusing: [], accepted: &accepted)
        XCTAssertEqual(accepted, [1, 2, 3, 4, 5])
    }

    func testSettle_withUnreadableLines_refusesThoseWithoutAStatus() {
        var delivery = BatchDelivery(lines(0..<4))
        delivery.settle(invalid: [1, 3])
        XCTAssertEqual(delivery.rejections.map(\.index), [1, 3])
        XCTAssertEqual(delivery.rejections.map(\.status), [nil, nil])
        XCTAssertNil(delivery.next(ofFirst: 4))
        XCTAssertNil(delivery.withoutFirst(4))
    }
}
