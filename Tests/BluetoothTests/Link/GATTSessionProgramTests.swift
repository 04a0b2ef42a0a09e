import Readings
import XCTest

@testable import Bluetooth

/// Tests of profiles whose decoder is a program.
final class GATTSessionProgramTests: XCTestCase {
    private let channel = Channel(program: "pulse")

    private func makeDriver() throws -> GATTSessionDriver {
        var driver = try XCTUnwrap(GATTSessionDriver([ProgramProfile()]))
        XCTAssertEqual(driver.open(), ["program pulse: opened", "read c1"])
        XCTAssertEqual(
            driver.answerAll(),
            ["read c1", "read c3", "read c4", "subscribe to c2", "subscribe to c4"])
        return driver
    }

    func testValue_goesToTheProgram_andShowsNothingAboutTheDevice() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.receive([72], from: "c2"), ["program pulse: received [72]"])
        XCTAssertEqual(driver.receive([40], from: "c4"), ["battery 0.4"])
    }

    func testLine_isAReadingADropOrAWrite() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.print("72", on: channel), ["pulse 72"])
        XCTAssertEqual(
            driver.print("x", on: channel),
            ["program pulse: rejected no number", "dropped damaged 1"])
        XCTAssertEqual(driver.print("!", on: channel), [])
        XCTAssertEqual(driver.print("72", on: Channel(program: "other")), [])
    }

    func testReadings_beyondTheAllowance_areAFlood() throws {
        var driver = try makeDriver()
        let count = Int(AdapterAllowance.maximumSaved)
        var found: [String] = []
        for _ in 0..<count + 10 { found += driver.print("72", on: channel) }
        XCTAssertLessThanOrEqual(found.count { $0 == "pulse 72" }, count)
        XCTAssertNotEqual(found.last, "pulse 72")
    }
}
