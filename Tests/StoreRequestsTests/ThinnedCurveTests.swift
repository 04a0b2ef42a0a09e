import HealthModel
import XCTest

@testable import StoreRequests

final class ThinnedCurveTests: XCTestCase {
    private let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)

    private func sample(_ second: Double, _ rate: Double) throws -> QuantitySample {
        let time = start.adding(nanoseconds: Int64(second * 1e9))
        return try QuantitySample(
            id: .make(start: time, device: "d", stream: "heartRate", key: 0), type: .heartRate,
            start: time, end: time, quantity: Quantity(rate, .countPerMinute))
    }

    private func points(
        _ samples: [QuantitySample], seconds: Double, limit: Int
    ) -> [ThinnedCurve.Point] {
        let end = start.adding(nanoseconds: Int64(seconds * 1e9))
        return ThinnedCurve(of: samples, .heartRate, in: start..<end, limit: limit).points
    }

    func testFewSamples_areAllPoints() throws {
        let samples = try (0...9).map { try sample(Double($0), 100 + Double($0)) }
        XCTAssertEqual(
            points(samples, seconds: 9, limit: 100),
            (0...9).map { ThinnedCurve.Point(seconds: Double($0), value: 100 + Double($0)) })
    }

    func testManySamples_areAveragedInEqualParts_withoutWhatIsMissing() throws {
        // Nothing from the 3rd to the 5th second.
        let samples = try [0, 1, 2, 6, 7].map { try sample(Double($0), 100 + 10 * Double($0)) }
        XCTAssertEqual(
            points(samples, seconds: 8, limit: 4),
            [
                ThinnedCurve.Point(seconds: 0.5, value: 105),
                ThinnedCurve.Point(seconds: 2, value: 120),
                ThinnedCurve.Point(seconds: 6.5, value: 165),
            ])
    }

    func testAnyNumber_hasAtMostTheLimit() throws {
        for count in [0, 1, 599, 600, 601, 5_000] {
            let samples = try (0..<count).map { try sample(Double($0), 120) }
            let found = points(samples, seconds: Double(max(count - 1, 0)), limit: 600)
            XCTAssertLessThanOrEqual(found.count, 600)
            XCTAssertEqual(found.isEmpty, count == 0)
            XCTAssertEqual(found.map(\.seconds), found.map(\.seconds).sorted())
        }
    }

    func testOtherTypesAndTimes_haveNoPoint() throws {
        let late = try sample(11, 120)
        let early = try sample(-1, 120)
        let other = try QuantitySample(
            id: late.id, type: .rrInterval, start: start, end: start,
            quantity: Quantity(800, .millisecond))
        XCTAssertEqual(points([early, other, late], seconds: 10, limit: 10), [])
    }
}
