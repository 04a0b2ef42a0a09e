import Foundation
import GatewayTesting
import XCTest

/// What would make the program larger, and is not in it.
final class ProgramSizeTests: XCTestCase {
    /// One call of a function of the module of regular expressions adds 1.3 MB to the program in the
    /// package; `TextSearch.swift` has what searches text instead.
    func testProgram_callsNothingOfTheModuleOfRegularExpressions() throws {
        let path = try Home.commandPath()
        let program = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        XCTAssertNotNil(program.range(of: Data("12makeIterator".utf8)), "\(path) has no names")
        XCTAssertNil(program.range(of: Data("17_StringProcessing".utf8)), path)
    }
}
