import XCTest

/// Rooms and files that a person can keep in mind.
final class SizeTests: XCTestCase {
    /// A larger room has a second one in it.
    private static let largestRoom = 7_500
    private static let largestMedian = 120
    /// Of ten files nine are no longer than this.
    private static let longestOfNineInTen = 250

    func testRooms_areNotTooLarge() throws {
        for name in try Repository.folders(in: "Sources") {
            let files = try Repository.swiftFiles(in: "Sources/\(name)")
            let lines = files.map(\.lines.count).reduce(0, +)
            XCTAssertLessThanOrEqual(lines, Self.largestRoom, name)
        }
    }

    func testFiles_areShort() throws {
        let files = try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "plugins")
        let counts = files.filter { !$0.path.contains("/Tests/") }.map(\.lines.count).sorted()
        XCTAssertLessThanOrEqual(counts[counts.count / 2], Self.largestMedian)
        XCTAssertLessThanOrEqual(counts[counts.count * 9 / 10], Self.longestOfNineInTen)
    }
}
