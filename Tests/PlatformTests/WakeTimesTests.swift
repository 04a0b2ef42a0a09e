import GatewayTesting
import XCTest

@testable import Platform

final class WakeTimesTests: XCTestCase {
    private func time(_ seconds: Int) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
    }

    func testEarliest_followsEveryChange() {
        var times = WakeTimes<Int>()
        XCTAssertNil(times.earliest)

        times.set(1, to: time(10))
        times.set(2, to: time(5))
        XCTAssertEqual(times.earliest, time(5))
        times.set(2, to: time(20))
        XCTAssertEqual(times.earliest, time(10), "2 is postponed")
        times.set(2, to: time(3))
        XCTAssertEqual(times.earliest, time(3), "2 is earlier again")
        times.set(2, to: nil)
        XCTAssertEqual(times.earliest, time(10))
        times.set(1, to: nil)
        XCTAssertNil(times.earliest)
    }

    func testRemoveDue_returnsEachOnce_theEarliestFirst() {
        var times = WakeTimes<Int>()
        for (key, seconds) in [(1, 4), (2, 3), (3, 9), (1, 2), (1, 4)] {
            times.set(key, to: time(seconds))
        }

        XCTAssertEqual(times.removeDue(at: time(1)), [])
        XCTAssertEqual(times.removeDue(at: time(4)), [2, 1])
        XCTAssertEqual(times.removeDue(at: time(4)), [])
        XCTAssertEqual(times.earliest, time(9))
    }

    func testRandomChanges_areThoseOfATable() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20 * FuzzFactor.current {
            var times = WakeTimes<Int>()
            var table: [Int: BootInstant] = [:]
            for now in 0..<300 {
                let key = Int.random(in: 0..<12, using: &random)
                let after = Int.random(in: 0..<40, using: &random)
                let new = after < 4 ? nil : time(now + after)
                table[key] = new
                times.set(key, to: new)
                XCTAssertEqual(times.earliest, table.values.min())
                guard after % 5 == 0 else { continue }
                let due = table.filter { $0.value <= time(now) }
                for key in due.keys { table[key] = nil }
                XCTAssertEqual(Set(times.removeDue(at: time(now))), Set(due.keys))
                XCTAssertEqual(times.earliest, table.values.min())
            }
        }
    }

    /// A link that is made and lost all the time leaves nothing behind.
    func testManyChanges_keepTheSize() {
        var times = WakeTimes<Int>()
        for number in 0..<100_000 {
            times.set(1, to: time(1_000_000 - number))
            if number % 3 == 0 { times.set(1, to: nil) }
        }

        XCTAssertLessThan(times.size, 200)
    }
}
