import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

final class DuplicateNotificationFilterTests: XCTestCase {
    /// Feeds copies of values to the filter and stores the accepted ones.
    private struct Emitter {
        private var copies = DuplicateNotificationFilter()
        private var now = BootInstant(nanoseconds: 1_000_000_000_000)
        private(set) var taken: [UInt8] = []

        mutating func pass(_ seconds: Double) { now = now.adding(seconds: seconds) }

        /// Tells one value and its copies, 2 ms apart.
        mutating func feed(_ value: UInt8, times: Int = 1) {
            for _ in 0..<times {
                pass(0.002)
                if !copies.isCopy([value], at: now) { taken.append(value) }
            }
        }

        /// Tells these values a second apart.
        mutating func feed(everySecond values: [UInt8], times: Int) {
            for value in values {
                pass(1)
                feed(value, times: times)
            }
        }

        mutating func takeTaken() -> [UInt8] {
            defer { taken = [] }
            return taken
        }
    }

    func testAlone_everyValueIsTakenOnce_howeverOftenItIsReported() {
        for times in 1...4 {
            var emitter = Emitter()
            emitter.feed(everySecond: [70, 70, 71, 70, 70], times: times)
            XCTAssertEqual(emitter.taken, [70, 70, 71, 70, 70], "\(times)")
        }
    }

    func testSubscribersComeAndGo_everyValueIsTakenOnce() {
        var emitter = Emitter()
        for times in [1, 2, 3, 1, 4, 2, 1] {
            emitter.feed(everySecond: [70, 70, 71], times: times)
            XCTAssertEqual(emitter.takeTaken(), [70, 70, 71], "\(times)")
        }
    }

    /// A connection event later (at least 7.5 ms each), while no other program has subscribed.
    func testTwoEqualValues_someConnectionEventsApart_areBothTaken() {
        var emitter = Emitter()
        emitter.feed(everySecond: [70, 71, 72], times: 1)
        _ = emitter.takeTaken()

        for pause in [0.016, 0.03, 0.045] {
            emitter.pass(1)
            emitter.feed(73)
            emitter.pass(pause)
            emitter.feed(73)
        }

        XCTAssertEqual(emitter.takeTaken(), Array(repeating: 73, count: 6))
    }

    /// A busy machine delivers the copies late, when it is known that there are some.
    func testCopies_thatAreLate_whenThereWereCopiesBefore_areNotTaken() {
        var emitter = Emitter()
        emitter.feed(everySecond: [70, 71, 72], times: 2)
        _ = emitter.takeTaken()

        emitter.pass(1)
        emitter.feed(73)
        emitter.pass(0.03)
        emitter.feed(73)

        XCTAssertEqual(emitter.takeTaken(), [73])
    }

    /// Several values that the radio held back come at once.
    func testBurst_afterAStall_keepsEqualValues() {
        for times in 1...3 {
            var emitter = Emitter()
            emitter.feed(everySecond: [70, 71, 72], times: times)
            _ = emitter.takeTaken()
            emitter.pass(5)
            for value: UInt8 in [73, 73, 73, 74, 74] { emitter.feed(value, times: times) }
            XCTAssertEqual(emitter.takeTaken(), [73, 73, 73, 74, 74], "\(times)")
            emitter.feed(everySecond: [75, 75], times: times)
            XCTAssertEqual(emitter.takeTaken(), [75, 75], "\(times)")
        }
    }

    func testBurst_ofNothingButEqualValues_keepsThem() {
        for times in 1...3 {
            var emitter = Emitter()
            emitter.feed(everySecond: [70, 71, 72], times: times)
            emitter.pass(60)
            // Over more than one window.
            for _ in 0..<60 { emitter.feed(72, times: times) }
            emitter.pass(1)
            emitter.feed(72, times: times)
            XCTAssertEqual(emitter.taken.count, 3 + 60 + 1, "\(times)")
        }
    }

    func testTwoEqualValuesAfterTheUsualPause_loseOne_andNoMore() {
        var emitter = Emitter()
        emitter.feed(everySecond: [70, 71, 72], times: 1)
        _ = emitter.takeTaken()

        emitter.pass(1)
        emitter.feed(73, times: 2)
        emitter.feed(everySecond: [73, 73], times: 1)

        XCTAssertEqual(emitter.taken, [73, 73, 73])
    }

    func testSubscribedDuringAStall_countsOneValueTwice_andNoMore() {
        var emitter = Emitter()
        emitter.feed(everySecond: [70, 71, 72], times: 1)
        _ = emitter.takeTaken()

        emitter.pass(5)
        emitter.feed(everySecond: [73, 73, 74], times: 2)

        XCTAssertEqual(emitter.taken, [73, 73, 73, 74])
    }

    /// A sensor of a hundred values a second never comes alone.
    func testCrowd_learnsFromManyValuesInARow() {
        var emitter = Emitter()
        func feed(_ numbers: Range<Int>, times: Int) {
            for number in numbers {
                emitter.pass(0.008)
                emitter.feed(UInt8(number), times: times)
            }
        }
        feed(0..<50, times: 1)
        XCTAssertEqual(emitter.takeTaken().count, 50)

        feed(50..<100, times: 2)

        XCTAssertLessThanOrEqual(
            emitter.takeTaken().count, 50 + 2 * DuplicateNotificationFilter.crowdCount)
        feed(100..<150, times: 2)
        XCTAssertEqual(emitter.takeTaken(), Array(100..<150))
        feed(150..<200, times: 1)
        XCTAssertEqual(emitter.takeTaken(), Array(150..<200))
    }

    func testCrowd_ofEqualValues_isNotTakenForCopiesForLong() {
        var emitter = Emitter()
        for _ in 0..<200 {
            emitter.pass(0.008)
            emitter.feed(7)
        }
        XCTAssertGreaterThan(emitter.taken.count, 190)
    }

    func testDifferentValues_areNeverCopies() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<(50 * FuzzFactor.current) {
            var emitter = Emitter()
            for number in 0..<UInt8(200) {
                emitter.pass(Double(UInt.random(in: 0...1_500, using: &random)) / 1_000)
                emitter.feed(number, times: Int.random(in: 1...3, using: &random))
            }
            XCTAssertEqual(Set(emitter.taken), Set(0..<200))
        }
    }
}
