import XCTest

@testable import Terminal

/// Tests for the line of progress.
final class ProgressLineTests: XCTestCase {
    func testTimeLeft_isThatOfTheRateSoFar() {
        XCTAssertEqual(ProgressLine.left(read: 10, remaining: 90, seconds: 0.5), [])
        XCTAssertEqual(ProgressLine.left(read: 0, remaining: 90, seconds: 5), [])
        XCTAssertEqual(ProgressLine.left(read: 10, remaining: 90, seconds: 2), ["18 s left"])
        XCTAssertEqual(ProgressLine.left(read: 10, remaining: 900, seconds: 2), ["3 min left"])
        XCTAssertEqual(ProgressLine.left(read: 10, remaining: -1, seconds: 2), ["0 s left"])
        XCTAssertEqual(ProgressLine.left(read: 1, remaining: .max, seconds: 9), [])
    }
}
