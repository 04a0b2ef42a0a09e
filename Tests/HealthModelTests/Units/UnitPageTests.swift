import Foundation
import XCTest

@testable import HealthModel

/// The table of units in the manual is that of the code.
final class UnitPageTests: XCTestCase {
    func testPage_hasEverySymbolAndPrefix() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(
                "../../../Sources/pulsegate/Manual/entering-and-reading-data.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try XCTUnwrap(
            text.components(separatedBy: "\n### Unit strings\n").dropFirst().first?
                .components(separatedBy: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        for (column, isPrefixable) in [(2, true), (3, false)] {
            let definitions = UnitSymbol.allCases.map(\.definition)
            XCTAssertEqual(
                rows.flatMap { Self.codes(in: $0[column]) }.sorted(),
                definitions.filter { $0.isPrefixable == isPrefixable }.map(\.text).sorted())
        }
        let prefixes = try XCTUnwrap(section.components(separatedBy: "The prefixes are ").last)
            .prefix { $0 != ":" }
        XCTAssertEqual(
            Self.codes(in: prefixes),
            MetricPrefix.allCases.filter { $0 != .none }.map(\.text))
    }

    /// The texts between backticks.
    private static func codes(in text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
