import XCTest

@testable import Lines

final class LineTemplateTests: XCTestCase {
    private func match(_ template: String, _ line: String) throws -> LineValues? {
        try LineTemplate(template).match(Array(line.utf8).span)
    }

    private func assertRefused(
        _ template: String, _ expected: LineTemplateError, line: UInt = #line
    ) {
        XCTAssertThrowsError(try LineTemplate(template), line: line) {
            XCTAssertEqual($0 as? LineTemplateError, expected, line: line)
        }
    }

    func testMatch_readsEveryField() throws {
        let values = try match("Steps: {steps}, {_} s, {distance} m", "Steps: 7, -9.1 s, 5.25 m")
        XCTAssertEqual(values?.steps?.whole, 7)
        XCTAssertEqual(values?.distance?.millionths, 5_250_000)
    }

    func testMatch_takesAnyRunOfBlanksForASpace() throws {
        for line in ["Steps: 7", "Steps:    7", "Steps:\t7", "Steps: \t 7"] {
            XCTAssertEqual(try match("Steps:  {steps}", line)?.steps?.whole, 7, line)
        }
        XCTAssertNil(try match("Steps: {steps}", "Steps:7"))
    }

    func testMatch_whenAnythingElse_isNil() throws {
        let others = [
            "", "S", "steps: 7", "Steps: ", "Steps: x", "Steps: 7 ", "Steps: 7x", "Steps: 7.",
            "xSteps: 7", "eps: 7", "7", "Steps: nan", "Steps; 7",
        ]
        for line in others {
            XCTAssertNil(try match("Steps: {steps}", line), line)
        }
    }

    func testMatch_whenCutAnywhere_isNilUpToTheNumber() throws {
        let line = "Walked 7 steps (5.20 s)"
        for length in 0..<line.count {
            XCTAssertNil(
                try match("Walked {steps} steps ({_} s)", String(line.prefix(length))), "\(length)")
        }
    }

    func testMatch_worksOnASliceInTheMiddle() throws {
        let bytes = Array("junkSteps: 12junk".utf8)
        let template = try LineTemplate("Steps: {steps}")
        XCTAssertEqual(template.match(bytes[4..<13].span)?.steps?.whole, 12)
        XCTAssertEqual(template.match(bytes[4..<12].span)?.steps?.whole, 1)
    }

    func testMatch_comparesBytesBeyondASCII() throws {
        XCTAssertEqual(try match("Schritte → {steps}", "Schritte → 7")?.steps?.whole, 7)
        let template = try LineTemplate("Schritte → {steps}")
        XCTAssertNil(template.match(([0xFF, 0xFE, 0x00] as [UInt8]).span))
    }

    func testBeginsWithNumber_whenAFieldComesFirst() throws {
        XCTAssertTrue(try LineTemplate("{_},{steps}").beginsWithNumber)
        XCTAssertTrue(try LineTemplate("{steps}").beginsWithNumber)
        XCTAssertFalse(try LineTemplate("Steps: {steps}").beginsWithNumber)
    }

    func testInit_whenNoTemplate_reportsWhy() {
        assertRefused("Steps: {step}", .unknownField("step"))
        assertRefused("Steps: {}", .unknownField(""))
        assertRefused("Steps: {steps", .unclosedField)
        assertRefused("{steps}{distance}", .adjacentFields)
        assertRefused("{steps} {steps}", .duplicateField("steps"))
        assertRefused("Steps: {_}", .noUsedField)
        assertRefused("", .noUsedField)
    }
}
