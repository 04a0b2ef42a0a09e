import Simulation
import XCTest

final class SimulatedPedometerTests: XCTestCase {
    func testLines_areTheSameForTheSameSeed() {
        XCTAssertEqual(lines(seed: 5, count: 500), lines(seed: 5, count: 500))
        XCTAssertNotEqual(lines(seed: 5, count: 500), lines(seed: 6, count: 500))
    }

    func testLines_beginWithABannerAndComeAtTheirRate() {
        let lines = lines(seed: 1, count: 11, linesPerSecond: 2)
        XCTAssertNil(steps(of: lines[0]))
        XCTAssertEqual(lines.map(\.atSeconds), (0...10).map { Double($0) / 2 })
        XCTAssertTrue(lines.dropFirst().allSatisfy { steps(of: $0) != nil })
    }

    func testLines_withoutNoise_allCount() {
        let lines = lines(seed: 1, count: 10_000, linesPerSecond: 10_000, hasNoise: false)
        XCTAssertEqual(lines.compactMap(steps).count, 10_000)
        XCTAssertEqual(lines.last?.atSeconds ?? 0, 0.9999, accuracy: 1e-9)
    }

    func testLines_withNoise_areDisturbedNowAndThen() {
        let disturbed = lines(seed: 1, count: 601).filter { steps(of: $0) == nil }
        XCTAssertEqual(disturbed.count, 11)
    }

    func testSteps_onlyGrowAtTheCadenceOfAWalk() {
        for seed in UInt64(1)...10 {
            let steps = lines(seed: seed, count: 3_600, hasNoise: false).compactMap(steps)
            let gains = zip(steps.dropFirst(), steps).map { $0 - $1 }
            XCTAssertTrue(gains.allSatisfy { (0...2).contains($0) }, "seed \(seed)")
            XCTAssertTrue((4_000...7_200).contains(steps.last ?? 0), "seed \(seed)")
            XCTAssertTrue(maximumPause(in: gains) >= 4, "seed \(seed)")
        }
    }

    func testDistance_isThreeQuartersOfAMetreAStep() {
        let lines = lines(seed: 1, count: 100, hasNoise: false)
        for line in lines {
            let steps = steps(of: line) ?? -1
            XCTAssertEqual(line.text, "Steps: \(steps), Distance: \(0.75 * Double(steps)) meters")
        }
    }

    func testRate_isHeldWithinWhatIsPossible() {
        XCTAssertEqual(lines(seed: 1, count: 2, linesPerSecond: 0).last?.atSeconds, 10)
        XCTAssertEqual(lines(seed: 1, count: 2, linesPerSecond: 1e9).last?.atSeconds, 0.0001)
    }

    private func lines(
        seed: UInt64, count: Int, linesPerSecond: Double = 1, hasNoise: Bool = true
    ) -> [SimulatedPedometer.Line] {
        var pedometer = SimulatedPedometer(
            seed: seed, linesPerSecond: linesPerSecond, hasNoise: hasNoise)
        return (0..<count).map { _ in pedometer.nextLine() }
    }

    private func steps(of line: SimulatedPedometer.Line) -> Int? {
        let words = line.text.split(separator: " ")
        guard words.count == 5, words[0] == "Steps:", words[2] == "Distance:" else { return nil }
        return Int(words[1].dropLast())
    }

    private func maximumPause(in gains: [Int]) -> Int {
        gains.split { $0 > 0 }.map(\.count).max() ?? 0
    }
}
