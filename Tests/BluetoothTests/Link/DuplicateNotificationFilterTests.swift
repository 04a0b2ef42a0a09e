import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

final class NotificationCopiesTests: XCTestCase {
    /// Tells values to the filter, each so many times, and keeps those that are taken.
    private struct Teller {
        private var copies = DuplicateNotificationFilter()
        private var now = BootInstant(nanoseconds: 1_000_000_000_000)
        private(set) var taken: [UInt8] = []

        mutating func pass(_ seconds: Double) { now = now.adding(seconds: seconds) }

        /// Tells one value and its copies, 2 ms apart.
        mutating func tell(_ value: UInt8, times: Int = 1) {
            for _ in 0..<times {
                pass(0.002)
                if !copies.isCopy([value], at: now) { taken.append(value) }
            }
        }

        /// Tells these values a second apart.
        mutating func tell(everySecond values: [UInt8], times: Int) {
            for value in values {
                pass(1)
                tell(value, times: times)
            }
        }

        mutating func takeTaken() -> [UInt8] {
            defer { taken = [] }
            return taken
        }
    }

    func testAlone_everyValueIsTakenOnce_howeverOftenItIsTold() {
        for times in 1...4 {
            var teller = Teller()
            teller.tell(everySecond: [70, 70, 71, 70, 70], times: times)
            XCTAssertEqual(teller.taken, [70, 70, 71, 70, 70], "\(times)")
        }
    }

    func testSubscribersComeAndGo_everyValueIsTakenOnce() {
        var teller = Teller()
        for times in [1, 2, 3, 1, 4, 2, 1] {
            teller.tell(everySecond: [70, 70, 71], times: times)
            XCTAssertEqual(teller.takeTaken(), [70, 70, 71], "\(times)")
        }
    }

    /// Several values that the radio held back come at once.
    func testBurst_afterAStall_keepsEqualValues() {
        for times in 1...3 {
            var teller = Teller()
            teller.tell(everySecond: [70, 71, 72], times: times)
            _ = teller.takeTaken()
            teller.pass(5)
            for value: UInt8 in [73, 73, 73, 74, 74] { teller.tell(value, times: times) }
            XCTAssertEqual(teller.takeTaken(), [73, 73, 73, 74, 74], "\(times)")
            teller.tell(everySecond: [75, 75], times: times)
            XCTAssertEqual(teller.takeTaken(), [75, 75], "\(times)")
        }
    }

    func testBurst_ofNothingButEqualValues_keepsThem() {
        for times in 1...3 {
            var teller = Teller()
            teller.tell(everySecond: [70, 71, 72], times: times)
            teller.pass(60)
            // Over more than one window.
            for _ in 0..<60 { teller.tell(72, times: times) }
            teller.pass(1)
            teller.tell(72, times: times)
            XCTAssertEqual(teller.taken.count, 3 + 60 + 1, "\(times)")
        }
    }

    func testTwoEqualValuesAfterTheUsualPause_loseOne_andNoMore() {
        var teller = Teller()
        teller.tell(everySecond: [70, 71, 72], times: 1)
        _ = teller.takeTaken()

        teller.pass(1)
        teller.tell(73, times: 2)
        teller.tell(everySecond: [73, 73], times: 1)

        XCTAssertEqual(teller.taken, [73, 73, 73])
    }

    func testSubscribedDuringAStall_countsOneValueTwice_andNoMore() {
        var teller = Teller()
        teller.tell(everySecond: [70, 71, 72], times: 1)
        _ = teller.takeTaken()

        teller.pass(5)
        teller.tell(everySecond: [73, 73, 74], times: 2)

        XCTAssertEqual(teller.taken, [73, 73, 73, 74])
    }

    /// A sensor of a hundred values a second never comes alone.
    func testCrowd_learnsFromManyValuesInARow() {
        var teller = Teller()
        func tell(_ numbers: Range<Int>, times: Int) {
            for number in numbers {
                teller.pass(0.008)
                teller.tell(UInt8(number), times: times)
            }
        }
        tell(0..<50, times: 1)
        XCTAssertEqual(teller.takeTaken().count, 50)

        tell(50..<100, times: 2)

        XCTAssertLessThanOrEqual(
            teller.takeTaken().count, 50 + 2 * DuplicateNotificationFilter.crowdCount)
        tell(100..<150, times: 2)
        XCTAssertEqual(teller.takeTaken(), Array(100..<150))
        tell(150..<200, times: 1)
        XCTAssertEqual(teller.takeTaken(), Array(150..<200))
    }

    func testCrowd_ofEqualValues_isNotTakenForCopiesForLong() {
        var teller = Teller()
        for _ in 0..<200 {
            teller.pass(0.008)
            teller.tell(7)
        }
        XCTAssertGreaterThan(teller.taken.count, 190)
    }

    func testDifferentValues_areNeverCopies() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<(50 * FuzzFactor.current) {
            var teller = Teller()
            for number in 0..<UInt8(200) {
                teller.pass(Double(UInt.random(in: 0...1_500, using: &random)) / 1_000)
                teller.tell(number, times: Int.random(in: 1...3, using: &random))
            }
            XCTAssertEqual(Set(teller.taken), Set(0..<200))
        }
    }
}
