import HealthModel
import HealthStatistics
import Platform
import Workouts
import XCTest

/// Zones by the heart rate, and the time in each.
final class HeartRateZonesTests: XCTestCase {
    private var maker = SampleMaker()

    private func rate(_ value: Double) throws -> Quantity { try Quantity(value, .countPerMinute) }

    private func defaultZones() throws -> HeartRateZones {
        try HeartRateZones(maximum: rate(200))  // 100, 120, 140, 160, 180
    }

    private func assertThrows(
        _ expected: HeartRateError, _ body: @autoclosure () throws -> HeartRateZones,
        line: UInt = #line
    ) {
        XCTAssertThrowsError(try body(), line: line) {
            XCTAssertEqual($0 as? HeartRateError, expected, line: line)
        }
    }

    // MARK: Boundaries

    func testZone_ofPartsOfTheMaximum() throws {
        let zones = try defaultZones()
        XCTAssertEqual(zones.lowerBounds, [100, 120, 140, 160, 180])
        let rates: [(Double, Int)] = [
            (0, 0), (99.9, 0), (100, 1), (119.9, 1), (120, 2), (140, 3), (160, 4), (179.9, 4),
            (180, 5), (200, 5), (230, 5), (.nan, 0), (.infinity, 5), (-.infinity, 0),
        ]
        for (rate, zone) in rates { XCTAssertEqual(zones.zone(of: rate), zone, "\(rate)") }
    }

    func testZone_ofPartsOfTheReserve_beginsAboveTheRestingRate() throws {
        let zones = try HeartRateZones(of: .reserve(resting: rate(60)), maximum: rate(200))
        XCTAssertEqual(zones.lowerBounds.count, 5)
        for (bound, expected) in zip(zones.lowerBounds, [130.0, 144, 158, 172, 186]) {
            XCTAssertEqual(bound, expected, accuracy: 1e-9)
        }
    }

    func testInit_whenMaximumIsInAnotherUnit_convertsIt() throws {
        let zones = try HeartRateZones([0.5, 0.9], maximum: Quantity(3, .countPerSecond))
        XCTAssertEqual(zones.lowerBounds, [90, 162])
        XCTAssertEqual(zones.count, 2)
    }

    func testInit_whenBoundariesAreNotValid_throws() throws {
        let maximum = try rate(190)
        let wrong: [[Double]] = [
            [], [0.5], [0.6, 0.5], [0.5, 0.5], [-0.1, 0.5], [0.5, 1.51], [.nan, 0.5],
            [0.5, .infinity],
            (0..<21).map { Double($0) / 20 },
        ]
        for parts in wrong {
            assertThrows(.boundaries, try HeartRateZones(parts, maximum: maximum))
        }
        XCTAssertNoThrow(try HeartRateZones((0..<20).map { Double($0) / 20 }, maximum: maximum))
        XCTAssertNoThrow(try HeartRateZones([0, 1.5], maximum: maximum))
    }

    func testInit_whenRatesAreNone_throws() throws {
        for maximum in [0, 19, 301, -180, 1e300] {
            assertThrows(.maximum, try HeartRateZones(maximum: rate(maximum)))
        }
        assertThrows(.maximum, try HeartRateZones(maximum: Quantity(180, .meter)))
        for resting in [0, 180.0, 200, -60] {
            assertThrows(
                .resting,
                try HeartRateZones(of: .reserve(resting: rate(resting)), maximum: rate(180)))
        }
    }

    // MARK: Time

    func testSeconds_whenTheRateRises_splitsTheTimeAtEachBoundary() throws {
        // From 90 to 190 in 50 s: two beats each second.
        let samples = try maker.rates([(0, 90), (50, 190)])
        let seconds = try defaultZones().seconds(of: samples, in: SampleMaker.span(0, 50))
        for (part, expected) in zip(seconds, [5.0, 10, 10, 10, 10, 5]) {
            XCTAssertEqual(part, expected, accuracy: 1e-9)
        }
    }

    func testSeconds_whenTheRateFalls_splitsItTheSame() throws {
        let samples = try maker.rates([(0, 190), (50, 90)])
        let seconds = try defaultZones().seconds(of: samples, in: SampleMaker.span(0, 50))
        for (part, expected) in zip(seconds, [5.0, 10, 10, 10, 10, 5]) {
            XCTAssertEqual(part, expected, accuracy: 1e-9)
        }
    }

    func testSeconds_onABoundary_areThoseOfTheHigherZone() throws {
        let samples = try maker.rates([(0, 120), (30, 120)])
        let seconds = try defaultZones().seconds(of: samples, in: SampleMaker.span(0, 60))
        XCTAssertEqual(seconds, [0, 0, 30, 0, 0, 0])
    }

    func testSeconds_ofAGap_countNowhere() throws {
        let samples = try maker.rates([(0, 110), (60, 110), (120.5, 110), (121.5, 110)])
        let zones = try defaultZones()
        let span = SampleMaker.span(0, 200)
        XCTAssertEqual(try zones.seconds(of: samples, in: span), [0, 61, 0, 0, 0, 0])
        XCTAssertEqual(
            try zones.seconds(of: samples, in: span, gapLimitSeconds: 61)[1], 121.5,
            accuracy: 1e-9)
        XCTAssertEqual(
            try zones.seconds(of: samples, in: span, gapLimitSeconds: .nan).reduce(0, +), 0)
    }

    func testSeconds_ofASpan_areClippedToIt() throws {
        let samples = try maker.rates([(0, 100), (40, 180)])
        // At 10 s it is 120, at 20 s 140.
        let seconds = try defaultZones().seconds(of: samples, in: SampleMaker.span(10, 20))
        XCTAssertEqual(seconds.reduce(0, +), 10, accuracy: 1e-9)
        XCTAssertEqual(seconds[2], 10, accuracy: 1e-9)
    }

    func testSeconds_ofSamplesThatLast_holdTheirValue() throws {
        let samples = [
            try maker.sample(.heartRate, 150, 0, 30), try maker.sample(.stepCount, 40, 0, 30),
        ]
        let seconds = try defaultZones().seconds(of: samples, in: SampleMaker.span(10, 100))
        XCTAssertEqual(seconds, [0, 0, 0, 20, 0, 0])
    }

    func testSeconds_whenARateIsNotPlausible_throws() throws {
        for value in [0, -1, 301, 1e308, -1e308] {
            let samples = try maker.rates([(0, 100), (1, value)])
            XCTAssertThrowsError(
                try defaultZones().seconds(of: samples, in: SampleMaker.span(0, 10))
            ) { XCTAssertEqual($0 as? HeartRateError, .implausibleRate) }
        }
    }

    func testSeconds_atTheEndsOfTime_doNotTrap() throws {
        let ends = [Instant(nanosecondsSince1970: .min), Instant(nanosecondsSince1970: .max)]
        let rate = try rate(130)
        let samples = try ends.map {
            try QuantitySample(
                id: RecordID(high: 1, low: 1), type: .heartRate, start: $0, end: $0, quantity: rate)
        }
        let seconds = try defaultZones().seconds(
            of: samples, in: ends[0]..<ends[1], gapLimitSeconds: .infinity)
        XCTAssertGreaterThan(seconds[2], 9e9)
        XCTAssertTrue(seconds.allSatisfy(\.isFinite))
    }

    func testSeconds_ofAnySamples_addUpToTheTimeThatIsWeighed() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var samples: [QuantitySample] = []
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                let start = Double.random(in: 0..<600, using: &generator)
                let length = Bool.random(using: &generator) ? 0 : start / 40
                samples.append(
                    try maker.sample(
                        .heartRate, Double.random(in: 20...300, using: &generator), start,
                        start + length))
            }
            let limit = Double.random(in: 0...60, using: &generator)
            let start = Double.random(in: 0...300, using: &generator)
            let span = SampleMaker.span(start, start + 300)
            let parts = (0..<Int.random(in: 2...20, using: &generator)).map { _ in
                Double.random(in: 0...1.5, using: &generator)
            }
            let zones = try HeartRateZones(Set(parts).sorted(), maximum: rate(190))
            let seconds = try zones.seconds(of: samples, in: span, gapLimitSeconds: limit)
            let weighed = try CurvePiece.pieces(
                of: samples, .heartRate, in: span, gapLimitSeconds: limit
            ).reduce(0) { $0 + $1.seconds }
            XCTAssertEqual(seconds.reduce(0, +), weighed, accuracy: 1e-6, "seed \(seed)")
            XCTAssertTrue(seconds.allSatisfy { $0 >= 0 }, "seed \(seed)")
        }
    }
}

/// The maximum heart rate of a person.
final class MaximumHeartRateTests: XCTestCase {
    private let birth = CalendarDate(year: 1986, month: 2, day: 14)

    private func day(_ text: String) throws -> CalendarDate {
        try XCTUnwrap(CalendarDate(iso8601: text))
    }

    func testMaximum_whenThePersonHasOne_isThat() throws {
        let own = try Quantity(188, .countPerMinute)
        let person = try Person(name: "ada", birthDate: birth, maximumHeartRate: own)
        XCTAssertEqual(try MaximumHeartRate.of(person, on: day("2026-11-22")), own)
    }

    func testMaximum_byAge_isThatOfTanaka() throws {
        let person = try Person(name: "ada", birthDate: birth)
        let vectors = [("2026-02-13", 39.0), ("2026-02-14", 40), ("2006-02-14", 20)]
        for (text, age) in vectors {
            let rate = try MaximumHeartRate.of(person, on: day(text))
            XCTAssertEqual(
                try rate.value(in: .countPerMinute), 208 - 0.7 * age, accuracy: 1e-9, text)
        }
    }

    func testMaximum_whenNothingIsKnown_saysThatTheBirthDateIsMissing() throws {
        XCTAssertThrowsError(
            try MaximumHeartRate.of(Person(name: "ada"), on: day("2026-11-22"))
        ) {
            guard case .missing(.birthDate, _)? = $0 as? PersonalFactError else {
                return XCTFail("\($0)")
            }
            XCTAssertTrue("\($0)".contains("birth date"), "\($0)")
        }
    }

    func testMaximum_whenNobodyIsThatOld_throws() throws {
        for text in ["1986-02-13", "2107-02-14"] {
            let person = try Person(name: "ada", birthDate: birth)
            XCTAssertThrowsError(try MaximumHeartRate.of(person, on: day(text)), text) {
                guard case .implausible(.birthDate, _)? = $0 as? PersonalFactError else {
                    return XCTFail("\($0)")
                }
            }
        }
    }
}
