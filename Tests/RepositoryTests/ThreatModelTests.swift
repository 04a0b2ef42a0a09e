import Foundation
import XCTest

/// The page of threats names the test of every measure.
final class ThreatModelTests: XCTestCase {
    private static let page = "Sources/pulsegate/Manual/threat-model.md"

    /// The rows of the tables with three columns: threat, measure, tests.
    private func rows() throws -> [(threat: String, measure: String, tests: String)] {
        let text = try String(
            contentsOf: Repository.root.appending(path: Self.page), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), line.filter({ $0 == "|" }).count == 4,
                !["threat", "---"].contains(cells[0])
            else { return nil }
            return (cells[0], cells[1], cells.count > 2 ? cells[2] : "")
        }
    }

    func testEveryMeasure_hasATestThatExists() throws {
        let rows = try rows()
        XCTAssertGreaterThan(rows.count, 30)
        let paths = try ["Tests", "plugins"].flatMap { try Repository.paths(in: $0) }
        let known = Set(paths.compactMap { $0.split(separator: "/").last })
        for row in rows {
            let tests = row.tests.split(separator: "`").filter { $0.hasSuffix("Tests") }
            let isOpen = row.measure.hasPrefix("**not prevented**")
            XCTAssertTrue(isOpen || !tests.isEmpty, "\(row.threat): no test")
            for test in tests {
                XCTAssertTrue(known.contains("\(test).swift"[...]), "\(row.threat): \(test)")
            }
        }
    }
}
