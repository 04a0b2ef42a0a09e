import XCTest

@testable import Serial

final class PseudoTerminalTests: XCTestCase {
    private let settings = LineSettings(baud: .baud115200)

    func testWrite_whenClosed_throws() throws {
        let terminal = try PseudoTerminal()
        terminal.close()
        terminal.close()
        XCTAssertThrowsError(try terminal.write([1])) {
            XCTAssertEqual($0 as? SerialError, .notOpen(path: terminal.slavePath))
        }
    }

    func testWrite_whenNobodyReads_isRejectedAtSomePoint() throws {
        let terminal = try PseudoTerminal()
        XCTAssertThrowsError(try terminal.write([UInt8](repeating: 0, count: 1_000_000))) {
            XCTAssertEqual($0 as? SerialError, .writeTimedOut(path: terminal.slavePath))
        }
    }

    func testSend_whenCancelledWhileFull_ends() async throws {
        let terminal = try PseudoTerminal()
        let sending = Task { try await terminal.send([UInt8](repeating: 0, count: 1_000_000)) }
        sending.cancel()
        await assertCancelled { try await sending.value }
    }

    func testReceive_whenClosedWhileWaiting_ends() async throws {
        let terminal = try PseudoTerminal()
        let receiving = Task { try await terminal.receive() }
        terminal.close()
        await assertThrows(SerialError.notOpen(path: terminal.slavePath)) {
            try await receiving.value
        }
    }

    func testReleaseSlave_thenTheLastReaderLeaves_receiveNotices() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        terminal.releaseSlave()
        let receiving = Task { try await terminal.receive() }
        await port.close()
        await assertThrows(SerialError.unplugged(path: terminal.slavePath)) {
            try await receiving.value
        }
    }

    func testClearExclusiveUse_afterAKilledReader_letsTheNextOpen() throws {
        let terminal = try PseudoTerminal()
        // A killed reader: its descriptor is closed, its claim is not released.
        _ = try TerminalDescriptor.open(terminal.slavePath, settings: settings)
        terminal.clearExclusiveUse()
        XCTAssertNoThrow(try TerminalDescriptor.open(terminal.slavePath, settings: settings))
    }
}
