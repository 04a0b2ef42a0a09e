import HealthModel
import XCTest

@testable import Readings

final class RecordTimeBoundsTests: XCTestCase {
    private func problem(from start: String, to end: String) throws -> String? {
        let sample = try QuantitySample(
            id: RecordID(high: 1, low: 2), type: .stepCount,
            start: XCTUnwrap(Instant(iso8601: start)), end: XCTUnwrap(Instant(iso8601: end)),
            quantity: Quantity(1, .count))
        let now = try XCTUnwrap(Instant(iso8601: "2026-11-22T12:00:00Z"))
        return RecordTimeBounds(at: now).problem(of: .sample(sample))
    }

    func testPastAndPresent_areAccepted() throws {
        XCTAssertNil(try problem(from: "2026-11-22T11:00:00Z", to: "2026-11-22T12:00:00Z"))
        XCTAssertNil(try problem(from: "1900-01-01T00:00:00Z", to: "1900-01-01T00:00:01Z"))
    }

    func testFuture_isAcceptedForADay() throws {
        XCTAssertNil(try problem(from: "2026-11-22T12:00:00Z", to: "2026-11-23T12:00:00Z"))
        for end in ["2026-11-23T12:00:00.001Z", "2028-01-01T00:00:00Z", "2262-04-11T00:00:00Z"] {
            let problem = try problem(from: "2026-11-22T12:00:00Z", to: end)
            XCTAssertTrue(problem?.contains("in the future") == true, end)
        }
    }

    func testBefore1900_isRejected() throws {
        let problem = try problem(from: "1899-12-31T23:59:59Z", to: "2026-11-22T12:00:00Z")
        XCTAssertTrue(problem?.contains("before 1900") == true)
    }
}
