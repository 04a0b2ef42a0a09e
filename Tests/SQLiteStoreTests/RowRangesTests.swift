import GatewayTesting
import Platform
import XCTest

@testable import SQLite

final class RowRangesTests: XCTestCase {
    func testRanges_coverEveryNumber_inOrder_andAreFew() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var ranges = RowRanges()
            var numbers: [Int64] = []
            for _ in 0..<Int.random(in: 0...100, using: &random) {
                let number =
                    random.once(in: 10)
                    ? Int64.random(in: .min...(.max), using: &random)
                    : Int64.random(in: 0...300, using: &random)
                numbers.append(number)
                ranges.insert(number)
            }
            XCTAssertLessThanOrEqual(ranges.ranges.count, RowRanges.limit)
            for number in numbers {
                XCTAssertTrue(ranges.ranges.contains { $0.contains(number) }, "seed \(seed)")
            }
            for (one, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
                XCTAssertLessThan(one.upperBound, next.lowerBound, "seed \(seed)")
            }
        }
    }
}
