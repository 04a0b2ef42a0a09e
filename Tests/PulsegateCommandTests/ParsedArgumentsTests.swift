import HealthModel
import XCTest

@testable import GatewayHost
@testable import PulsegateCommand

final class ParsedArgumentsTests: XCTestCase {
    private let syntax = QueryCommand.syntax

    private func assertUsage(_ words: [String], saying part: String, line: UInt = #line) {
        XCTAssertThrowsError(try ParsedArguments(words, syntax: syntax), line: line) { error in
            let failure = error as? HostError
            XCTAssertEqual(failure?.status, .usage, line: line)
            let message = failure?.message ?? ""
            XCTAssertTrue(message.contains(part), "\(message) lacks \(part)", line: line)
        }
    }

    func testInit_operandsAndOptionsInAnyOrder() throws {
        let arguments = try ParsedArguments(
            ["--from", "5m", "heartRate", "--unit=count/s", "--latest"], syntax: syntax)
        XCTAssertEqual(arguments.operands, ["heartRate"])
        XCTAssertEqual(arguments.value(of: "--from"), "5m")
        XCTAssertEqual(arguments.value(of: "--unit"), "count/s")
        XCTAssertTrue(arguments.has("--latest"))
        XCTAssertNil(arguments.value(of: "--to"))
    }

    func testInit_afterTwoDashesEverythingIsAnOperand() throws {
        let arguments = try ParsedArguments(["--", "--from"], syntax: syntax)
        XCTAssertEqual(arguments.operands, ["--from"])
    }

    func testInit_valueMayLookLikeAnythingAndBeEmptyAfterTheSign() throws {
        let arguments = try ParsedArguments(
            ["x", "--device=a=b", "--person=", "--unit=\u{301}"], syntax: syntax)
        XCTAssertEqual(arguments.value(of: "--device"), "a=b")
        XCTAssertEqual(arguments.value(of: "--person"), "")
        XCTAssertEqual(arguments.value(of: "--unit"), "\u{301}")
    }

    func testInit_usageErrors() {
        assertUsage([], saying: "TYPE is required")
        assertUsage(["heartRate", "extra"], saying: "unexpected argument `extra`")
        assertUsage(["heartRate", "--form", "csv"], saying: "did you mean `--from`?")
        assertUsage(["heartRate", "--from"], saying: "--from requires a value")
        assertUsage(["heartRate", "--latest=yes"], saying: "does not accept a value")
        assertUsage(["heartRate", "--from", "1h", "--from", "2h"], saying: "is given twice")
    }

    func testInit_periodWithoutQuotes_showsTheHyphen() {
        assertUsage(
            ["heartRate", "--from", "last", "week"],
            saying: "unexpected argument `week`; write last-week")
        assertUsage(["heartRate", "--from", "last", "wek"], saying: "argument `wek`\nusage")
    }

    func testTimeRange_isAPeriodOrAStartAndAnEnd() throws {
        let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)  // 2026-11-18 11:06
        func range(_ words: String...) throws -> String {
            let arguments = try ParsedArguments(["heartRate"] + words, syntax: syntax)
            let range = try arguments.timeRange(now: now, calendar: .utc)
            return [range.from, range.to].map { $0?.description.prefix(10) ?? "-" }
                .joined(separator: " ")
        }
        XCTAssertEqual(try range(), "- -")
        XCTAssertEqual(try range("--period", "last week"), "2026-11-09 2026-11-16")
        XCTAssertEqual(try range("--period=2026-02"), "2026-02-01 2026-03-01")
        XCTAssertEqual(
            try range("--from", "last-month", "--to", "This Month"), "2026-10-01 2026-11-01")
        let failures: [(words: [String], message: String)] = [
            (["--period", "last week", "--to", "now"], "remove --from and --to"),
            (["--from", "1h", "--to", "1h"], "--from must be before --to"),
            (["--from", "last week", "--to", "last week"], "; use --period last-week"),
        ]
        for (words, message) in failures {
            let arguments = try ParsedArguments(["heartRate"] + words, syntax: syntax)
            XCTAssertThrowsError(try arguments.timeRange(now: now, calendar: .utc)) {
                XCTAssertTrue("\($0)".hasSuffix(message), "\($0)")
            }
        }
    }

    func testInit_helpNeedsNoOperand() throws {
        XCTAssertTrue(try ParsedArguments(["-h"], syntax: syntax).has("--help"))
    }
}
