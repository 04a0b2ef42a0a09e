import Platform
import XCTest

@testable import Exec

final class ProgramMessagesTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 0)

    func testHandle_logsWholeLinesOfLimitedLength() {
        let log = ProgramFixture.LogLines()
        var messages = ProgramMessages(log: log.logger)
        messages.handle(Array("one\ntw".utf8), at: start)
        messages.handle(Array("o\n".utf8), at: start)
        messages.handle([UInt8](repeating: UInt8(ascii: "x"), count: 500) + [10], at: start)
        XCTAssertEqual(
            log.all,
            ["one", "two", String(repeating: "x", count: ProgramMessages.lengthLimit)].map {
                "info message of the program text=\($0)"
            })
    }

    func testHandle_ofAFlood_logsSomeAndCountsTheRest() {
        let log = ProgramFixture.LogLines()
        var messages = ProgramMessages(log: log.logger)
        let flood = Array(String(repeating: "again\n", count: 10_000).utf8)
        messages.handle(flood, at: start)
        XCTAssertEqual(log.all.count, Int(ProgramMessages.burst))
        messages.handle(Array("later\n".utf8), at: start.adding(nanoseconds: 1_000_000_000))
        XCTAssertEqual(
            log.all.suffix(2),
            [
                "warning messages of the program suppressed count=9980",
                "info message of the program text=later",
            ])
        messages.handle(flood, at: start.adding(nanoseconds: 1_000_000_000))
        messages.finish()
        XCTAssertEqual(log.all.last, "warning messages of the program suppressed count=9999")
    }
}
