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
            ["x", "--device=a=b", "--person="], syntax: syntax)
        XCTAssertEqual(arguments.value(of: "--device"), "a=b")
        XCTAssertEqual(arguments.value(of: "--person"), "")
    }

    func testInit_usageErrors() {
        assertUsage([], saying: "TYPE is required")
        assertUsage(["heartRate", "extra"], saying: "unexpected argument `extra`")
        assertUsage(["heartRate", "--form", "csv"], saying: "did you mean `--from`?")
        assertUsage(["heartRate", "--from"], saying: "--from requires a value")
        assertUsage(["heartRate", "--latest=yes"], saying: "does not accept a value")
        assertUsage(["heartRate", "--from", "1h", "--from", "2h"], saying: "is given twice")
    }

    func testInit_helpNeedsNoOperand() throws {
        XCTAssertTrue(try ParsedArguments(["-h"], syntax: syntax).has("--help"))
    }
}
