import XCTest

@testable import HealthModel
@testable import Platform
@testable import Readings

final class CounterStreamTests: XCTestCase {
    private func steps(
        _ value: Double, _ range: CounterReading.Range = .unbounded, countsPerUnit: Double = 1
    ) -> CounterReading {
        CounterReading(
            .stepCount, value: value, range: range, unit: .count, countsPerUnit: countsPerUnit)
    }

    private func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    /// The amounts of a sequence of totals, one per second.
    private func amounts(_ values: [Double], _ range: CounterReading.Range) -> [Double] {
        var stream = CounterStream()
        return values.enumerated().map { index, value in
            let outcome = stream.add(steps(value, range), at: at(Double(index)))
            guard case .counted(let amount, _, _) = outcome else { return 0 }
            return amount
        }
    }

    func testTake_firstTotalIsABaseline() {
        var stream = CounterStream()
        XCTAssertEqual(stream.add(steps(500), at: at(1)), .nothing)
    }

    func testTake_differenceCoversTheTimeSinceTheLastReading() {
        var stream = CounterStream()
        _ = stream.add(steps(500), at: at(1))
        XCTAssertEqual(stream.add(steps(507), at: at(4)), .counted(7, from: at(1), to: at(4)))
    }

    func testTake_nothingCountedMovesTheStartOfTheNextInterval() {
        var stream = CounterStream()
        _ = stream.add(steps(500), at: at(1))
        XCTAssertEqual(stream.add(steps(500), at: at(2)), .nothing)
        XCTAssertEqual(stream.add(steps(501), at: at(3)), .counted(1, from: at(2), to: at(3)))
    }

    func testTake_rollOverIsCountedThrough() {
        XCTAssertEqual(amounts([126, 2], .rollsOver(at: 128)), [0, 4])
        XCTAssertEqual(amounts([65_533, 1], .rollsOver(at: 65_536)), [0, 4])
        XCTAssertEqual(amounts([250, 0], .rollsOver(at: 256)), [0, 6])
    }

    func testTake_impossibleRollOverIsARestart() {
        // 65,000 steps in a second are implausible: the device restarted and counted 3.
        XCTAssertEqual(amounts([500, 3], .rollsOver(at: 65_536)), [0, 3])
        XCTAssertEqual(amounts([500, 3, 5], .unbounded), [0, 3, 2])
    }

    func testTake_fallToALargeTotalIsOnlyABaseline() {
        XCTAssertEqual(amounts([1_245, 145, 150], .unbounded), [0, 0, 5])
    }

    func testTake_aLostOrChangedDigitMakesNoSteps() {
        XCTAssertEqual(amounts([1_233, 1_234, 134, 1_235, 1_236], .unbounded), [0, 1, 0, 1, 1])
        XCTAssertEqual(amounts([1_233, 9_234, 1_235, 1_236], .unbounded), [0, 0, 2, 1])
        XCTAssertEqual(amounts([7, 9, 999_999, 10], .unbounded), [0, 2, 0, 1])
        XCTAssertEqual(amounts([6, 9_999, 10_002, 10_003], .unbounded), [0, 0, 3, 1])
        var stream = CounterStream()
        _ = stream.add(steps(1_234), at: at(0))
        XCTAssertEqual(stream.add(steps(9_234), at: at(1)), .impossible)
    }

    func testTake_whatWasCountedLongBeforeItIsReported() {
        XCTAssertEqual(amounts([100, 400], .unbounded), [0, 300])
        var stream = CounterStream()
        _ = stream.add(steps(0), at: at(0))
        XCTAssertEqual(
            stream.add(steps(3_000), at: at(600)), .counted(3_000, from: at(0), to: at(600)))
    }

    func testTake_saturatedTotalStaysUntilItIsReset() {
        let range = CounterReading.Range.saturates(at: 65_535)
        XCTAssertEqual(amounts([65_533, 65_535, 65_535, 0, 2], range), [0, 2, 0, 0, 2])
    }

    func testTake_totalThatTheCounterCannotShow() {
        var stream = CounterStream()
        XCTAssertEqual(stream.add(steps(128, .rollsOver(at: 128)), at: at(1)), .impossible)
        XCTAssertEqual(stream.add(steps(-1), at: at(1)), .impossible)
        XCTAssertEqual(stream.add(steps(1.5), at: at(1)), .impossible)
        XCTAssertEqual(stream.add(steps(.nan), at: at(1)), .impossible)
        XCTAssertEqual(stream.add(steps(.infinity), at: at(1)), .impossible)
        XCTAssertEqual(stream.add(steps(1, countsPerUnit: 0), at: at(1)), .impossible)
    }

    func testTake_countsAreDividedExactly() {
        var stream = CounterStream()
        let range = CounterReading.Range.rollsOver(at: 4_096)
        func distance(_ value: Double) -> CounterReading {
            CounterReading(
                .distanceWalkingRunning, value: value, range: range, unit: .meter,
                countsPerUnit: 16)
        }
        _ = stream.add(distance(1_205), at: at(1))
        XCTAssertEqual(
            stream.add(distance(1_309), at: at(2)), .counted(6.5, from: at(1), to: at(2)))
    }

    func testTake_afterAPauseInWhichItMayHaveGoneRoundIsABaseline() {
        var stream = CounterStream()
        let range = CounterReading.Range.rollsOver(at: 128)
        _ = stream.add(steps(10, range, countsPerUnit: 0.5), at: at(0))
        // 128 strides are 256 steps: at five per second they take 51 s.
        let late = stream.add(steps(20, range, countsPerUnit: 0.5), at: at(52))
        XCTAssertEqual(late, .nothing)
        let next = stream.add(steps(21, range, countsPerUnit: 0.5), at: at(53))
        XCTAssertEqual(next, .counted(2, from: at(52), to: at(53)))
    }

    func testTake_afterReopeningContinuesOnlyWhenABodyCouldHaveCountedIt() {
        var stream = CounterStream()
        _ = stream.add(steps(100), at: at(0))
        stream.linkOpened()
        XCTAssertEqual(stream.add(steps(110), at: at(5)), .counted(10, from: at(0), to: at(5)))
        stream.linkOpened()
        XCTAssertEqual(stream.add(steps(9_000), at: at(10)), .nothing)
        XCTAssertEqual(stream.add(steps(9_001), at: at(11)), .counted(1, from: at(10), to: at(11)))
    }

    func testTake_longAfterTheLinkBrokeIsABaseline() {
        var stream = CounterStream()
        _ = stream.add(steps(100), at: at(0))
        stream.linkOpened()
        XCTAssertEqual(stream.add(steps(110), at: at(61)), .nothing)
    }

    func testTake_receiptThatDoesNotMoveStillMakesAnInterval() {
        var stream = CounterStream()
        _ = stream.add(steps(1), at: at(1))
        let outcome = stream.add(steps(2), at: at(1))
        XCTAssertEqual(outcome, .counted(1, from: at(1), to: at(1).adding(nanoseconds: 1)))
    }

    func testTake_sumOfAmountsIsTheDifferenceOfTotals_forRandomWalks() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var total = 0.0
        var values = [total]
        for _ in 0..<500 {
            total += Double(Int.random(in: 0...9, using: &random))
            values.append(total)
        }
        let rolled = values.map { $0.truncatingRemainder(dividingBy: 128) }
        XCTAssertEqual(amounts(rolled, .rollsOver(at: 128)).reduce(0, +), total, "seed \(seed)")
    }
}
