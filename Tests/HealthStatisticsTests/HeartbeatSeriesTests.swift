import XCTest

@testable import HealthModel
@testable import HealthStatistics

final class HeartbeatSeriesTests: XCTestCase {
    private let start = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)

    private func id(_ number: Int) -> RecordID { RecordID(high: 1, low: UInt64(number)) }

    /// An interval of a number of ticks, which starts a number of ticks after the start.
    private func interval(
        _ ticks: Int, from first: Int, shift nanoseconds: Int64 = 0, perSecond: Int = 1_024
    ) throws -> QuantitySample {
        let value = try Quantity(Double(ticks) * 1_000 / Double(perSecond), .millisecond)
        return try QuantitySample(
            id: id(first), type: .rrInterval,
            start: time(first, perSecond).adding(nanoseconds: nanoseconds),
            end: time(first + ticks, perSecond).adding(nanoseconds: nanoseconds), quantity: value)
    }

    private func time(_ ticks: Int, _ perSecond: Int = 1_024) -> Instant {
        start.adding(nanoseconds: Int64(ticks) * 1_000_000_000 / Int64(perSecond))
    }

    private func error(_ samples: [QuantitySample]) -> HeartbeatSeriesError? {
        do {
            _ = try HeartbeatSeries(samples)
            return nil
        } catch {
            return error
        }
    }

    func testIntervals_inTicks_arePreservedExactly() throws {
        var generator = SystemRandomNumberGenerator()
        var samples: [QuantitySample] = []
        var ticks: [Int] = []
        var first = 0
        for _ in 0..<20_000 {
            let interval = Int.random(in: 256...3_071, using: &generator)
            samples.append(try self.interval(interval, from: first))
            ticks.append(interval)
            first += interval
        }

        let series = try HeartbeatSeries(samples.shuffled())

        XCTAssertEqual(series.start, start)
        XCTAssertEqual(series.beats.count, 20_000)
        XCTAssertEqual(series.intervals, ticks.map { Double($0) / 1_024 })
        XCTAssertFalse(series.beats.contains(where: \.isPrecededByGap))
    }

    func testIntervals_noIntervalAcrossAGap() throws {
        let samples = [
            try interval(1_000, from: 0), try interval(1_010, from: 1_000),
            try interval(990, from: 5_000), try interval(1_020, from: 5_990),
        ]

        let series = try HeartbeatSeries(samples)

        XCTAssertEqual(series.intervals, [1_000, 1_010, 990, 1_020].map { $0 / 1_024 })
        XCTAssertEqual(
            series.beats.map(\.isPrecededByGap), [false, false, true, false, false])
        XCTAssertEqual(series.beats[2].secondsSinceStart, 5_000 / 1_024, accuracy: 1e-6)
        XCTAssertTrue(series.beats.allSatisfy { $0.secondsSinceStart > 0 })
    }

    func testIntervals_afterManyGaps_inTicks_arePreservedExactly() throws {
        var samples: [QuantitySample] = []
        var first = 0
        for index in 0..<2_000 {
            samples.append(try interval(700 + index % 500, from: first))
            // Times of receipt are not whole ticks, so the parts between gaps start anywhere.
            first += 700 + index % 500 + (index % 3 == 0 ? 1_777 : 0)
        }
        let shifted = try samples.enumerated().map { index, sample in
            try QuantitySample(
                id: sample.id, type: .rrInterval,
                start: sample.start.adding(nanoseconds: index > 0 ? 123_457 : 0),
                end: sample.end.adding(nanoseconds: index > 0 ? 123_457 : 0),
                quantity: sample.quantity)
        }

        let series = try HeartbeatSeries(shifted)

        XCTAssertEqual(series.intervals, (0..<2_000).map { Double(700 + $0 % 500) / 1_024 })
        XCTAssertEqual(series.beats.filter(\.isPrecededByGap).count, 667)
    }

    func testGap_isMoreThanTwoMilliseconds() throws {
        for (pause, isGap) in [
            (Int64(0), false), (1_953_125, false), (2_000_000, false), (2_000_001, true),
            (-2_000_000, false),
        ] {
            let samples = [
                try interval(1_024, from: 0), try interval(1_024, from: 1_024, shift: pause),
            ]
            let series = try HeartbeatSeries(samples)
            XCTAssertEqual(series.beats.contains(where: \.isPrecededByGap), isGap, "\(pause)")
            XCTAssertEqual(series.intervals, [1, 1])
        }
    }

    func testIntervals_inMilliseconds_arePreservedClosely() throws {
        let series = try HeartbeatSeries([
            try interval(812, from: 0, perSecond: 1_000),
            try interval(799, from: 812, perSecond: 1_000),
        ])
        XCTAssertEqual(series.intervals[0], 0.812, accuracy: 1e-12)
        XCTAssertEqual(series.intervals[1], 0.799, accuracy: 1e-12)
    }

    func testGap_afterIntervalsThatAreLongerThanTheirTimes_isStillLater() throws {
        let samples = try (0..<1_000).map { index in
            let start = start.adding(nanoseconds: Int64(index) * 1_000_000_000)
            return try QuantitySample(
                id: id(index), type: .rrInterval, start: start,
                end: start.adding(nanoseconds: 1_000_000_000),
                quantity: Quantity(1_001.9, .millisecond))
        }
        let late = try interval(1_024, from: 1_024 * 1_000, shift: 2_500_000)

        let series = try HeartbeatSeries(samples + [late])

        XCTAssertEqual(series.beats.filter(\.isPrecededByGap).count, 1)
        XCTAssertEqual(series.intervals.count, 1_001)
    }

    func testInit_ofInvalidSamples_throws() throws {
        let good = try interval(1_024, from: 0)
        XCTAssertEqual(error([]), .empty)
        XCTAssertEqual(error([good, good]), .overlap)
        XCTAssertEqual(error([good, try interval(1_024, from: 512)]), .overlap)
        XCTAssertEqual(
            error([
                try QuantitySample(
                    id: id(0), type: .heartRate, start: start, end: start,
                    quantity: Quantity(72, .countPerMinute))
            ]), .type("heartRate"))
        for (value, expected) in [(0.0, HeartbeatSeriesError.notPositive), (1_003, .times)] {
            let sample = try QuantitySample(
                id: id(0), type: .rrInterval, start: start,
                end: start.adding(nanoseconds: 1_000_000_000),
                quantity: Quantity(value, .millisecond))
            XCTAssertEqual(error([sample]), expected)
        }
        let many = Array(repeating: good, count: HeartbeatSeries.maximumCount + 1)
        XCTAssertEqual(error(many), .tooMany)
    }

    func testInit_ofBeatsThatDoNotIncreaseFromZero_throws() {
        for times in [[0.0], [-1], [1, 1], [1, 0.5], [.nan], [1, .infinity]] {
            XCTAssertThrowsError(
                try HeartbeatSeries(
                    start: start, beats: times.map { .init(secondsSinceStart: $0) }), "\(times)")
        }
        XCTAssertThrowsError(try HeartbeatSeries(start: start, beats: []))
    }

    func testInit_atTheEndsOfTime_doesNotTrap() throws {
        let ends: [Int64] = [.min, .max - 1_000_000_000]
        let samples = try ends.enumerated().map { index, nanoseconds in
            let start = Instant(nanosecondsSince1970: nanoseconds)
            return try QuantitySample(
                id: id(index), type: .rrInterval, start: start,
                end: start.adding(nanoseconds: 1_000_000_000),
                quantity: Quantity(1_000, .millisecond))
        }
        XCTAssertEqual(try HeartbeatSeries(samples).beats.count, 3)
    }
}
