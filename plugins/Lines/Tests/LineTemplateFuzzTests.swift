import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import Lines

/// Templates of any text, and lines that they match or not.
final class LineTemplateFuzzTests: XCTestCase {
    private static let words = [
        "{", "}", "{steps}", "{distance}", "{_}", "{heartRate}", "{heartRate:count/s}", "  ", "\t",
        "→",
        "-", "+", ".", "9223372036854775808", "0.0000001", "1e5", "\0",
    ].map { Array($0.utf8) }

    func testTemplates_ofAnyText_matchOrRefuse() {
        var run = FuzzRun("templates of lines", inputs: 5_000)
        while var random = run.next() {
            var text = Array("Steps: {steps}, {_} s, {distance} m, {heartRate}".utf8)
            for _ in 0..<random.pick([0, 1, 4]) { random.mutate(&text, words: Self.words) }
            guard let template = try? LineTemplate(String(decoding: text, as: UTF8.self))
            else { continue }
            var line = Array("Steps: 7, -9.1 s, 5.25 m, 61".utf8)
            for _ in 0..<random.pick([0, 1, 4]) { random.mutate(&line, words: Self.words) }
            guard let values = template.match(line.span) else { continue }
            let isEmpty = values.steps == nil && values.distance == nil && values.quantities.isEmpty
            run.expect(!isEmpty, "a match without a number")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
