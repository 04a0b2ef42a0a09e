import Foundation
import HealthModel
import XCTest

@testable import HealthStatistics
@testable import Platform

/// Tests for values that are calculated from others.
final class DerivedValuesTests: XCTestCase {
    private var made: UInt64 = 0

    private func at(_ text: String) throws -> Instant { try XCTUnwrap(Instant(iso8601: text)) }

    private func sample(
        _ type: QuantityType, _ value: Double, _ start: Instant, _ end: Instant? = nil,
        device: String? = nil
    ) throws -> QuantitySample {
        made += 1
        return try QuantitySample(
            id: RecordID(high: made, low: 1 << 63), type: type, start: start, end: end ?? start,
            quantity: Quantity(value, type.canonicalUnit),
            device: device.map { Device(localIdentifier: $0) })
    }

    // MARK: Body-mass index

    func testBodyMassIndex_isThatOfTheLatestMassAndHeight_whateverTheirOrder() throws {
        let now = try at("2026-11-22T12:00:00Z")
        let heights = [
            try sample(.height, 1.75, at("2010-01-01")), try sample(.height, 1.8, at("2020-01-01")),
        ]
        let masses = [
            try sample(.bodyMass, 81, at("2026-11-20")),
            try sample(.bodyMass, 70, at("2026-11-23")),
            try sample(.bodyMass, 90, at("2012-01-01")),
        ]
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let index = try BodyMassIndex(
                masses: masses.shuffled(using: &generator),
                heights: heights.shuffled(using: &generator), now: now)
            XCTAssertEqual(index.quantity.value, 25, accuracy: 1e-12, "seed \(seed)")
            XCTAssertEqual(index.quantity.unit, HealthModel.Unit.count)
            XCTAssertEqual(index.mass, masses[0])
            XCTAssertEqual(index.height, heights[1])
        }
    }

    func testBodyMassIndex_withoutAHeight_isAnError() throws {
        let now = try at("2026-11-22")
        let masses = [try sample(.bodyMass, 81, now)]
        XCTAssertThrowsError(try BodyMassIndex(masses: masses, heights: [], now: now)) {
            XCTAssertEqual($0 as? DerivationError, .missing(.height))
        }
        let future = [try sample(.height, 1.8, now.adding(nanoseconds: 1))]
        XCTAssertThrowsError(try BodyMassIndex(masses: masses, heights: future, now: now)) {
            XCTAssertEqual($0 as? DerivationError, .missing(.height))
        }
    }

    func testBodyMassIndex_whenNotPlausible_isAnError() throws {
        let now = try at("2026-11-22")
        for (mass, height) in [(81, 0), (0, 1.8), (-81, 1.8), (81, 180), (1e308, 1e-308)] {
            XCTAssertThrowsError(
                try BodyMassIndex(
                    masses: [sample(.bodyMass, mass, now)],
                    heights: [sample(.height, height, now)], now: now)
            ) { XCTAssertEqual($0 as? DerivationError, .implausible(.bodyMassIndex)) }
        }
    }

    // MARK: Energy

    func testBalance_isActiveAndRestingLessConsumed_inAnyUnit() throws {
        let balance = EnergyBalance(
            active: try Quantity(500, .kilocalorie),
            resting: .measured(try Quantity(6_694.4, .kilojoule)),
            consumed: try Quantity(2_000, .kilocalorie))
        XCTAssertEqual(try XCTUnwrap(balance.balance).value, 100, accuracy: 1e-9)
        XCTAssertEqual(balance.balance?.unit, HealthModel.Unit.kilocalorie)
    }

    func testBalance_withoutARestingEnergy_isNil() throws {
        let active = try Quantity(500, .kilocalorie)
        XCTAssertNil(EnergyBalance(active: active, resting: .unknown, consumed: nil).balance)
        let resting = try Quantity(1_700, .kilocalorie)
        XCTAssertEqual(
            EnergyBalance(active: nil, resting: .estimated(resting), consumed: nil).balance, resting
        )
    }

    // MARK: Averages of days

    /// Ten days around the clock change in March, three of them without samples, and two devices
    /// that counted the same steps.
    func testDailyAverage_acrossTheMarchChange_countsNothingTwiceAndDividesByDaysWithSamples()
        throws
    {
        let zone = try XCTUnwrap(TimeZone(identifier: "Europe/Berlin"))
        let berlin = LocalCalendar {
            zone.secondsFromGMT(
                for: Date(timeIntervalSince1970: Double($0.nanosecondsSince1970) / 1e9))
        }
        let first = try XCTUnwrap(CalendarDate(iso8601: "2026-03-24"))
        var samples: [QuantitySample] = []
        for number in [0, 1, 2, 4, 5, 8, 9] {
            let date = try XCTUnwrap(first.adding(days: number))
            let start = berlin.instant(date, secondsSinceMidnight: 8 * 3_600)
            let end = berlin.instant(date, secondsSinceMidnight: 9 * 3_600)
            samples.append(try sample(.stepCount, 1_000, start, end, device: "pod"))
            samples.append(
                try sample(
                    .stepCount, 2_400, start, end.adding(nanoseconds: 3_600_000_000_000),
                    device: "phone"))
        }
        let span = berlin.span(from: first, until: try XCTUnwrap(first.adding(days: 10)))
        let days = try XCTUnwrap(berlin.steps(of: span, by: XCTUnwrap(CalendarStep(1, .day))))
        var options = StatisticsOptions()
        options.rank = { $0.device?.localIdentifier == "pod" ? 0 : 1 }
        var collection = StatisticsCollection(.stepCount, spans: days, options: options)
        for sample in samples.sorted(by: { $0.start < $1.start }) { try collection.add(sample) }
        let statistics = try collection.finish()

        XCTAssertEqual(
            statistics.map { $0.sum?.value },
            [2_200, 2_200, 2_200, nil, 2_200, 2_200, nil, nil, 2_200, 2_200])
        let average = try XCTUnwrap(DailyAverage(of: statistics))
        XCTAssertEqual(average.average?.value, 2_200)
        XCTAssertEqual(average.dayCount, 7)
        XCTAssertEqual(average.spanDayCount, 10)
    }

    func testDailyAverage_ofDaysWithoutSamples_isNil() throws {
        let span = try at("2026-03-24")..<at("2026-03-25")
        XCTAssertNil(DailyAverage(of: [try Statistics(of: [], .stepCount, in: span)]))
        XCTAssertNil(DailyAverage(of: []))
    }
}
