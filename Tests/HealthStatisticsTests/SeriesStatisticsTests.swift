import HealthModel
import HealthStatistics
import XCTest

final class SeriesStatisticsTests: XCTestCase {
    private func time(_ seconds: Int) -> Instant {
        Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
            .adding(nanoseconds: Int64(seconds) * 1_000_000_000)
    }

    func testStatistics_whenAValueWasReplaced_hasTheLastOne() throws {
        var series = try QuantitySeries(type: .stepCount)
        try series.insert(Quantity(5, .count), from: time(0), to: time(1))
        try series.insert(Quantity(7, .count), from: time(0), to: time(2))
        XCTAssertEqual(try series.statistics()?.sum?.value, 7)
    }

    func testStatistics_ofACumulativeType_isTheSum() throws {
        var series = try QuantitySeries(type: .distanceWalkingRunning)
        try series.insert(Quantity(1, .kilometer), from: time(0), to: time(10))
        try series.insert(Quantity(500, .meter), from: time(20), to: time(30))
        let statistics = try XCTUnwrap(series.statistics())
        XCTAssertEqual(statistics.sum, try Quantity(1_500, .meter))
        XCTAssertEqual(statistics.count, 2)
        XCTAssertNil(statistics.average)
    }

    func testStatistics_ofADiscreteType_isAverageMinimumAndMaximum() throws {
        var series = try QuantitySeries(type: .respiratoryRate)
        for (seconds, value) in [(0, 12.0), (10, 18), (20, 15)] {
            try series.insert(
                Quantity(value, .countPerMinute), from: time(seconds), to: time(seconds))
        }
        let statistics = try XCTUnwrap(series.statistics())
        XCTAssertNil(statistics.sum)
        XCTAssertEqual(statistics.average?.value ?? 0, 15, accuracy: 1e-9)
        XCTAssertEqual(statistics.minimum?.value, 12)
        XCTAssertEqual(statistics.maximum?.value, 18)
        XCTAssertEqual(statistics.count, 3)
        XCTAssertNil(try QuantitySeries(type: .heartRate).statistics())
    }
}
