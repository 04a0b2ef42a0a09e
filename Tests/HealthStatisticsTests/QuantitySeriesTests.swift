import HealthModel
import HealthStatistics
import XCTest

final class QuantitySeriesTests: XCTestCase {
    private let seed = RecordID.Seed(device: "D0:11:22:33:44:55", stream: "series")

    private func time(_ seconds: Int) -> Instant {
        Instant(nanosecondsSince1970: (1_700_000_000 + Int64(seconds)) * 1_000_000_000)
    }

    func testInsert_inAnyOrder_sortsByTime() throws {
        var series = try QuantitySeries(type: .stepCount)
        for seconds in [3, 1, 2] {
            try series.insert(
                Quantity(Double(seconds), .count), from: time(seconds), to: time(seconds + 1))
        }
        XCTAssertEqual(series.entries.map(\.quantity.value), [1, 2, 3])
        XCTAssertEqual(series.count, 3)
    }

    func testInsert_atTheSameStart_replaces() throws {
        var series = try QuantitySeries(type: .stepCount)
        try series.insert(Quantity(5, .count), from: time(0), to: time(1))
        try series.insert(Quantity(7, .count), from: time(0), to: time(2))
        XCTAssertEqual(series.count, 1)
        XCTAssertEqual(series.entries.first?.quantity.value, 7)
        XCTAssertEqual(series.entries.first?.end, time(2))
    }

    func testInsert_invalidSample_throwsAndChangesNothing() throws {
        var series = try QuantitySeries(type: .stepCount)
        XCTAssertThrowsError(try series.insert(Quantity(1, .meter), from: time(0), to: time(1)))
        XCTAssertThrowsError(try series.insert(Quantity(1, .count), from: time(1), to: time(0)))
        XCTAssertThrowsError(try series.insert(Quantity(1, .count), from: time(0), to: time(0)))
        XCTAssertEqual(series.count, 0)
        XCTAssertThrowsError(try QuantitySeries(type: .stepCount, person: "a b"))
    }

    func testSamples_haveUniqueAndReproducibleIDs() throws {
        var series = try QuantitySeries(
            type: .heartRate, person: "ada", device: Device(name: "Strap"),
            source: SourceRevision(name: "straps"),
            metadata: Metadata(["HKHeartRateSensorLocation": .number(1)]))
        for seconds in 0..<3 {
            try series.insert(
                Quantity(Double(60 + seconds), .countPerMinute), from: time(seconds),
                to: time(seconds))
        }
        let samples = series.samples(seed: seed)
        XCTAssertEqual(samples.map(\.quantity.value), [60, 61, 62])
        XCTAssertEqual(samples.map(\.start), (0..<3).map(time))
        XCTAssertEqual(Set(samples.map(\.id)).count, 3)
        XCTAssertEqual(samples.map(\.person), ["ada", "ada", "ada"])
        XCTAssertEqual(samples.first?.device, Device(name: "Strap"))
        XCTAssertEqual(samples.first?.source, SourceRevision(name: "straps"))
        XCTAssertEqual(samples.first?.metadata, series.metadata)
        XCTAssertEqual(series.samples(seed: seed), samples)
    }
}
