import GatewayTesting
import XCTest

@testable import Platform

final class RadioBlockTests: XCTestCase {
    private func read(_ radios: [(name: String, files: [String: String])]) throws -> RadioBlock? {
        let folder = try TemporaryFolder()
        for radio in radios {
            try folder.makeFolder(radio.name)
            for (name, text) in radio.files {
                try folder.write(Array(text.utf8), to: "\(radio.name)/\(name)")
            }
        }
        return RadioBlock.read(from: folder.path)
    }

    private func radio(
        _ number: Int, _ type: String = "bluetooth", soft: Bool = false, hard: Bool = false
    ) -> (name: String, files: [String: String]) {
        (
            "rfkill\(number)",
            ["type": "\(type)\n", "soft": soft ? "1\n" : "0\n", "hard": hard ? "1\n" : "0\n"]
        )
    }

    func testRead_whenNothingIsBlocked_isNil() throws {
        XCTAssertNil(try read([]))
        XCTAssertNil(try read([radio(0), radio(1, "wlan", soft: true, hard: true)]))
    }

    func testRead_bySoftwareOrBySwitch() throws {
        XCTAssertEqual(try read([radio(0, "wlan"), radio(1, soft: true)]), .bySoftware)
        XCTAssertEqual(try read([radio(3, hard: true)]), .bySwitch)
        XCTAssertEqual(try read([radio(0, soft: true, hard: true)]), .bySwitch)
    }

    func testRead_whenSeveralAreBlocked_theSwitchCounts() throws {
        XCTAssertEqual(try read([radio(0, soft: true), radio(1, hard: true)]), .bySwitch)
        XCTAssertEqual(try read([radio(0, hard: true), radio(1, soft: true)]), .bySwitch)
    }

    /// The kernel never uses a number again: a stick that was plugged in often has a high one.
    func testRead_whenTheNumberIsHigh_findsIt() throws {
        XCTAssertEqual(try read([radio(4_711, soft: true)]), .bySoftware)
    }

    func testRead_whenFilesAreMissingOrStrange_isNil() throws {
        XCTAssertNil(RadioBlock.read(from: "/nowhere/at/all"))
        XCTAssertNil(
            try read([
                ("rfkill0", [:]), ("rfkill1", ["type": "bluetooth"]),
                ("rfkill2", ["type": "bluetooth", "soft": "", "hard": "x"]),
                ("other", ["type": "bluetooth", "soft": "1"]),
            ]))
    }
}
