import FoundationEssentials
import Glibc
import XCTest

@testable import Serial

final class TerminalDescriptorTests: XCTestCase {
    private let settings = LineSettings(baud: .baud115200)
    private let folder = "/tmp/pulsegate-serial-\(UUID().uuidString)"

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(atPath: folder)
    }

    private func assertOpen(
        _ path: String, throws expected: SerialError, line: UInt = #line
    ) {
        XCTAssertThrowsError(try TerminalDescriptor.open(path, settings: settings), line: line) {
            XCTAssertEqual($0 as? SerialError, expected, line: line)
        }
    }

    func testOpen_whenNothingIsThere_reportsIt() {
        assertOpen("\(folder)/none", throws: .noSuchPort(path: "\(folder)/none"))
        assertOpen("\(folder)/none/deeper", throws: .noSuchPort(path: "\(folder)/none/deeper"))
        assertOpen("", throws: .noSuchPort(path: ""))
    }

    func testOpen_whenFileStandsInTheWay_reportsNoSuchPort() {
        assertOpen("/etc/passwd/ttyUSB0", throws: .noSuchPort(path: "/etc/passwd/ttyUSB0"))
    }

    func testOpen_whenRegularFile_isNoPort() throws {
        try Data("Steps: 7\n".utf8).write(to: URL(filePath: "\(folder)/file"))
        assertOpen("\(folder)/file", throws: .notASerialPort(path: "\(folder)/file"))
    }

    func testOpen_whenFolder_isNoPort() {
        assertOpen(folder, throws: .notASerialPort(path: folder))
    }

    func testOpen_whenOtherDevice_isNoPort() {
        assertOpen("/dev/null", throws: .notASerialPort(path: "/dev/null"))
    }

    func testOpen_whenFIFO_isNoPortAndDoesNotWait() {
        XCTAssertEqual(mkfifo("\(folder)/fifo", 0o600), 0)
        assertOpen("\(folder)/fifo", throws: .notASerialPort(path: "\(folder)/fifo"))
    }

    func testOpen_whenLinkLeadsNowhere_isNoSuchPort() {
        XCTAssertEqual(symlink("\(folder)/gone", "\(folder)/link"), 0)
        assertOpen("\(folder)/link", throws: .noSuchPort(path: "\(folder)/link"))
    }

    func testOpen_whenLinkLeadsToATerminal_opens() throws {
        let terminal = try PseudoTerminal()
        XCTAssertEqual(symlink(terminal.slavePath, "\(folder)/link"), 0)
        let descriptor = try TerminalDescriptor.open("\(folder)/link", settings: settings)
        XCTAssertEqual(isatty(descriptor.number), 1)
    }

    func testOpen_whenAnotherProgramHasIt_isBusy() throws {
        let terminal = try PseudoTerminal()
        let first = try TerminalDescriptor.open(terminal.slavePath, settings: settings)
        assertOpen(terminal.slavePath, throws: .busy(path: terminal.slavePath))
        withExtendedLifetime(first) {}
    }

    func testOpen_whenOwnerHasReleasedIt_opensAgain() throws {
        let terminal = try PseudoTerminal()
        var first: TerminalDescriptor? = try .open(terminal.slavePath, settings: settings)
        first?.release()
        first = nil
        XCTAssertNoThrow(try TerminalDescriptor.open(terminal.slavePath, settings: settings))
    }

    func testOpen_isStoredFromChildren() throws {
        let terminal = try PseudoTerminal()
        let descriptor = try TerminalDescriptor.open(terminal.slavePath, settings: settings)
        XCTAssertNotEqual(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC, 0)
        XCTAssertNotEqual(fcntl(try descriptor.duplicate().number, F_GETFD) & FD_CLOEXEC, 0)
    }

    func testConfigure_setsRawCharactersAndFlowControl() throws {
        let terminal = try PseudoTerminal()
        let wanted = LineSettings(baud: .baud9600, usesHardwareFlowControl: true)
        let descriptor = try TerminalDescriptor.open(terminal.slavePath, settings: wanted)
        var attributes = termios()
        XCTAssertEqual(tcgetattr(descriptor.number, &attributes), 0)
        XCTAssertEqual(attributes.c_iflag, 0)
        XCTAssertEqual(attributes.c_oflag & tcflag_t(OPOST), 0)
        XCTAssertEqual(attributes.c_lflag & tcflag_t(ICANON | ECHO | ISIG), 0)
        XCTAssertEqual(attributes.c_cflag & tcflag_t(CSIZE), tcflag_t(CS8))
        XCTAssertEqual(attributes.c_cflag & tcflag_t(CSTOPB | PARENB), 0)
        XCTAssertNotEqual(attributes.c_cflag & tcflag_t(CLOCAL), 0)
        XCTAssertNotEqual(attributes.c_cflag & tcflag_t(CREAD), 0)
        XCTAssertNotEqual(attributes.c_cflag & tcflag_t(CRTSCTS), 0)
    }

    func testConfigure_whenNoFlowControlIsAsked_clearsIt() throws {
        let terminal = try PseudoTerminal()
        let descriptor = try TerminalDescriptor.open(
            terminal.slavePath,
            settings: LineSettings(baud: .baud9600, usesHardwareFlowControl: true))
        try descriptor.configure(LineSettings(baud: .baud9600))
        var attributes = termios()
        XCTAssertEqual(tcgetattr(descriptor.number, &attributes), 0)
        XCTAssertEqual(attributes.c_cflag & tcflag_t(CRTSCTS), 0)
    }
}
