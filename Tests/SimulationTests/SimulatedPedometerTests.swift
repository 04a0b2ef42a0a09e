import Simulation
import XCTest

final class SimulatedPedometerTests: XCTestCase {
    func testLines_areTheSameForTheSameSeed() {
        XCTAssertEqual(lines(seed: 5, count: 500), lines(seed: 5, count: 500))
        XCTAssertNotEqual(lines(seed: 5, count: 500), lines(seed: 6, count: 500))
    }

    func testSteps_onlyGrowAtTheCadenceOfAWalk() {
        for seed in UInt64(1)...10 {
            let steps = lines(seed: seed, count: 3_600).compactMap(steps)
            let gains = zip(steps.dropFirst(), steps).map { $0 - $1 }
            XCTAssertEqual(steps.count, 3_600)
            XCTAssertTrue(gains.allSatisfy { (0...2).contains($0) }, "seed \(seed)")
            XCTAssertTrue((4_000...7_200).contains(steps.last ?? 0), "seed \(seed)")
            XCTAssertTrue(maximumPause(in: gains) >= 4, "seed \(seed)")
        }
    }

    func testDistance_isThreeQuartersOfAMetreAStep() {
        for line in lines(seed: 1, count: 100) {
            let steps = steps(of: line) ?? -1
            XCTAssertEqual(line, "Steps: \(steps), Distance: \(0.75 * Double(steps)) meters")
        }
    }

    func testBanner_hasNoSteps() {
        XCTAssertNil(steps(of: SimulatedPedometer.banner))
    }

    private func lines(seed: UInt64, count: Int) -> [String] {
        var pedometer = SimulatedPedometer(seed: seed)
        return (0..<count).map { _ in pedometer.nextLine() }
    }

    private func steps(of line: String) -> Int? {
        let words = line.split(separator: " ")
        guard words.count == 5, words[0] == "Steps:", words[2] == "Distance:" else { return nil }
        return Int(words[1].dropLast())
    }

    private func maximumPause(in gains: [Int]) -> Int {
        gains.split { $0 > 0 }.map(\.count).max() ?? 0
    }
}
