import Glibc
import Synchronization
import XCTest

@testable import GatewayCore
@testable import Platform
@testable import Terminal

/// The output of a full screen and the input of its keys.
final class FullScreenTests: XCTestCase {
    private var master: Int32 = -1
    private var slave: Int32 = -1

    override func setUp() {
        XCTAssertEqual(openpty(&master, &slave, nil, nil, nil), 0)
        resize(columns: 20, rows: 4)
    }

    override func tearDown() {
        close(master)
        if slave >= 0 { close(slave) }
    }

    private func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        XCTAssertEqual(ioctl(slave, UInt(TIOCSWINSZ), &size), 0)
    }

    /// The output since the last call.
    private func written() -> String {
        var bytes: [UInt8] = []
        var readable = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&readable, 1, 0) > 0, readable.revents & Int16(POLLIN) != 0 {
            bytes += SystemCall.read(master, limit: 4_096).bytes
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        XCTAssertEqual(Glibc.write(master, bytes, bytes.count), bytes.count)
    }

    private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h"
    private static let end = "\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// A screen with its log.
    private func makeScreen() -> (screen: FullScreen, log: Log) {
        let log = Log()
        let screen = FullScreen(stream: StandardStream(descriptor: slave)) { log.add($0) }
        return (screen, log)
    }

    private final class Log: Sendable {
        private let state = Mutex<[String]>([])
        var lines: [String] { state.withLock { $0 } }
        func add(_ line: String) { state.withLock { $0.append(line) } }
    }

    // MARK: Screen

    func testShow_writesOnlyLinesThatHaveChanged() {
        let (screen, _) = makeScreen()
        screen.show { _, _ in ["one", "two", ""] }
        XCTAssertEqual(
            written(),
            Self.begin + "\u{1b}[2J\u{1b}[1;1H\u{1b}[2Kone\u{1b}[2;1H\u{1b}[2Ktwo")
        screen.show { _, _ in ["one", "2", ""] }
        XCTAssertEqual(written(), "\u{1b}[2;1H\u{1b}[2K2")
        screen.show { _, _ in ["one", "2", ""] }
        XCTAssertEqual(written(), "")
        screen.show { _, _ in ["one"] }
        XCTAssertEqual(written(), "\u{1b}[2;1H\u{1b}[2K")
    }

    func testShow_drawsForTheSizeAndNothingBelowIt() {
        let (screen, _) = makeScreen()
        screen.show { columns, rows in ["\(columns)x\(rows)", "2", "3", "4", "5"] }
        XCTAssertTrue(
            written().hasSuffix(
                "\u{1b}[1;1H\u{1b}[2K20x4\u{1b}[2;1H\u{1b}[2K2"
                    + "\u{1b}[3;1H\u{1b}[2K3\u{1b}[4;1H\u{1b}[2K4"))
        resize(columns: 9, rows: 1)
        screen.resize()
        XCTAssertEqual(written(), "\u{1b}[2J\u{1b}[1;1H\u{1b}[2K9x1")
    }

    func testLeave_restoresTheTerminalAndThenWritesTheLog() {
        let (screen, log) = makeScreen()
        screen.writeLog("before\n")
        XCTAssertEqual(log.lines, ["before\n"])
        screen.show { _, _ in ["one"] }
        _ = written()
        for number in 0..<(FullScreen.heldLimit + 2) { screen.writeLog("\(number)\n") }
        XCTAssertEqual(log.lines.count, 1)
        screen.leave()
        XCTAssertEqual(written(), Self.end)
        XCTAssertEqual(log.lines.count, 1 + FullScreen.heldLimit + 1)
        XCTAssertEqual(log.lines.last, "log: 2 lines dropped\n")
        screen.writeLog("after\n")
        XCTAssertEqual(log.lines.last, "after\n")
        screen.leave()
        screen.show { _, _ in ["late"] }
        screen.resize()
        XCTAssertEqual(written(), "")
    }

    func testLeave_ofAScreenThatWasNotShown_writesNothing() {
        let (screen, _) = makeScreen()
        screen.leave()
        XCTAssertEqual(written(), "")
    }

    // MARK: Keys

    private var settings: termios {
        var settings = termios()
        XCTAssertEqual(tcgetattr(slave, &settings), 0)
        return settings
    }

    func testKeys_areReadOneByOneWithoutEchoUntilRestored() throws {
        let before = settings
        let keys = try XCTUnwrap(TerminalKeys(slave, clock: SystemClock()))
        XCTAssertEqual(settings.c_lflag & tcflag_t(ICANON | ECHO), 0)
        XCTAssertNotEqual(settings.c_lflag & tcflag_t(ISIG), 0)
        write("p")
        XCTAssertEqual(keys.read(), .key("p"))
        write("\u{1b}[A")
        XCTAssertEqual(keys.read(), .nothing)
        XCTAssertEqual(written(), "")
        keys.restore()
        keys.restore()
        XCTAssertEqual(settings.c_lflag, before.c_lflag)
        XCTAssertEqual(settings.c_iflag, before.c_iflag)
        XCTAssertTrue(
            withUnsafeBytes(of: settings.c_cc) { now in
                withUnsafeBytes(of: before.c_cc) { now.elementsEqual($0) }
            })
    }

    func testKeys_areRestoredAtTheEnd() throws {
        let before = settings.c_lflag
        do { _ = try XCTUnwrap(TerminalKeys(slave, clock: SystemClock())) }
        XCTAssertEqual(settings.c_lflag, before)
    }

    func testKeys_whenTheTerminalIsGone_end() throws {
        let (other, others) = try openTerminal()
        let keys = try XCTUnwrap(TerminalKeys(others, clock: SystemClock()))
        close(other)
        XCTAssertEqual(keys.read(), .end)
        close(others)
    }

    private func openTerminal() throws -> (master: Int32, slave: Int32) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        XCTAssertEqual(openpty(&master, &slave, nil, nil, nil), 0)
        return (master, slave)
    }

    func testKeys_withoutATerminal_areNil() {
        let none = open("/dev/null", O_RDONLY)
        defer { close(none) }
        XCTAssertNil(TerminalKeys(none, clock: SystemClock()))
    }
}
