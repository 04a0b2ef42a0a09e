import Simulation
import XCTest

final class SimulatedHeartTests: XCTestCase {
    private let seeds = UInt64(1)...20

    func testNextInterval_isTheSameForTheSameSeed() {
        XCTAssertEqual(intervals(seed: 7, seconds: 600), intervals(seed: 7, seconds: 600))
        XCTAssertNotEqual(intervals(seed: 7, seconds: 600), intervals(seed: 8, seconds: 600))
    }

    func testElapsedSeconds_isTheSumOfTheIntervals() {
        var heart = SimulatedHeart(seed: 3)
        var sum = 0.0
        for _ in 0..<1_000 {
            sum += heart.nextInterval()
            XCTAssertEqual(heart.elapsedSeconds, sum)
        }
    }

    /// The first two minutes are always rest.
    ///
    /// Normal short-term values of grown-ups are an SDNN of 32 to 93 ms and an RMSSD of 19 to 75 ms
    /// (Nunan et al., 2010); a young or an old heart has more or less.
    func testAtRest_rateAndVariabilityAreAPersons() {
        for seed in seeds {
            let normal = withoutEctopicBeats(intervals(seed: seed, seconds: 120))
            let mean = mean(normal)
            let sdnn = rootMeanSquare(normal.map { $0 - mean })
            let rmssd = rootMeanSquare(zip(normal.dropFirst(), normal).map { $0 - $1 })
            XCTAssertTrue((58...77).contains(60 / mean), "seed \(seed): rate \(60 / mean)")
            XCTAssertTrue((0.02...0.1).contains(sdnn), "seed \(seed): SDNN \(sdnn)")
            XCTAssertTrue((0.015...0.08).contains(rmssd), "seed \(seed): RMSSD \(rmssd)")
        }
    }

    func testOverAnHour_theRateRisesAndFallsWithinAPersonsRange() {
        for seed in seeds {
            let rates = minuteRates(seed: seed)
            XCTAssertGreaterThan(rates.min() ?? 0, 55, "seed \(seed)")
            XCTAssertLessThan(rates.min() ?? 0, 80, "seed \(seed)")
            XCTAssertGreaterThan(rates.max() ?? 0, 90, "seed \(seed)")
            XCTAssertLessThan(rates.max() ?? 0, 145, "seed \(seed)")
        }
    }

    func testEctopicBeats_areRareAndMadeUpFor() {
        var beats = 0
        var ectopicBeats = 0
        for seed in seeds {
            let all = intervals(seed: seed, seconds: 3_600)
            let early = all.indices.dropFirst(2).dropLast().filter { index in
                all[index] < 0.75 * all[index - 1] && all[index - 1] < 1.2 * all[index - 2]
            }
            for index in early {
                XCTAssertGreaterThan(all[index + 1], 1.2 * all[index - 1], "seed \(seed)")
            }
            beats += all.count
            ectopicBeats += early.count
        }
        let share = Double(ectopicBeats) / Double(beats)
        XCTAssertTrue((0.0005...0.002).contains(share), "\(share)")
    }

    private func intervals(seed: UInt64, seconds: Double) -> [Double] {
        var heart = SimulatedHeart(seed: seed)
        var result: [Double] = []
        while heart.elapsedSeconds < seconds { result.append(heart.nextInterval()) }
        return result
    }

    private func minuteRates(seed: UInt64) -> [Double] {
        var heart = SimulatedHeart(seed: seed)
        return (1...60).map { minute in
            var beats: [Double] = []
            while heart.elapsedSeconds < Double(minute) * 60 { beats.append(heart.nextInterval()) }
            return 60 / mean(beats)
        }
    }

    private func withoutEctopicBeats(_ intervals: [Double]) -> [Double] {
        let mean = mean(intervals)
        return intervals.filter { abs($0 - mean) < 0.25 * mean }
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }

    private func rootMeanSquare(_ values: [Double]) -> Double {
        mean(values.map { $0 * $0 }).squareRoot()
    }
}
