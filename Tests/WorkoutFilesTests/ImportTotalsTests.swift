import GatewayCore
import HealthModel
import Platform
import Workouts
import XCTest

@testable import WorkoutFiles

/// What a track lacks of the totals of its file.
final class ImportTotalsTests: XCTestCase {
    private typealias Amount = ImportDraft.Amount

    private func amount(_ start: Double, _ end: Double, _ value: Double) -> Amount {
        Amount(span: RecordedRun.at(start)..<RecordedRun.at(end), value: value)
    }

    private func workout(_ end: Double, pauses: [Range<Double>] = []) throws -> Workout {
        try Workout(
            id: RecordID(high: 1, low: 1), activity: WorkoutActivity(.running),
            start: RecordedRun.at(0), end: RecordedRun.at(end),
            events: pauses.flatMap {
                [
                    WorkoutEvent(.pause, at: RecordedRun.at($0.lowerBound)),
                    WorkoutEvent(.resume, at: RecordedRun.at($0.upperBound)),
                ]
            })
    }

    private func assert(
        _ totals: ImportTotals, _ track: [Amount], in workout: Workout,
        gives expected: [Amount], line: UInt = #line
    ) {
        let found = totals.completing(track, in: workout)
        XCTAssertEqual(found.map(\.span), expected.map(\.span), line: line)
        for (found, expected) in zip(found, expected) {
            XCTAssertEqual(found.value, expected.value, accuracy: 1e-9, line: line)
        }
    }

    func testTotals_withoutATrack_areThoseOfTheLapsWithoutPauses() throws {
        let laps = [amount(0, 40, 100), amount(60, 100, 50)]

        assert(
            ImportTotals(parts: laps, total: 150), [],
            in: try workout(100, pauses: [10..<20, 90..<110].map { $0.clamped(to: 0..<100) }),
            gives: [amount(0, 10, 100.0 / 3), amount(20, 40, 200.0 / 3), amount(60, 90, 50)])
    }

    func testLaps_whoseSumIsNotTheTotal_haveTheShapeOnly() throws {
        let laps = [amount(0, 40, 100), amount(40, 100, 50)]

        for total in [120.0, 300] {
            assert(
                ImportTotals(parts: laps, total: total), [], in: try workout(100),
                gives: [amount(0, 40, total * 2 / 3), amount(40, 100, total / 3)])
        }
    }

    func testTotal_withoutLaps_isThatOfTheWhole() throws {
        assert(
            ImportTotals(total: 120), [], in: try workout(100), gives: [amount(0, 100, 120)])
        assert(ImportTotals(), [], in: try workout(100), gives: [])
    }

    func testTrack_thatHasTheTotal_staysAsItIs() throws {
        let track = [amount(0, 10, 300), amount(10, 20, 700)]
        for total in [0, 900, 1_000, 1_000.9] {
            for laps in [[], [amount(0, 15, 600), amount(15, 60, 400)]] {
                assert(
                    ImportTotals(parts: laps, total: total), track, in: try workout(60),
                    gives: track)
            }
        }
    }

    func testTrack_thatLacksALap_isCompletedThere() throws {
        let track = [amount(0, 10, 200), amount(10, 20, 300)]

        assert(
            ImportTotals(parts: [amount(0, 20, 501), amount(20, 60, 900)], total: 1_400), track,
            in: try workout(60), gives: track + [amount(20, 60, 900 * 900 / 901)])
    }

    func testTrack_thatLacksTheRestOfItsLap_isCompletedInItsTime() throws {
        let track = [amount(10, 12, 15)]

        assert(
            ImportTotals(parts: [amount(0, 100, 1_000)], total: 1_000), track,
            in: try workout(100, pauses: [50..<60]),
            gives: [
                amount(0, 10, 985 * 10 / 88.0), amount(10, 12, 15),
                amount(12, 50, 985 * 38 / 88.0), amount(60, 100, 985 * 40 / 88.0),
            ])
    }

    func testTrack_thatCoversAllTime_isStretched() throws {
        let track = [amount(0, 99, 300), amount(99, 99.9, 100)]

        assert(
            ImportTotals(parts: [amount(0, 100, 800)], total: 800), track,
            in: try workout(100), gives: [amount(0, 99, 600), amount(99, 99.9, 200)])
    }

    func testAmounts_ofRandomFiles_haveTheTotalAndDoNotOverlap() throws {
        for seed in UInt64(1)...2_000 {
            var random = SeededGenerator(seed: seed)
            let workout = try workout(100, pauses: [30..<40])
            func cut(_ count: Int, _ random: inout SeededGenerator) -> [Amount] {
                let ends = (0..<count).map { _ in Double.random(in: 0...100, using: &random) }
                return zip([0] + ends.sorted(), ends.sorted() + [100]).compactMap { start, end in
                    guard Bool.random(using: &random), start < end else { return nil }
                    return amount(start, end, Double.random(in: 0...500, using: &random))
                }
            }
            let track = cut(Int.random(in: 0...6, using: &random), &random)
            let total = Double.random(in: 0...3_000, using: &random)
            let totals = ImportTotals(
                parts: cut(Int.random(in: 0...6, using: &random), &random), total: total)

            let found = totals.completing(track, in: workout)

            XCTAssertEqual(
                found.sum, max(track.sum, total), accuracy: totals.tolerance, "seed \(seed)")
            for (first, second) in zip(found, found.dropFirst()) {
                XCTAssertLessThanOrEqual(
                    first.span.upperBound, second.span.lowerBound, "seed \(seed)")
            }
        }
    }
}
