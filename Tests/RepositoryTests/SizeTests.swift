import XCTest

/// Tests for the size of modules and files.
final class SizeTests: XCTestCase {
    /// A larger module should be split.
    private static let largestModule = 7_500
    private static let largestMedian = 120
    /// The maximum length of nine in ten files.
    private static let longestOfNineInTen = 250

    func testModules_areNotTooLarge() throws {
        for name in try Repository.folders(in: "Sources") {
            let files = try Repository.swiftFiles(in: "Sources/\(name)")
            let lines = files.map(\.lines.count).reduce(0, +)
            XCTAssertLessThanOrEqual(lines, Self.largestModule, name)
        }
    }

    func testFiles_areShort() throws {
        let files = try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "plugins")
        let counts = files.filter { !$0.path.contains("/Tests/") }.map(\.lines.count).sorted()
        XCTAssertLessThanOrEqual(counts[counts.count / 2], Self.largestMedian)
        XCTAssertLessThanOrEqual(counts[counts.count * 9 / 10], Self.longestOfNineInTen)
    }
}
