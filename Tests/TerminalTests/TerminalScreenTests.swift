import Glibc
import XCTest

@testable import Terminal

/// The output of live lines at the bottom of a terminal.
final class TerminalScreenTests: XCTestCase {
    private var master: Int32 = -1
    private var slave: Int32 = -1

    override func setUp() {
        XCTAssertEqual(openpty(&master, &slave, nil, nil, nil), 0)
    }

    override func tearDown() {
        close(master)
        close(slave)
    }

    private func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        XCTAssertEqual(ioctl(slave, UInt(TIOCSWINSZ), &size), 0)
    }

    /// Asserts the output since the last call; the terminal converts line ends to CR LF.
    private func assertWritten(_ expected: String, line: UInt = #line) {
        let length = expected.replacing("\n", with: "\r\n").utf8.count
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4_096)
        var readable = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while bytes.count < length, poll(&readable, 1, 30_000) > 0 {
            let count = read(master, &block, block.count)
            bytes += block.prefix(max(count, 0))
        }
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        XCTAssertEqual(text, expected, line: line)
    }

    /// The sequences that replace the rows before the cursor with lines.
    private func drawn(_ lines: [String], over rows: Int) -> String {
        let erased = String(repeating: "\u{1b}[1A\u{1b}[2K", count: rows)
        return (rows == 0 ? "" : "\r\u{1b}[2K" + erased) + lines.map { "\($0)\n" }.joined()
    }

    func testShow_erasesAsManyRowsAsThereWere() {
        resize(columns: 20, rows: 10)
        let screen = TerminalScreen(stream: StandardStream(descriptor: slave))
        screen.show(["one", "two"])
        assertWritten(drawn(["one", "two"], over: 0))
        screen.show(["three"])
        assertWritten(drawn(["three"], over: 2))
        screen.log("said\n")
        assertWritten(drawn(["said", "three"], over: 1))
    }

    func testResize_whenTheTerminalIsNarrower_erasesTheRowsOfBrokenLines() {
        resize(columns: 40, rows: 10)
        let screen = TerminalScreen(stream: StandardStream(descriptor: slave))
        let lines = [String(repeating: "x", count: 25), "", String(repeating: "y", count: 20)]
        screen.show(lines)
        assertWritten(drawn(lines, over: 0))
        resize(columns: 10, rows: 10)
        screen.endResize()
        assertWritten(drawn(["xxxxxxxx…", "", "yyyyyyyy…"], over: 3 + 1 + 2))
        // The full lines are shown again when there is room.
        resize(columns: 40, rows: 10)
        screen.endResize()
        assertWritten(drawn(lines, over: 3))
    }

    func testWideCharacters_areCutAndErasedByTheirColumns() {
        resize(columns: 8, rows: 10)
        let screen = TerminalScreen(stream: StandardStream(descriptor: slave))
        screen.show(["心拍心拍", "心拍計"])
        assertWritten(drawn(["心拍心…", "心拍計"], over: 0))
        // Three columns have one of the two-column characters.
        resize(columns: 3, rows: 10)
        screen.endResize()
        assertWritten(drawn(["…", "…"], over: 3 + 3))
    }

    func testShow_whileTheTerminalIsResized_waitsForItsEnd() {
        resize(columns: 40, rows: 10)
        let screen = TerminalScreen(stream: StandardStream(descriptor: slave))
        screen.show(["old"])
        screen.beginResize()
        screen.show(["new"])
        screen.endResize()
        assertWritten(drawn(["old"], over: 0) + drawn(["new"], over: 1))
    }

    func testShow_ofMoreLinesThanFit_reportsHowManyMore() {
        resize(columns: 20, rows: 4)
        let screen = TerminalScreen(stream: StandardStream(descriptor: slave))
        screen.show(["1", "2", "3", "4", "5"])
        assertWritten(drawn(["1", "2", "… 3 more lines"], over: 0))
        resize(columns: 20, rows: 6)
        screen.endResize()
        assertWritten(drawn(["1", "2", "3", "4", "5"], over: 3))
    }
}
