import XCTest

@testable import Platform

final class LogTests: XCTestCase {
    private func record(
        _ level: Logger.Level, _ message: String, _ fields: [(String, String)] = []
    ) -> Logger.Record {
        Logger.Record(
            level: level, component: "foot", message: message,
            fields: fields.map { (key: $0.0, value: $0.1) })
    }

    func testPlain_levelsAndFields() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "connected", [("device", "/dev/ttyUSB0")])),
            "foot: connected device=/dev/ttyUSB0\n")
        XCTAssertEqual(LogFormat.plain(record(.warning, "gone")), "warning: foot: gone\n")
    }

    func testJournal_levelsAsSystemdReadsThem() {
        let lines = Logger.Level.allCases.map { LogFormat.journal(record($0, "x")) }
        XCTAssertEqual(
            lines, ["<7>foot: x\n", "<6>foot: x\n", "<4>foot: x\n", "<3>foot: x\n"])
    }

    func testFields_valuesWithSpacesAreQuoted() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "x", [("a", "b c"), ("d", "e\"f"), ("g", "")])),
            "foot: x a=\"b c\" d=\"e\\\"f\" g=\"\"\n")
    }

    func testEscaped_escapesControlCharacters() {
        XCTAssertEqual(LogFormat.escaped("a\u{1b}[2J\nb\u{202e}"), "a\\u{1b}[2J\\u{a}b\\u{202e}")
    }
}
