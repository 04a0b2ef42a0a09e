import XCTest

@testable import ArgumentValues
@testable import GatewayHost

final class ColumnsArgumentTests: XCTestCase {
    private func columns(_ text: String) throws -> [String] {
        try ColumnsArgument.columns(
            text, among: ["start", "end", "value", "deviceName"], option: "--columns")
    }

    func testColumns_areInTheGivenOrder_inAnyCase() throws {
        XCTAssertEqual(try columns("value,START, devicename"), ["value", "start", "deviceName"])
        XCTAssertEqual(try columns("end"), ["end"])
    }

    func testColumns_unknownOrTwice_areErrorsThatListTheNames() {
        let messages = [
            "strat": "unknown column `strat`; did you mean `start`? known: start, end, value",
            "when": "unknown column `when`; known: start, end, value, deviceName",
            "": "unknown column ``; known: start", "end,": "unknown column ``; known: start",
            "value,end,VALUE": "`value` is given twice",
        ]
        for (text, message) in messages {
            XCTAssertThrowsError(try columns(text), text) { error in
                XCTAssertEqual((error as? HostError)?.status, .usage)
                XCTAssertTrue("\(error)".hasPrefix("--columns: \(message)"), "\(error)")
            }
        }
    }
}
