import ArgumentValues
import GatewayHost
import XCTest

@testable import PulsegateCommand

final class CommandFormatTests: XCTestCase {
    /// The commands whose result is a list or a report.
    private static let reports: Set = [
        "devices", "plugins", "status", "tap", "search", "query", "statistics", "summary", "people",
        "workout list", "workout show", "workout status", "workout trends", "access list",
        "secret list",
    ]

    func testCommandsThatListOrReport_haveTheSameFormats() {
        let syntaxes = Subcommand.all.flatMap(\.runnable)
        let names = CommandSyntax.formats.map(\.name)
        let found = syntaxes.filter { syntax in
            let options = syntax.options.filter { names.contains($0.name) }
            return options.map(\.help) == CommandSyntax.formats.map(\.help)
        }
        XCTAssertEqual(Set(found.map(\.name)), Self.reports)
    }

    func testFormat_isThatOfEitherOption() throws {
        let syntax = CommandSyntax(name: "list", summary: "", options: CommandSyntax.formats)
        func format(_ words: String...) throws -> OutputFormat {
            try ParsedArguments(words, syntax: syntax).format()
        }
        XCTAssertEqual(try format(), .table)
        XCTAssertEqual(try format("--json"), .json)
        XCTAssertEqual(try format("--json", "--format", "json"), .json)
        for name in OutputFormat.allCases {
            XCTAssertEqual(try format("--format", name.rawValue), name)
            guard name != .json else { continue }
            XCTAssertThrowsError(try format("--format", name.rawValue, "--json")) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
            }
        }
        XCTAssertThrowsError(try format("--format", "xml"))
    }
}
