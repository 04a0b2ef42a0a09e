import HealthModel
import Platform
import Workouts
import XCTest

/// How much the times between beats vary.
final class HeartRateVariabilityTests: XCTestCase {
    private var maker = SampleMaker()

    /// Intervals that touch, from a second on.
    private func chain(_ milliseconds: [Double], from start: Double = 0) -> [RRInterval] {
        var moment = SampleMaker.at(start)
        return milliseconds.map { length in
            let end = moment.adding(nanoseconds: Int64((length * 1e6).rounded()))
            defer { moment = end }
            return RRInterval(start: moment, end: end, milliseconds: length)
        }
    }

    private func alternating(_ low: Double, _ high: Double, _ count: Int) -> [Double] {
        (0..<count).map { $0.isMultiple(of: 2) ? low : high }
    }

    // MARK: Measures

    /// The figures of other programs for the same intervals.
    ///
    /// NeuroKit2 0.2.13: `nk.hrv_time({"RRI": a, "RRI_Time": np.cumsum(a) / 1000})`; hrv-analysis 1.0.6:
    /// `get_time_domain_features(list(a), pnni_as_percent=False)`. Both printed these, with numpy 2.4.6.
    func testMeasures_ofAPublishedSeries_areThoseOfNeuroKit2AndHRVAnalysis() throws {
        let measures = try HeartRateVariability(
            chain(PublishedIntervals.milliseconds), artefacts: .retained)
        XCTAssertEqual(measures.count, 337)
        XCTAssertEqual(measures.differenceCount, 336)
        XCTAssertEqual(measures.removedCount, 0)
        XCTAssertEqual(measures.meanMilliseconds, 888.9554896142433, accuracy: 1e-9)
        XCTAssertEqual(measures.sdnnMilliseconds, 95.69035398754956, accuracy: 1e-9)
        XCTAssertEqual(measures.rmssdMilliseconds, 101.30063401766522, accuracy: 1e-9)
        XCTAssertEqual(measures.pnn50 * 100, 48.367952522255194, accuracy: 1e-9)
    }

    /// The same with removed intervals.
    ///
    /// A loop in Python put NaN in the place of each interval that differs by more than 20 % from the
    /// last accepted one, and hrv-analysis 1.0.6 calculated with the remaining ones: it leaves out NaN and each
    /// difference with one.
    func testMeasures_whenArtefactsAreRemoved_areThoseOfHRVAnalysisWithoutThem() throws {
        let measures = try HeartRateVariability(chain(PublishedIntervals.milliseconds))
        XCTAssertEqual(measures.removedCount, 27)
        XCTAssertEqual(measures.count, 310)
        XCTAssertEqual(measures.differenceCount, 291)
        XCTAssertEqual(measures.meanMilliseconds, 876.1193548387097, accuracy: 1e-9)
        XCTAssertEqual(measures.sdnnMilliseconds, 80.96950130745059, accuracy: 1e-9)
        XCTAssertEqual(measures.rmssdMilliseconds, 73.50907557873288, accuracy: 1e-9)
        XCTAssertEqual(measures.pnn50, 126.0 / 310, accuracy: 1e-12)
    }

    func testSDNN_isNotRMSSD() throws {
        // A slow drift varies much as a whole and little from beat to beat; to and fro is the opposite.
        let drift = try HeartRateVariability(chain((0..<40).map { 700 + 10 * Double($0) }))
        XCTAssertEqual(drift.rmssdMilliseconds, 10, accuracy: 1e-9)
        XCTAssertEqual(drift.sdnnMilliseconds, 116.904519, accuracy: 1e-6)
        let toAndFro = try HeartRateVariability(chain(alternating(800, 860, 40)))
        XCTAssertEqual(toAndFro.rmssdMilliseconds, 60, accuracy: 1e-9)
        XCTAssertEqual(toAndFro.sdnnMilliseconds, 30.382181, accuracy: 1e-6)
    }

    func testSDNN_hasOneLessInTheDenominator() throws {
        // Ten intervals, 10 ms from their mean each: √(10 · 100 / 9).
        let measures = try HeartRateVariability(chain(alternating(790, 810, 10)))
        XCTAssertEqual(measures.sdnnMilliseconds, 10.540926, accuracy: 1e-6)
    }

    func testPNN50_countsDifferencesOfMoreThan50() throws {
        let exactly = try HeartRateVariability(chain(alternating(800, 850, 20)))
        XCTAssertEqual(exactly.pnn50, 0)
        let more = try HeartRateVariability(chain(alternating(800, 850.5, 20)))
        XCTAssertEqual(more.pnn50, 19.0 / 20)
    }

    // MARK: Neighbours

    func testDifferences_areNotTakenAcrossAGap() throws {
        // Across the gap it would be a difference of 100 ms.
        let intervals =
            chain([Double](repeating: 800, count: 10))
            + chain([Double](repeating: 900, count: 10), from: 20)
        let measures = try HeartRateVariability(intervals.shuffled())
        XCTAssertEqual(measures.count, 20)
        XCTAssertEqual(measures.differenceCount, 18)
        XCTAssertEqual(measures.rmssdMilliseconds, 0)
        XCTAssertEqual(measures.pnn50, 0)
        XCTAssertGreaterThan(measures.sdnnMilliseconds, 50)
    }

    func testDifferences_areNotTakenAcrossARemovedInterval() throws {
        // A beat too many: 300 and 500 ms in the place of 800; behind it the rhythm is a little slower.
        let lengths =
            [Double](repeating: 800, count: 10) + [300, 500] + [Double](repeating: 840, count: 10)
        let measures = try HeartRateVariability(chain(lengths))
        XCTAssertEqual(measures.removedCount, 2)
        XCTAssertEqual(measures.count, 20)
        XCTAssertEqual(measures.differenceCount, 18)
        XCTAssertEqual(measures.rmssdMilliseconds, 0)
    }

    func testChain_whenTheGatewayMovedItsTimesBack_isStillOne() throws {
        let intervals =
            chain([Double](repeating: 800, count: 5))
            + chain([Double](repeating: 810, count: 5), from: 3.9)
        XCTAssertEqual(try HeartRateVariability(intervals).differenceCount, 9)
    }

    func testChain_whenTimesAreRoundedToMilliseconds_isStillOne() throws {
        let intervals = chain(PublishedIntervals.milliseconds.map { $0 + 0.4375 }).map {
            RRInterval(
                start: rounded($0.start), end: rounded($0.end), milliseconds: $0.milliseconds)
        }
        XCTAssertEqual(
            try HeartRateVariability(intervals, artefacts: .retained).differenceCount, 336)
    }

    private func rounded(_ instant: Instant) -> Instant {
        Instant(nanosecondsSince1970: instant.nanosecondsSince1970 / 1_000_000 * 1_000_000)
    }

    func testInterval_givenTwice_hasNoDifferenceToItself() throws {
        let intervals = chain([Double](repeating: 800, count: 20))
        let measures = try HeartRateVariability(intervals + [intervals[9]])
        XCTAssertEqual(measures.differenceCount, 19)
    }

    // MARK: Artefacts

    func testArtefact_atTheBeginning_doesNotCondemnTheRest() throws {
        let measures = try HeartRateVariability(
            chain([1_600] + alternating(800, 820, 20)))
        XCTAssertEqual(measures.removedCount, 1)
        XCTAssertEqual(measures.count, 20)
    }

    func testRhythm_thatReallyChanges_isAcceptedAfterFive() throws {
        let measures = try HeartRateVariability(
            chain([Double](repeating: 1_000, count: 20) + [Double](repeating: 600, count: 20)))
        XCTAssertEqual(measures.removedCount, 5)
        XCTAssertEqual(measures.count, 35)
        XCTAssertEqual(measures.differenceCount, 33)
    }

    func testChange_ofExactlyAFifth_isAccepted() throws {
        let lengths = [Double](repeating: 1_000, count: 10) + [1_200] + alternating(1_200, 1_000, 9)
        XCTAssertEqual(try HeartRateVariability(chain(lengths)).removedCount, 0)
        let more =
            [Double](repeating: 1_000, count: 10) + [1_201] + [Double](repeating: 1_000, count: 9)
        XCTAssertEqual(try HeartRateVariability(chain(more)).removedCount, 1)
    }

    func testIntervals_thatNoHeartHas_areRemovedAlsoWhenArtefactsAreNotRemoved() throws {
        var intervals = chain(alternating(800, 820, 20))
        let bad: [Double] = [.nan, .infinity, -.infinity, -800, 0, 249, 3_001, 1e308]
        var moment = 100.0
        for value in bad {
            intervals.append(
                RRInterval(
                    start: SampleMaker.at(moment), end: SampleMaker.at(moment + 1),
                    milliseconds: value))
            moment += 1
        }
        // An interval that ends before it starts.
        intervals.append(RRInterval(start: SampleMaker.at(200), end: SampleMaker.at(199)))
        for artefacts in [HeartRateVariability.Artefacts.retained, .removed] {
            let measures = try HeartRateVariability(intervals, artefacts: artefacts)
            XCTAssertEqual(measures.removedCount, bad.count + 1)
            XCTAssertEqual(measures.count, 20)
        }
    }

    // MARK: Samples

    func testSamples_ofAStrap_haveTheLengthThatItMeasured() throws {
        // 1/1024 s: 872 ticks are 851.5625 ms; the times are whole nanoseconds.
        let ticks = (0..<30).map { UInt32(872 + $0 % 3) }
        var moment = 0.0
        let samples = try ticks.map { ticks in
            let length = Double(ticks) / 1_024
            defer { moment += length }
            return try maker.sample(
                .rrInterval, Double(ticks) * 1_000 / 1_024, moment, moment + length)
        }
        let rates = try maker.rates([(0, 70), (1, 71)])
        let measures = try HeartRateVariability(samples: samples + rates)
        XCTAssertEqual(measures.count, 30)
        XCTAssertEqual(measures.differenceCount, 29)
        XCTAssertEqual(measures.meanMilliseconds, 873 * 1_000 / 1_024, accuracy: 1e-9)
    }

    func testSamples_ofTwoDevices_areRefused() throws {
        let samples = try (0..<40).map {
            try maker.sample(
                .rrInterval, 800, Double($0) * 0.8, Double($0 + 1) * 0.8,
                from: $0 < 20 ? "strap" : "watch")
        }
        XCTAssertThrowsError(try HeartRateVariability(samples: samples)) {
            XCTAssertEqual($0 as? HeartRateVariabilityError, .severalDevices)
        }
    }

    func testMeasures_ofTooFew_throw() throws {
        XCTAssertThrowsError(try HeartRateVariability(chain([])))
        XCTAssertThrowsError(
            try HeartRateVariability(chain([Double](repeating: 800, count: 9)))
        ) {
            XCTAssertEqual(
                $0 as? HeartRateVariabilityError, .tooFew(intervals: 9, differences: 8))
        }
        XCTAssertNoThrow(try HeartRateVariability(chain([Double](repeating: 800, count: 10))))
        // Enough intervals, but too many gaps between them.
        let pieces = (0..<10).flatMap { chain([800, 800].dropLast($0 % 2), from: Double($0) * 5) }
        XCTAssertThrowsError(try HeartRateVariability(pieces)) {
            XCTAssertEqual(
                $0 as? HeartRateVariabilityError, .tooFew(intervals: 15, differences: 5))
        }
    }

    func testMeasures_ofAnything_areFiniteOrThrow() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        let odd: [Double] = [.nan, .infinity, -1, 0, 1e300, 249.9, 3_000, 250]
        for _ in 0..<300 {
            var intervals: [RRInterval] = []
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                let length =
                    Int.random(in: 0..<6, using: &generator) == 0
                    ? odd.randomElement(using: &generator) ?? 0
                    : Double.random(in: 240...3_100, using: &generator)
                let start =
                    Int.random(in: 0..<8, using: &generator) > 0
                    ? intervals.last?.end ?? SampleMaker.at(0)
                    : Instant(nanosecondsSince1970: .random(in: .min ... .max, using: &generator))
                let nanoseconds = length.isFinite ? Int64(min(length, 1e6) * 1e6) : 0
                intervals.append(
                    RRInterval(
                        start: start, end: start.adding(nanoseconds: nanoseconds),
                        milliseconds: length))
            }
            guard let measures = try? HeartRateVariability(intervals) else { continue }
            XCTAssertTrue(measures.sdnnMilliseconds.isFinite, "seed \(seed)")
            XCTAssertTrue(measures.rmssdMilliseconds.isFinite, "seed \(seed)")
            XCTAssertTrue((0...1).contains(measures.pnn50), "seed \(seed)")
            XCTAssertEqual(
                measures.count + measures.removedCount, intervals.count, "seed \(seed)")
        }
    }
}
